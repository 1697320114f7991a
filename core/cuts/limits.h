// May a node split, is a cut legal, is its gain worth it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace foliation {

struct Limits {
    std::int32_t max_depth = std::numeric_limits<std::int32_t>::max();
    std::int64_t min_samples_split = 2;  // rows
    std::int64_t min_samples_leaf = 1;   // rows
    double min_weight_fraction_leaf = 0.0;
    double min_balance = 0.0;  // of a node's weight, on each side of its cut
    std::int64_t max_leaf_nodes = std::numeric_limits<std::int64_t>::max();
    double min_impurity_decrease = 0.0;

    bool may_split(std::int32_t depth, std::int64_t n_rows) const {
        return depth < max_depth && n_rows >= min_samples_split && n_rows >= 2 * min_samples_leaf;
    }
    // What each side of a cut must weigh. A share of a node is a product, which rounding may have made
    // larger.
    double least_weight(double tree_weight, double node_weight) const {
        return std::max(min_weight_fraction_leaf * tree_weight, (1.0 - 1e-12) * min_balance * node_weight);
    }
    bool legal(std::int64_t left_rows, std::int64_t right_rows, double left_weight, double right_weight,
               double least) const {
        return left_rows >= min_samples_leaf && right_rows >= min_samples_leaf && left_weight >= least &&
               right_weight >= least && left_weight > 0.0 && right_weight > 0.0;
    }
    // Without a least decrease any cut of an impure node will do, also one without gain.
    bool worth(double gain, double rounding, double tree_weight) const {
        return min_impurity_decrease == 0.0 || gain + rounding >= min_impurity_decrease * tree_weight;
    }
};

}  // namespace foliation
