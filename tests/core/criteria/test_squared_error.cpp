#include "core/criteria/squared_error.h"
#include "tests/core/criteria/check_gains.h"

using namespace foliation;

namespace {

// The weighted sum of squares around the mean, averaged over the outputs.
double error_of_mean(const NodeData& data, const Slots& slots, std::size_t n_outputs) {
    double error = 0.0;
    for (std::size_t o = 0; o < n_outputs; ++o) {
        const auto value = [&](std::size_t i) { return data.values[i * n_outputs + o]; };
        double weight = 0.0, mean = 0.0;
        for (const std::size_t i : slots) weight += data.weights[i];
        for (const std::size_t i : slots) mean += data.weights[i] * (value(i) / weight);
        for (const std::size_t i : slots) error += data.weights[i] * (value(i) - mean) * (value(i) - mean);
    }
    return error / static_cast<double>(n_outputs);
}

void test_gains(std::size_t n, std::int32_t n_outputs) {
    NodeData data = make_node(n, n, 2, false);
    data.values = normals(n, n * static_cast<std::size_t>(n_outputs));
    const Targets targets{{}, data.values, n_outputs, n_outputs, {}};
    check_gains(SquaredError(targets), data, [&](const Slots& slots) {
        return error_of_mean(data, slots, static_cast<std::size_t>(n_outputs));
    });
}

// Small differences at a large level are not lost.
void test_level() {
    NodeData data = make_node(1, 4, 2, true);
    data.weights = {1.0, 1.0, 1.0, 1.0};
    data.values = {1e9, 1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0};
    const Targets targets = data.value_targets();
    SquaredError criterion(targets);
    criterion.begin(data.node());
    CHECK(criterion.impurity() == 5.0);
    auto left = criterion.empty_left();
    criterion.move(left, 0);
    criterion.move(left, 1);
    CHECK(criterion.gain(left) == 4.0 && !criterion.pure());
    data.values.assign(4, 0.1);
    criterion.begin(data.node());
    CHECK(criterion.pure() && criterion.impurity() == 0.0);
}

}  // namespace

int main() {
    for (const std::size_t n : {1U, 2U, 3U, 60U})
        for (const std::int32_t n_outputs : {1, 2, 5}) test_gains(n, n_outputs);
    test_level();
    const NodeData data = make_node(1, 3, 2, true);
    CHECK(SquaredError::fits(data.value_targets()) && !SquaredError::fits(data.class_targets(2)));
}
