// What a leaf holds, as a function of the targets of its estimation samples.
//
// A leaf rule offers
//   kName                      what errors and documentation call it
//   fits(targets)              whether it applies; the first rule of LeafRules that fits is taken
//   Rule(targets)
//   add(row, weight, sink)     calls sink(column, amount) for all that a sample adds to the leaf's sums
//   value(sum, weight)         the value of a column, from its sum and the weight of the leaf's samples
// To register a rule, add it to LeafRules. Columns that no sample touches take no memory.
#pragma once

#include <concepts>
#include <stdexcept>
#include <variant>

#include "core/data/targets.h"

namespace foliation {

namespace detail {
struct AnyColumnSink {
    void operator()(std::size_t, double) const {}
};
}  // namespace detail

template <class R>
concept LeafRule =
    std::constructible_from<R, const Targets&> && requires(const R rule, const Targets& targets) {
        { R::kName } -> std::convertible_to<const char*>;
        { R::fits(targets) } -> std::same_as<bool>;
        rule.add(std::size_t{}, double{}, detail::AnyColumnSink{});
        { rule.value(double{}, double{}) } -> std::same_as<double>;
    };

// Columns are the classes of all outputs, values their shares of the leaf's weight.
class ClassShares {
  public:
    static constexpr const char* kName = "class_shares";
    static bool fits(const Targets& targets) { return targets.classification(); }

    explicit ClassShares(const Targets& targets) : targets_(&targets) {}
    template <class Sink>
    void add(std::size_t row, double weight, const Sink& sink) const {
        const auto n_outputs = static_cast<std::size_t>(targets_->n_outputs);
        for (std::size_t o = 0; o < n_outputs; ++o)
            sink(static_cast<std::size_t>(targets_->classes[row * n_outputs + o]), weight);
    }
    double value(double sum, double weight) const { return sum / weight; }

  private:
    const Targets* targets_;
};

// Columns are the outputs, values their weighted means. Without outputs a leaf holds nothing: in a geodesic
// forest only who shares it counts.
class Means {
  public:
    static constexpr const char* kName = "means";
    static bool fits(const Targets& targets) { return !targets.classification(); }

    explicit Means(const Targets& targets) : targets_(&targets) {}
    template <class Sink>
    void add(std::size_t row, double weight, const Sink& sink) const {
        const auto n_outputs = static_cast<std::size_t>(targets_->n_outputs);
        for (std::size_t o = 0; o < n_outputs; ++o) sink(o, weight * targets_->values[row * n_outputs + o]);
    }
    double value(double sum, double weight) const { return sum / weight; }

  private:
    const Targets* targets_;
};

namespace detail {
// One assertion for each rule, so that the compiler says which one lacks what.
template <class R>
constexpr bool is_leaf_rule() {
    static_assert(LeafRule<R>, "a member of LeafRules lacks what core/trees/leaf_rule.h asks for");
    return true;
}
template <class... Rules>
struct RuleList {
    static_assert((is_leaf_rule<Rules>() && ...));
    using Variant = std::variant<Rules...>;
    static Variant make(const Targets& targets) {
        std::variant<std::monostate, Rules...> chosen;
        const auto offer = [&]<class Rule>(std::type_identity<Rule>) {
            if (chosen.index() == 0 && Rule::fits(targets)) chosen.template emplace<Rule>(targets);
        };
        (offer(std::type_identity<Rules>{}), ...);
        return std::visit(
            []<class Rule>(const Rule& rule) -> Variant {
                if constexpr (std::same_as<Rule, std::monostate>) {
                    throw std::invalid_argument("no leaf rule fits these targets");
                } else {
                    return rule;
                }
            },
            chosen);
    }
};
}  // namespace detail

using LeafRules = detail::RuleList<ClassShares, Means>;

}  // namespace foliation
