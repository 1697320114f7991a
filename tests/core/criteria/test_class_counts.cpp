#include "core/criteria/class_counts.h"
#include "core/criteria/entropy.h"
#include "core/criteria/gini.h"
#include "tests/core/criteria/check_gains.h"
#include "tests/core/criteria/impurities.h"

using namespace foliation;

namespace {

constexpr std::size_t kClasses = 4;

void test_gains(std::size_t n, bool whole_weights) {
    const NodeData data = make_node(n, n, kClasses, whole_weights);
    const Targets targets = data.class_targets(kClasses);
    check_gains(ClassCounts<Gini>(targets), data,
                [&](const Slots& slots) { return gini_of(class_weights(data, slots, kClasses)); });
    check_gains(ClassCounts<Entropy>(targets), data,
                [&](const Slots& slots) { return entropy_of(class_weights(data, slots, kClasses)); });
}

// Two outputs side by side: impurities are averaged.
void test_outputs() {
    NodeData data = make_node(5, 40, 2, false);
    std::vector<std::int32_t> classes;
    for (std::size_t i = 0; i < 40; ++i) {
        classes.push_back(data.classes[i]);
        classes.push_back(2 + static_cast<std::int32_t>(i % 3));
    }
    const Targets targets{classes, {}, 2, 5, {}};
    check_gains(ClassCounts<Gini>(targets), data, [&](const Slots& slots) {
        std::vector<double> second(3, 0.0);
        for (const std::size_t i : slots) second[i % 3] += data.weights[i];
        return 0.5 * (gini_of(class_weights(data, slots, 2)) + gini_of(second));
    });
}

// Left sides by their class weights are those to which samples were moved.
void test_left_side() {
    const NodeData data = make_node(6, 90, kClasses, true);
    const Targets targets = data.class_targets(kClasses);
    ClassCounts<Gini> criterion(targets);
    criterion.begin(data.node());
    std::vector<std::int32_t> weights(kClasses, 0);
    auto left = criterion.empty_left();
    for (std::size_t slot = 0; slot < 30; ++slot) {
        criterion.move(left, slot);
        weights[static_cast<std::size_t>(data.classes[slot])] +=
            static_cast<std::int32_t>(data.weights[slot]);
    }
    const double gain = criterion.gain(left);
    CHECK(criterion.gain(criterion.left_side(weights.data())) == gain);
    CHECK(criterion.whole_rows() != nullptr && criterion.few_rows() != nullptr);
}

}  // namespace

int main() {
    for (const std::size_t n : {1U, 2U, 3U, 50U, 200U})
        for (const bool whole_weights : {false, true}) test_gains(n, whole_weights);
    test_outputs();
    test_left_side();

    NodeData data = make_node(7, 20, 3, false);
    const Targets targets = data.class_targets(3);
    ClassCounts<Gini> criterion(targets);
    criterion.begin(data.node());
    CHECK(!criterion.pure() && criterion.whole_rows() == nullptr && criterion.few_rows() == nullptr);
    data.classes.assign(20, 2);
    criterion.begin(data.node());
    CHECK(criterion.pure() && close(criterion.impurity(), 0.0));
    CHECK(ClassCounts<Gini>::fits(targets) && !ClassCounts<Gini>::fits(data.value_targets()));
}
