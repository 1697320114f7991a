// The shape of stored trees: how deep their nodes lie, which splits lie above a leaf and which leaves below a
// split, and which splits share an atom. For analyses and plots, which send no rows down.
#pragma once

#include "core/base/parallel.h"
#include "core/trees/tree.h"

namespace foliation {

// Number of splits above each split and each leaf of the trees first .. last-1, in the order of storage.
struct NodeDepths {
    std::vector<std::int64_t> splits, leaves;
};
NodeDepths node_depths(const Trees& trees, std::int64_t first, std::int64_t last,
                       const Monitor& monitor = Monitor());

// The splits above a leaf, from the root down, and on which side the path leaves each: 0 left, 1 right.
struct Path {
    std::vector<std::int32_t> splits, sides;
};
Path path_to_leaf(const Trees& trees, std::int64_t tree, std::int32_t leaf);

// The leaves below a node (a split, or ~leaf), from left to right:
//
//            0            leaf     3  0  2  1
//          /   \          depth    2  3  3  1
//         1     ~1        parted   0  1  2  0    the depth of the split that parts it from the leaf before;
//       /   \                                    of the first leaf, 0
//     ~3     2
//          /   \          The depth at which two leaves part is the least `parted` behind the first of them
//        ~0     ~2        and up to the second.
struct OrderedLeaf {
    std::int32_t leaf = 0, depth = 0, parted = 0;
};
std::vector<OrderedLeaf> leaves_below(const Trees& trees, std::int64_t tree, std::int32_t node);

// Atoms one after the other: the words of atom k are words[start[k] .. start[k+1]).
struct AtomList {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> words;

    void add(Words more) {
        words.insert(words.end(), more.begin(), more.end());
        start.push_back(static_cast<std::int64_t>(words.size()));
    }
};

// The atoms of some splits, numbered through all trees.
AtomList atoms_of(const Trees& trees, std::span<const std::int64_t> splits);

// Every atom of the trees once, in the order of its first split, and the number of each split's.
struct DistinctAtoms {
    AtomList atoms;
    std::vector<std::int64_t> of_split;
};
DistinctAtoms distinct_atoms(const Trees& trees, const Monitor& monitor = Monitor());

}  // namespace foliation
