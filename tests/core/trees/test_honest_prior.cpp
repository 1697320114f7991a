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

// The leaves that lend to the prior node number n, in the order in which they are summed.
std::vector<std::int64_t> lenders(const BorrowedValues& borrowed, std::size_t n) {
    return {borrowed.lender.begin() + borrowed.first[n], borrowed.lender.begin() + borrowed.last[n]};
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
    CHECK(near.first.size() == 2 && lenders(near, 0) == std::vector<std::int64_t>({3}));
    CHECK(lenders(near, 1) == lenders(near, 0));
    const auto all = borrowed_values(trees.trees(), weights, HonestPrior::empirical);
    CHECK(all.leaf == near.leaf && all.node == std::vector<std::int64_t>({0, 0, 0}));
    CHECK(all.first.size() == 1 && lenders(all, 0) == std::vector<std::int64_t>({5, 3}));
}

// Two trees: sums run over the leaves of a split, then over those below its right child, then its left one.
//
//             0                   0
//        1         2            0   1
//      3   0     1   4
//     2 3           4 5
void test_order_of_lenders() {
    AxisTrees trees;
    trees.add({{0, 0.0, 1, 2}, {0, 0.0, 3, ~0}, {0, 0.0, ~1, 4}, {0, 0.0, ~2, ~3}, {0, 0.0, ~4, ~5}});
    trees.add({{0, 0.0, ~0, ~1}});
    const std::vector<double> weights{0, 1, 1, 1, 0, 1, 0, 1};
    const auto borrowed = borrowed_values(trees.trees(), weights, HonestPrior::ancestor);
    CHECK(borrowed.leaf == std::vector<std::int64_t>({0, 4, 6}));
    CHECK(borrowed.node == std::vector<std::int64_t>({0, 1, 2}));
    CHECK(lenders(borrowed, 0) == std::vector<std::int64_t>({2, 3}));
    CHECK(lenders(borrowed, 1) == std::vector<std::int64_t>({5}));
    CHECK(lenders(borrowed, 2) == std::vector<std::int64_t>({7}));
    const auto all = borrowed_values(trees.trees(), weights, HonestPrior::empirical);
    CHECK(lenders(all, 0) == std::vector<std::int64_t>({1, 5, 2, 3}));
    CHECK(lenders(all, 1) == std::vector<std::int64_t>({7}));
}

// A tree as deep as it has splits; leaf k hangs from split k, and every other leaf is empty.
struct DeepTree {
    static constexpr std::int32_t kSplits = 200'000;
    AxisTrees trees;
    std::vector<double> weights;

    DeepTree() : weights(kSplits + 1) {
        std::vector<AxisSplit> splits;
        for (std::int32_t s = 0; s < kSplits; ++s)
            splits.push_back({0, 0.0, ~s, s + 1 < kSplits ? s + 1 : ~kSplits});
        trees.add(splits);
        for (std::size_t leaf = 1; leaf < weights.size(); leaf += 2) weights[leaf] = 1.0;
    }
};

// Every empty leaf of a deep tree has a prior node of its own, with leaves down to the end.
void test_deep_tree() {
    const DeepTree deep;
    const auto borrowed = borrowed_values(deep.trees.trees(), deep.weights, HonestPrior::ancestor);
    CHECK(borrowed.leaf.size() == static_cast<std::size_t>(DeepTree::kSplits / 2 + 1));
    CHECK(borrowed.first.size() == borrowed.leaf.size());
    CHECK(borrowed.lender.size() == DeepTree::kSplits / 2);
    CHECK(lenders(borrowed, 0).size() == DeepTree::kSplits / 2);
    CHECK(lenders(borrowed, borrowed.first.size() - 1).size() == 1);
}

// Ctrl-C is heard while a tree is at work.
void test_stop() {
    const DeepTree deep;
    Tree tree;
    tree.children = deep.trees.children;
    tree.threshold = deep.trees.threshold;
    tree.n_leaves = DeepTree::kSplits + 1;
    const Leaves leaves = make(deep.weights, deep.weights);
    Targets targets;
    targets.n_columns = 2;
    const auto is_left = [&](const auto& work) {
        int n_ticks = 0;
        const Monitor monitor([&](std::int64_t) { return ++n_ticks == 1; });
        try {
            const InCaller in_caller(monitor);
            work(monitor);
        } catch (const Stopped&) {
            return true;
        }
        return false;
    };
    CHECK(is_left(
        [&](const Monitor& monitor) { with_prior(leaves, tree, targets, HonestPrior::ancestor, monitor); }));
    CHECK(is_left([&](const Monitor& monitor) {
        while (true) borrowed_values(deep.trees.trees(), deep.weights, HonestPrior::ancestor, monitor);
    }));
}

// As a file may say: a tree without samples has nothing to lend, also not from memory before its root.
void test_nothing_to_borrow() {
    AxisTrees trees;
    trees.add({{0, 0.0, 1, ~2}, {0, 0.0, ~0, ~1}});
    for (const auto prior : {HonestPrior::ancestor, HonestPrior::empirical}) {
        const auto none = borrowed_values(trees.trees(), std::vector<double>{0, 0, 0}, prior);
        CHECK(none.leaf == std::vector<std::int64_t>({0, 1, 2}));
        CHECK(none.node == std::vector<std::int64_t>({0, 0, 0}));
        CHECK(none.first.size() == 1 && lenders(none, 0).empty());
    }
}

}  // namespace

int main() {
    test_values();
    test_borrowed();
    test_order_of_lenders();
    test_deep_tree();
    test_stop();
    test_nothing_to_borrow();
}
