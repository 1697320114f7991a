#include "core/forest/importance.h"
#include "tests/core/check.h"
#include "tests/core/make.h"
#include "tests/core/make_trees.h"

using namespace foliation;

namespace {

// Splits of gains 3 and 1 by features 0 and 1 and one without gain; no split; one split by feature 1.
void test_features() {
    const AxisTrees trees = three_trees();
    const Dictionary dictionary{{Axis{3}}, {1.0}, 3};
    Monitor monitor;
    CHECK(importance(dictionary, trees.trees(), Importance::count, monitor) == std::vector({1.0, 3.0, 0.0}));
    const auto shares = importance(dictionary, trees.trees(), Importance::gain, monitor);
    CHECK(close(shares[0], 0.5 * 0.75) && close(shares[1], 0.5 * (0.25 + 1.0)) && shares[2] == 0.0);
}

// The gain of a split is shared out by absolute weight; gains below zero count as none.
void test_weights() {
    const Dictionary dictionary{
        {Atoms::make({0, 3, 4}, {0, 1, 2, 1}, {1.0, -2.0, 5.0, -9.0}, {0.5, 1.0})}, {1.0}, 3};
    AxisTrees trees;
    trees.add({{0, 0.0, 1, ~2, 6.0F}, {1, 0.0, ~0, ~1, 2.0F}});
    trees.add({{1, 0.0, ~0, ~1, -4.0F}});
    Monitor monitor;
    const auto shares = importance(dictionary, trees.trees(), Importance::gain, monitor);
    CHECK(close(shares[0], 6.0 / 8.0 / 8.0) && close(shares[1], (12.0 / 8.0 + 2.0) / 8.0) &&
          close(shares[2], 30.0 / 64.0));
    CHECK(importance(dictionary, trees.trees(), Importance::count, monitor) == std::vector({1.0, 3.0, 1.0}));
}

}  // namespace

int main() {
    test_features();
    test_weights();
    AxisTrees none;
    none.add({});
    Monitor monitor;
    CHECK(importance({{Axis{2}}, {1.0}, 2}, none.trees(), Importance::gain, monitor) ==
          std::vector({0.0, 0.0}));
}
