// What leaves hold, filled after growth: a sparse row of (column, value) per leaf. Columns are classes
// with their shares of the leaf's weight (absent classes take no room), or outputs with their means.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/targets.h"
#include "core/trees/tree.h"

namespace foliation {

struct Leaves {
    std::vector<std::int64_t> start;  // entries of leaf l: start[l] .. start[l+1]
    std::vector<std::int32_t> column;
    std::vector<double> value;
    std::vector<double> weight;  // per leaf, of the rows that fill it
};

// leaf_of[i] is the leaf of rows.rows[i]; sums run in the order of rows.
Leaves fill_leaves(const Targets& targets, const NodeRows& rows, std::span<const std::int32_t> leaf_of,
                   std::int32_t n_leaves);

// What an honest tree's leaf holds if no row fills it: what its nearest filled ancestor holds, equal
// shares for all classes, what all rows that fill the tree hold, or nothing.
enum class HonestPrior : int { ancestor = 0, uniform = 1, empirical = 2, ignore = 3 };

Leaves with_prior(const Leaves& leaves, const Tree& tree, const Targets& targets, HonestPrior prior);

// Empty leaves that speak with the rows of others: leaf[k] with those of lender[k], which has the leaves
// from[start[l] .. start[l+1]). Leaves are numbered through all trees. Only for the priors `ancestor` and
// `empirical`.
struct Borrowed {
    std::vector<std::int64_t> leaf, lender, start{0}, from;
};
Borrowed borrowed_leaves(const Trees& trees, std::span<const double> leaf_weight, HonestPrior prior);

// Many trees' leaves one after the other, as the caller holds them.
struct LeafValues {
    std::span<const std::int64_t> start;
    std::span<const std::int32_t> column;
    std::span<const double> value;
};

}  // namespace foliation
