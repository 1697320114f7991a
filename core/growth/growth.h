// A tree while it grows, in parts that may grow at the same time.
//
// Depth-first growth keeps the nodes that wait in a stack. Those at its bottom come last, after all that lies
// above them and all that grows from it, so a grower can give them away: another grows them as a part of its
// own, numbered from 0, and appending that part to what the giver grows gives the numbers of one grower
// alone.
#pragma once

#include <memory>

#include "core/cuts/cut.h"
#include "core/data/row_plan.h"
#include "core/trees/tree.h"

namespace foliation {

struct Node {
    std::size_t begin, end;  // its rows
    std::size_t middle;      // where its right part begins, once partitioned
    std::uint64_t key;
    std::int64_t number = 0;  // in the order of opening
    std::int32_t depth;
    std::int64_t parent_slot;  // where in Tree::children it is referred to; ~k if it is start k of its part
    Cut cut;
    std::vector<std::int32_t> atom;
    std::int64_t patience;  // features that further candidates may read, if it shows no clusters
};

struct Part {
    struct Start {
        const Part* giver;         // nullptr for the root of the tree
        std::int64_t parent_slot;  // in the giver's Tree::children
        std::int32_t reference;    // to the node within this part, once it is split
    };
    struct Leaf {
        std::uint32_t begin, end;  // its rows
    };

    std::vector<Start> starts;
    std::vector<Node> nodes;  // one for each start, searched, bottom first; none if it starts at the root
    Tree tree;
    std::vector<Leaf> leaves;
    std::int32_t first_split = 0;  // number of its split 0 in the whole tree, once that is known
    std::unique_ptr<Part> next;    // the part to append after this one; only the grower of this part sets it
};

// Nodes have rows of their own, so parts share the memory that holds them.
struct Growth {
    Growth(const PlanRows& p, std::uint64_t k);
    ~Growth() {
        while (whole.next) whole.next = std::move(whole.next->next);
    }
    Growth(const Growth&) = delete;
    Growth& operator=(const Growth&) = delete;

    const PlanRows& plan;
    std::uint64_t key;
    double weight;                    // of all rows
    std::vector<std::int32_t> slots;  // positions in the plan, in the order of the nodes
    Part whole;                       // the part that starts at the root; all others are given away
};

struct Grown {
    Tree tree;
    std::vector<std::int32_t> leaf_of;  // per row that grew it, in order
};

// The tree of all parts, once all are grown.
Grown stitch(Growth& growth);

}  // namespace foliation
