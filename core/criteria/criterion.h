// The criteria a forest can grow by. To register one, add it to Criterion and to make_criterion.
// Every criterion offers
//   begin(node)            reads the targets of the node's rows
//   pure(), weight(), impurity()    of the node (impurity times weight)
//   reset(), move(slot)    empties the left side; moves one row there
//   left_weight(), gain()  of the cut as it stands: decrease of impurity times weight
//   bin_width(), add_to_bin(slot, bin), move_bin(bin)    the same by histogram bins
#pragma once

#include <stdexcept>
#include <variant>

#include "entropy.h"
#include "gini.h"
#include "squared_error.h"

namespace foliation {

enum class CriterionName : int { gini = 0, entropy = 1, squared_error = 2 };

using Criterion = std::variant<Gini, Entropy, SquaredError>;

inline Criterion make_criterion(CriterionName name, const Targets& targets) {
    switch (name) {
        case CriterionName::gini: return Gini(targets);
        case CriterionName::entropy: return Entropy(targets);
        case CriterionName::squared_error: return SquaredError(targets);
    }
    throw std::invalid_argument("unknown criterion");
}

}  // namespace foliation
