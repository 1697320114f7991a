// What an empty leaf of an honest tree borrows, on a tree written by hand.
//
//              0
//          1       leaf 4 (weight 4)
//       2     leaf 3
//    3    leaf 2 (weight 1)
//  0   1
#include "core/trees/honest_prior.h"
#include "tests/core/check.h"
#include "tests/core/make_trees.h"

using namespace foliation;

namespace {

Tree hand_made() {
    Tree tree;
    tree.children = {1, ~4, 2, ~3, 3, ~2, ~0, ~1};
    tree.threshold = std::vector<double>(4, 0.0);
    tree.n_leaves = 5;
    return tree;
}

// Leaves with one column of this value, none where there is no weight.
Leaves make(const std::vector<double>& weights, const std::vector<double>& values) {
    Leaves leaves;
    LeafSums sums(2);
    for (std::size_t leaf = 0; leaf < weights.size(); ++leaf) {
        if (weights[leaf] > 0.0) sums.add(1, values[leaf]);
        sums.push_to(leaves, weights[leaf], [](double sum) { return sum; });
    }
    return leaves;
}

void test_values() {
    const Tree tree = hand_made();
    const Leaves leaves = make({0, 0, 1, 0, 4}, {0, 0, 10, 0, 20});
    const std::vector<std::int32_t> class_start{0, 2};
    Targets targets;
    targets.n_columns = 2;
    targets.class_start = class_start;
    // Leaves 0, 1 and 3 have a nearest ancestor with samples, and only leaf 2 lies below it.
    CHECK(with_prior(leaves, tree, targets, HonestPrior::ancestor).value ==
          std::vector<double>({10, 10, 10, 10, 20}));
    CHECK(with_prior(leaves, tree, targets, HonestPrior::empirical).value ==
          std::vector<double>({18, 18, 10, 18, 20}));
    CHECK(with_prior(leaves, tree, targets, HonestPrior::uniform).value ==
          std::vector<double>({0.5, 0.5, 0.5, 0.5, 10, 0.5, 0.5, 20}));
    CHECK(with_prior(leaves, tree, targets, HonestPrior::ignore).value == leaves.value);
    const Leaves full = make({1, 1, 1, 1, 1}, {1, 2, 3, 4, 5});
    CHECK(with_prior(full, tree, targets, HonestPrior::ancestor).value == full.value);
    // Only leaf 4 has samples: all others go up to the root.
    CHECK(with_prior(make({0, 0, 0, 0, 2}, {0, 0, 0, 0, 7}), tree, targets, HonestPrior::ancestor).value ==
          std::vector<double>(5, 7.0));
    CHECK(with_prior(leaves, tree, targets, HonestPrior::ancestor).weight == leaves.weight);
}

// The same tree behind one without splits.
void test_borrowed() {
    AxisTrees trees;
    trees.add({});
    trees.add({{0, 0.0, 1, ~4}, {0, 0.0, 2, ~3}, {0, 0.0, 3, ~2}, {0, 0.0, ~0, ~1}});
    const std::vector<double> weights{0, 0, 0, 1, 0, 4};
    const auto near = borrowed_values(trees.trees(), weights, HonestPrior::ancestor);
    CHECK(near.leaf == std::vector<std::int64_t>({1, 2, 4}));
    CHECK(near.node == std::vector<std::int64_t>({0, 0, 1}));  // splits 2 and 1
    CHECK(near.start == std::vector<std::int64_t>({0, 1, 2}) &&
          near.from == std::vector<std::int64_t>({3, 3}));
    const auto all = borrowed_values(trees.trees(), weights, HonestPrior::empirical);
    CHECK(all.leaf == near.leaf && all.node == std::vector<std::int64_t>({0, 0, 0}));
    CHECK(std::vector(all.from.rbegin(), all.from.rend()) == std::vector<std::int64_t>({3, 5}) ||
          all.from == std::vector<std::int64_t>({3, 5}));
}

// As a file may say: a tree without samples has nothing to lend, also not from memory before its root.
void test_nothing_to_borrow() {
    AxisTrees trees;
    trees.add({{0, 0.0, 1, ~2}, {0, 0.0, ~0, ~1}});
    for (const auto prior : {HonestPrior::ancestor, HonestPrior::empirical}) {
        const auto none = borrowed_values(trees.trees(), std::vector<double>{0, 0, 0}, prior);
        CHECK(none.leaf == std::vector<std::int64_t>({0, 1, 2}));
        CHECK(none.node == std::vector<std::int64_t>({0, 0, 0}));
        CHECK(none.start == std::vector<std::int64_t>({0, 0}) && none.from.empty());
    }
}

}  // namespace

int main() {
    test_values();
    test_borrowed();
    test_nothing_to_borrow();
}
