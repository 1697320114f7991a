// The criteria a forest can grow by. To register one, add it to Criterion. Every criterion offers
//   kName, fits(targets)       what the estimators call it; of one name, the first that fits is taken
//   begin(node)                reads the targets of the node's rows
//   pure(), weight(), impurity()    of the node (impurity times weight)
//   Left, empty_left(), move(left, slot)    the left side of a cut; moves one row there
//   gain(left)                 decrease of impurity times weight
//   cannot_beat(left, bound)      not gain(left) > bound, found as cheaply as can be
//   bin_width(), add_to_bin(slot, bin), move_bin(left, bin)    the same by bins; returns the weight moved
// except Clusters, which has several names, and reads projected values instead of targets: a whole projection
// at a time, in order.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core/criteria/clusters.h"
#include "core/criteria/entropy.h"
#include "core/criteria/gini.h"
#include "core/criteria/squared_error.h"

namespace foliation {

using Criterion = std::variant<TwoClasses<Gini>, TwoClasses<Entropy>, ClassCounts<Gini>, ClassCounts<Entropy>,
                               SquaredError, Clusters>;

struct CriterionRules {
    std::string name = "gini";
    double variance_floor = 0.0;  // of clusters
    Isa isa = Isa::baseline;
};

namespace detail {
template <class... Members>
Criterion make_named(std::string_view name, const Targets& targets, const std::variant<Members...>*) {
    std::optional<Criterion> found;
    const auto offer = [&]<class Member>(std::type_identity<Member>) {
        if constexpr (requires { Member::kName; })
            if (!found && name == Member::kName && Member::fits(targets)) found.emplace(Member(targets));
    };
    (offer(std::type_identity<Members>{}), ...);
    if (!found) throw std::invalid_argument("unknown criterion " + std::string(name));
    return *std::move(found);
}
}  // namespace detail

inline Criterion make_criterion(const CriterionRules& rules, const Targets& targets) {
    if (const auto rule = cluster_rule(rules.name)) return Clusters(*rule, rules.variance_floor, rules.isa);
    return detail::make_named(rules.name, targets, static_cast<const Criterion*>(nullptr));
}

}  // namespace foliation
