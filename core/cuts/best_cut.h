// The best cut so far, and what another must pass to replace it.
//
// A cut must beat what is there by more than a rounding error (kTie of the node's impurity), so that sums in
// another order cannot change the tree.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/base/numbers.h"
#include "core/cuts/limits.h"

namespace foliation {

struct Cut {
    bool found = false;
    double threshold = 0.0;
    double gain = -std::numeric_limits<double>::infinity();
};

// Where a value goes at a split: growth, routing and prediction all ask here.
template <class V>
constexpr bool goes_left(V value, std::type_identity_t<V> threshold) {
    return value <= threshold;
}

class BestCut {
  public:
    explicit BestCut(const Limits& limits) : limits_(limits) {}

    void begin_tree(double tree_weight) { tree_weight_ = tree_weight; }
    // Starts with a cut of this node, which has that many rows.
    void begin(const Cut& cut, std::size_t n_rows, double impurity) {
        cut_ = cut;
        bound_ = cut.gain + kTie * impurity;
        n_rows_ = n_rows;
    }

    const Cut& cut() const { return cut_; }
    double bound() const { return bound_; }  // what a gain must pass
    template <class C>
    double least_weight(const C& criterion) const {
        return limits_.least_weight(tree_weight_, criterion.weight());
    }

    // Takes the cut with this left side of n_left rows, if it is legal and beats the best so far.
    template <class C, class Threshold>
    void consider(const C& criterion, const typename C::Left& left, std::size_t n_left,
                  const Threshold& threshold) {
        if (criterion.cannot_beat(left, bound_)) return;
        if (!limits_.legal(static_cast<std::int64_t>(n_left), static_cast<std::int64_t>(n_rows_ - n_left),
                           left.weight, criterion.weight() - left.weight, least_weight(criterion)))
            return;
        cut_ = {true, threshold(), criterion.gain(left)};
        bound_ = cut_.gain + kTie * criterion.impurity();
    }

    // Takes the best cut by a criterion that has read the values of all rows in order, if it is legal and
    // beats the best so far. The rows are this share of their node, to which limits are relative.
    template <class C>
    void consider_values(C& criterion, double share) {
        Limits limits = limits_;
        limits.min_samples_leaf =
            static_cast<std::int64_t>(std::ceil(share * static_cast<double>(limits.min_samples_leaf)));
        const double least = limits.least_weight(share * tree_weight_, criterion.weight());
        const auto legal = [&](std::size_t n_left) {
            const double left = criterion.left_weight(n_left);
            return limits.legal(static_cast<std::int64_t>(n_left),
                                static_cast<std::int64_t>(n_rows_ - n_left), left, criterion.weight() - left,
                                least);
        };
        std::size_t first = 1, last = n_rows_ - 1;
        while (first <= last && !legal(first)) ++first;
        while (first <= last && !legal(last)) --last;
        if (const auto found = criterion.best_cut(first, last, bound_))
            cut_ = {true, found->threshold, found->gain};
    }

  private:
    Limits limits_;
    double tree_weight_ = 1.0;
    Cut cut_;
    double bound_ = 0.0;
    std::size_t n_rows_ = 0;
};

}  // namespace foliation
