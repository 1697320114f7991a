// Rows compared by how deep in the trees they part.
//
// In a tree, two rows whose leaves lie d and e splits deep and part c splits deep have the affinity
// c / ((d + e) / 2): 1 in the same leaf, 0 if the root parts them. The affinity of two rows is the mean over
// the trees in which both take part, summed in the order of the trees. All rows are compared with all others.
#pragma once

#include "core/proximity/compare.h"
#include "core/trees/structure.h"

namespace foliation {

class DepthAffinity {
  public:
    // Refers to the leaf ids of the others and to their members.
    DepthAffinity(const Trees& trees, const LeafIds& others, const Monitor& monitor = Monitor());

    // For each row the k nearest others, nearest first, equally near ones by their number. self[row] is the
    // row's own number among the others, or -1: it is left out.
    void nearest(const LeafIds& rows, std::size_t k, std::span<const std::int64_t> self, int n_threads,
                 Monitor& monitor, double* affinity, std::int64_t* neighbor) const;

    // For rows first .. last-1, the others with an affinity above 0 and of at least this much, ascending by
    // number.
    std::vector<std::vector<Near>> near(const LeafIds& rows, std::size_t first, std::size_t last,
                                        double least, int n_threads, Monitor& monitor) const;

  private:
    class Comparer;

    std::vector<std::vector<OrderedLeaf>> leaves_;     // of each tree, from left to right
    std::vector<std::vector<std::int32_t>> place_of_;  // of each leaf of each tree among them
    LeafIds others_;
};

}  // namespace foliation
