// A tree while it grows, in parts that several workers grow at the same time (work stealing).
//
// Depth-first growth keeps the nodes that wait in a stack, the frontier. Nodes at its bottom are split last,
// after everything above them and everything that grows from it. So a worker can offload them: another worker
// grows them as a part of its own, whose splits and leaves are numbered from 0. Appending that part to the
// part it came from results in the same numbers as one worker alone.
//
//   frontier of part A        parts in the order in which stitch() appends them
//     d   <- split next         root -> ... -> A -> B -> ...
//     c
//     b   <- offloaded: starts[1] of part B
//     a   <- offloaded: starts[0] of part B
//
// All parts share one array of slots (positions in the list of samples), since nodes have disjoint ranges of
// it. The top of a frontier lies to the left of its bottom:
//
//   slots   [   d   |  c  |    b    |      a      ]
//            ^begin                               ^end of part A
//           [ left child | right child ]              once node d is split
//            ^begin       ^middle      ^end
#pragma once

#include <memory>

#include "core/cuts/cut.h"
#include "core/data/row_plan.h"
#include "core/trees/tree.h"

namespace foliation {

struct Node {
    std::size_t begin, end;  // its range of slots
    std::size_t middle;      // where its right child's slots begin, once partitioned
    std::uint64_t key;
    std::int64_t number = 0;  // in the order of opening
    std::int32_t depth;
    std::int64_t parent_slot;  // where in Tree::children it is referred to; ~k if it is start k of its part
    Cut cut;
    std::vector<std::int32_t> atom;
    std::int64_t extra_budget;  // features that extra candidates may read, if it shows no clusters
};

struct Part {
    struct Start {
        const Part* owner;         // whose tree holds the parent; nullptr for the root of the tree
        std::int64_t parent_slot;  // in the owner's Tree::children
        std::int32_t reference;    // to the node within this part, once it is split
    };
    struct Leaf {
        std::uint32_t begin, end;  // its range of slots
    };

    std::vector<Start> starts;
    std::vector<Node> nodes;  // one for each start, searched, bottom first; none if it starts at the root
    Tree tree;
    std::vector<Leaf> leaves;
    std::int32_t first_split = 0;  // number of its split 0 in the whole tree, set by stitch()
    std::unique_ptr<Part> next;    // the part to append after this one; only the grower of this part sets it
};

struct Growth {
    Growth(const Samples& s, std::uint64_t k);
    ~Growth() {
        while (root.next) root.next = std::move(root.next->next);
    }
    Growth(const Growth&) = delete;
    Growth& operator=(const Growth&) = delete;

    const Samples& samples;  // those that choose the structure
    std::uint64_t key;
    double weight;                    // of all samples
    std::vector<std::int32_t> slots;  // positions in `samples`, in the order of the nodes
    Part root;                        // the part that starts at the root; all others are offloaded
};

struct Grown {
    Tree tree;
    std::vector<std::int32_t> leaf_of;  // per structure sample, in order
};

// The tree of all parts, once all are grown.
Grown stitch(Growth& growth);

}  // namespace foliation
