// Which rows share leaves, counted leaf by leaf: the work is the number of pairs that share one, never the
// number of all pairs.
//
// Rows take part in all trees, or in some: those that drew them, or those that did not. The proximity of two
// rows is the share of trees with both of them in one leaf among the trees in which both take part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/proximity/compare.h"

namespace foliation {

class LeafIndex {
  public:
    // leaf_start as in Trees. The index refers to members, not to leaves.
    LeafIndex(const LeafIds& rows, std::span<const std::int64_t> leaf_start, int n_threads, Monitor& monitor);

    std::size_t n_rows() const { return n_rows_; }
    std::size_t n_trees() const { return leaf_start_.size() - 1; }

    // How many pairs the rows make with those of the index.
    double n_pairs(const LeafIds& rows, const Monitor& monitor = Monitor()) const;

    // For each row the k nearest of the index, nearest first, equally near ones by their number; those that
    // never meet it come last. self[row] is the row's own number in the index, or -1: it is left out.
    void nearest(const LeafIds& rows, std::size_t k, std::span<const std::int64_t> self, int n_threads,
                 Monitor& monitor, double* proximity, std::int64_t* neighbor) const;

    // For rows first .. last-1, those of the index that meet them with at least this proximity, ascending by
    // number.
    std::vector<std::vector<Near>> near(const LeafIds& rows, std::size_t first, std::size_t last,
                                        double least, int n_threads, Monitor& monitor) const;

  private:
    template <class Count>
    class CoOccurrence;

    template <class Visit>
    void with_co_occurrence(const Visit& visit) const;

    std::span<const std::int32_t> rows_of(std::size_t tree, std::int32_t leaf) const {
        const auto at = static_cast<std::size_t>(leaf_start_[tree] + leaf);
        return std::span(rows_).subspan(static_cast<std::size_t>(start_[at]),
                                        static_cast<std::size_t>(start_[at + 1] - start_[at]));
    }

    std::size_t n_rows_;
    const Membership* members_;
    std::vector<std::int64_t> leaf_start_;
    std::vector<std::int64_t> start_;  // of each leaf of all trees, among rows_
    std::vector<std::int32_t> rows_;   // ascending within a leaf
};

}  // namespace foliation
