#include "core/criteria/entropy.h"
#include "core/criteria/gini.h"
#include "core/criteria/two_classes.h"
#include "tests/core/criteria/check_gains.h"
#include "tests/core/criteria/impurities.h"

using namespace foliation;

namespace {

// The share of samples that are not of the most frequent class, by the larger of both weights.
struct Misclassified {
    static constexpr const char* kName = "misclassified";
    double term(double weight) const { return weight * weight; }
    // The sum of two squares and the sum of both tell the smaller one.
    double total(double weight, double squares, double) const {
        return 0.5 * (weight - std::sqrt(std::max(0.0, 2.0 * squares - weight * weight)));
    }
};
struct WithoutTerm : Misclassified {
    double term(double) const = delete;
};
static_assert(ClassImpurity<Misclassified> && ClassImpurity<Gini> && ClassImpurity<Entropy>);
static_assert(!ClassImpurity<WithoutTerm> && !ClassImpurity<int>);
static_assert(kSumsSquares<Gini> && !kSumsSquares<Entropy> && !kSumsSquares<Misclassified>);

template <class Impurity, class Brute>
void test(const Brute& brute) {
    for (const std::size_t n : {1U, 2U, 30U, 200U})
        for (const bool whole_weights : {false, true}) {
            const NodeData data = make_node(n, n, 2, whole_weights);
            const Targets targets = data.class_targets(2);
            check_gains(TwoClasses<Impurity>(targets), data,
                        [&](const Slots& slots) { return brute(class_weights(data, slots, 2)); });
        }
}

}  // namespace

int main() {
    test<Gini>(gini_of);
    test<Entropy>(entropy_of);
    test<Misclassified>([](const std::vector<double>& weights) { return std::min(weights[0], weights[1]); });

    NodeData data = make_node(3, 80, 2, true);
    const Targets targets = data.class_targets(2);
    TwoClasses<Gini> criterion(targets);
    criterion.begin(data.node());
    CHECK(!criterion.pure() && criterion.whole_rows() != nullptr);
    const std::vector<std::int32_t> weights{3, 5};
    CHECK(criterion.left_side(weights.data()).weight == 8.0 &&
          criterion.left_side(weights.data()).ones == 5.0);
    const auto all = criterion.class_weights();
    CHECK(all[0] + all[1] == criterion.weight() && all[0] > 0.0 && all[1] > 0.0);
    for (const std::int32_t only : {0, 1}) {
        data.classes.assign(80, only);
        criterion.begin(data.node());
        CHECK(criterion.pure() && criterion.impurity() == 0.0);
    }
    CHECK(TwoClasses<Gini>::fits(targets) && !TwoClasses<Gini>::fits(data.class_targets(3)));
    CHECK(!TwoClasses<Gini>::fits(data.value_targets()));
}
