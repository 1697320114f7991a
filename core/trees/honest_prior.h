// The value of a leaf that receives no estimation samples, in an honest tree.
#pragma once

#include "core/trees/leaves.h"
#include "core/trees/tree.h"

namespace foliation {

// The value of its nearest ancestor with estimation samples, equal shares of all classes, the value of the
// whole tree, or none (the tree has no prediction there).
enum class HonestPrior : int { ancestor = 0, uniform = 1, empirical = 2, ignore = 3 };

Leaves with_prior(const Leaves& leaves, const Tree& tree, const Targets& targets, HonestPrior prior,
                  const Monitor& monitor = Monitor());

// Which leaves borrow values: empty leaf[k] has those of the prior node number node[k], whose estimation
// samples lie in the leaves lender[first[n] .. last[n]). A lender is there once, for all prior nodes above
// it. Leaves are numbered through all trees. Only for the priors `ancestor` and `empirical`.
struct BorrowedValues {
    std::vector<std::int64_t> leaf, node, first, last, lender;
};
BorrowedValues borrowed_values(const Trees& trees, std::span<const double> leaf_weight, HonestPrior prior,
                               const Monitor& monitor = Monitor());

}  // namespace foliation
