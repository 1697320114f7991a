// The criteria a forest can grow by. To register an impurity of classes (ClassImpurity, two_classes.h), add
// it to Criterion; to register a criterion of another kind, add it to the variant Criteria.
//
// A criterion over targets (TargetCriterion) offers
//   kName, fits(targets)       its name; of one name, the first that fits is taken
//   begin(node)                reads the targets of the node's samples
//   pure(), weight(), impurity()    of the node (impurity times weight)
//   Left, empty_left(), move(left, slot)    the left side of a cut; moves one sample there
//   gain(left)                 decrease of impurity times weight
//   cannot_beat(left, bound)   not gain(left) > bound, found as cheaply as possible
//   bin_width(), add_to_bin(slot, bin), move_bin(left, bin)    the same by bins; returns the weight moved
// A criterion over values (ValueCriterion) reads a whole projection at a time, in order, instead of targets:
//   begin(node), pure(), weight(), impurity()    as above
//   read(values, slots, n)     one projection, ascending
//   left_weight(n_left), best_cut(n_first, n_last, bound)
//   cluster_level()            a larger gain shows clusters
#pragma once

#include <concepts>
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

template <class... Impurities>
using Criteria = std::variant<TwoClasses<Impurities>..., ClassCounts<Impurities>..., SquaredError, Clusters>;

using Criterion = Criteria<Gini, Entropy>;

template <class C>
concept TargetCriterion = std::constructible_from<C, const Targets&> &&
                          requires(C criterion, const C fixed, const Targets& targets, const NodeRows& node,
                                   typename C::Left left, double* bin) {
                              { C::kName } -> std::convertible_to<const char*>;
                              { C::fits(targets) } -> std::same_as<bool>;
                              criterion.begin(node);
                              { fixed.pure() } -> std::same_as<bool>;
                              { fixed.weight() } -> std::same_as<double>;
                              { fixed.impurity() } -> std::same_as<double>;
                              { criterion.empty_left() } -> std::same_as<typename C::Left>;
                              criterion.move(left, std::size_t{});
                              { fixed.gain(left) } -> std::same_as<double>;
                              { fixed.cannot_beat(left, 0.0) } -> std::same_as<bool>;
                              { fixed.bin_width() } -> std::same_as<std::size_t>;
                              fixed.add_to_bin(std::size_t{}, bin);
                              { criterion.move_bin(left, bin) } -> std::same_as<double>;
                          };

template <class C>
concept ValueCriterion = requires(C criterion, const C fixed, const NodeRows& node, const double* values,
                                  const std::uint32_t* slots) {
    criterion.begin(node);
    { fixed.pure() } -> std::same_as<bool>;
    { fixed.weight() } -> std::same_as<double>;
    { fixed.impurity() } -> std::same_as<double>;
    criterion.read(values, slots, std::size_t{});
    { fixed.left_weight(std::size_t{}) } -> std::same_as<double>;
    criterion.best_cut(std::size_t{}, std::size_t{}, double{});
    { fixed.cluster_level() } -> std::same_as<double>;
};

namespace detail {
// One assertion for each criterion, so that the compiler says which one lacks what.
template <class C>
constexpr bool is_criterion() {
    if constexpr (requires { C::kName; } || requires { typename C::Left; }) {
        static_assert(TargetCriterion<C>, "a criterion lacks what core/criteria/criterion.h asks for");
    } else {
        static_assert(ValueCriterion<C>, "a criterion lacks what core/criteria/criterion.h asks for");
    }
    return true;
}
template <class... Members>
constexpr bool are_criteria(const std::variant<Members...>*) {
    return (is_criterion<Members>() && ...);
}
static_assert(are_criteria(static_cast<const Criterion*>(nullptr)));
}  // namespace detail

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

// The names of all criteria, by what they read.
struct CriterionNames {
    std::vector<std::string> of_classes, of_numbers, of_clusters;
};

namespace detail {
// The criteria that fit, each name once.
template <class... Members>
std::vector<std::string> names_for(const Targets& targets, const std::variant<Members...>*) {
    std::vector<std::string> names;
    const auto offer = [&]<class Member>(std::type_identity<Member>) {
        if constexpr (requires { Member::kName; })
            if (Member::fits(targets) && std::find(names.begin(), names.end(), Member::kName) == names.end())
                names.emplace_back(Member::kName);
    };
    (offer(std::type_identity<Members>{}), ...);
    return names;
}
}  // namespace detail

inline CriterionNames criterion_names() {
    constexpr std::int32_t kClass = 0;
    constexpr double kNumber = 0.0;
    const auto* any = static_cast<const Criterion*>(nullptr);
    return {detail::names_for({.classes = {&kClass, 1}, .values = {}, .class_start = {}}, any),
            detail::names_for({.classes = {}, .values = {&kNumber, 1}, .class_start = {}}, any),
            cluster_rule_names()};
}

}  // namespace foliation
