// What a leaf rule must have, and which one targets get.
#include <map>

#include "core/trees/leaf_rule.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

// The weight of the samples, for targets of three outputs.
struct Weight {
    static constexpr const char* kName = "weight";
    static bool fits(const Targets& targets) { return targets.n_outputs == 3; }
    explicit Weight(const Targets&) {}
    template <class Sink>
    void add(std::size_t, double weight, const Sink& sink) const {
        sink(0, weight);
    }
    double value(double sum, double) const { return sum; }
};
struct WithoutValue : Weight {
    using Weight::Weight;
    double value(double, double) const = delete;
};
struct WithoutTargets : Weight {
    WithoutTargets() : Weight(Targets{}) {}
};
static_assert(LeafRule<Weight> && LeafRule<ClassShares> && LeafRule<Means>);
static_assert(!LeafRule<WithoutValue> && !LeafRule<WithoutTargets> && !LeafRule<int>);

// The values of a leaf that holds rows 0 and 1, of weights 1 and 3.
template <LeafRule Rule>
std::map<std::size_t, double> values(const Rule& rule) {
    std::map<std::size_t, double> sums;
    const auto sink = [&](std::size_t column, double amount) { sums[column] += amount; };
    rule.add(0, 1.0, sink);
    rule.add(1, 3.0, sink);
    for (auto& [column, sum] : sums) sum = rule.value(sum, 4.0);
    return sums;
}

using Values = std::map<std::size_t, double>;

}  // namespace

int main() {
    const std::vector<std::int32_t> classes{0, 3, 1, 3};  // two outputs
    const std::vector<double> numbers{1.0, 10.0, 5.0, 20.0};
    const Targets of_classes{classes, {}, 2, 4, {}}, of_numbers{{}, numbers, 2, 2, {}};
    CHECK(values(ClassShares(of_classes)) == Values({{0, 0.25}, {1, 0.75}, {3, 1.0}}));
    CHECK(values(Means(of_numbers)) == Values({{0, 4.0}, {1, 17.5}}));
    Targets none;
    none.n_outputs = 0;
    CHECK(values(Means(none)).empty());
    CHECK(std::holds_alternative<ClassShares>(LeafRules::make(of_classes)));
    CHECK(std::holds_alternative<Means>(LeafRules::make(of_numbers)));

    using Rules = detail::RuleList<Weight, Means>;
    Targets three = of_numbers;
    three.n_outputs = 3;
    const auto chosen = Rules::make(three);  // both fit: the first is taken
    CHECK(std::holds_alternative<Weight>(chosen) && values(std::get<Weight>(chosen)) == Values({{0, 4.0}}));
    CHECK(std::holds_alternative<Means>(Rules::make(of_numbers)));
    CHECK(error_of([&] { Rules::make(of_classes); }) == "no leaf rule fits these targets");
}
