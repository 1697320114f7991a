// The criteria a forest can grow by. To register one, add it to Criterion. Every criterion offers
//   kName                  what the estimators call it
//   begin(node)            reads the targets of the node's rows
//   pure(), weight(), impurity()    of the node (impurity times weight)
//   reset(), move(slot)    empties the left side; moves one row there
//   left_weight(), gain()  of the cut as it stands: decrease of impurity times weight
//   bin_width(), add_to_bin(slot, bin), move_bin(bin)    the same by histogram bins
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "entropy.h"
#include "gini.h"
#include "squared_error.h"

namespace foliation {

using Criterion = std::variant<Gini, Entropy, SquaredError>;

namespace detail {
template <class... Members>
Criterion make_named(std::string_view name, const Targets& targets, const std::variant<Members...>*) {
    std::optional<Criterion> found;
    ((name == Members::kName ? void(found.emplace(Members(targets))) : void()), ...);
    if (!found) throw std::invalid_argument("unknown criterion " + std::string(name));
    return *std::move(found);
}
}  // namespace detail

inline Criterion make_criterion(std::string_view name, const Targets& targets) {
    return detail::make_named(name, targets, static_cast<const Criterion*>(nullptr));
}

}  // namespace foliation
