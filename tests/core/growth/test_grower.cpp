// Grown trees send their own samples where growth has put them, and keep their limits.
#include <algorithm>

#include "core/growth/grower.h"
#include "tests/core/check.h"
#include "tests/core/make_growth.h"

using namespace foliation;

namespace {

GrowthProblem make() { return {normals(1, 300), 3, whole_numbers<std::int32_t>(2, 100, 0, 2)}; }

std::int32_t leaf_of(const Tree& tree, const double* row) {
    std::int32_t at = tree.n_splits() > 0 ? 0 : ~0;
    while (at >= 0) {
        const auto s = static_cast<std::size_t>(at);
        at = tree.children[2 * s + (row[tree.atom_words[s]] <= tree.threshold[s] ? 0 : 1)];
    }
    return ~at;
}

void check_tree(const GrowthProblem& problem, const Grown& grown) {
    const Tree& tree = grown.tree;
    CHECK(tree.n_leaves == static_cast<std::int32_t>(tree.n_splits()) + 1);
    CHECK(tree.children.size() == 2 * tree.n_splits() && tree.gain.size() == tree.n_splits());
    for (std::size_t i = 0; i < problem.classes.size(); ++i)
        CHECK(grown.leaf_of[i] == leaf_of(tree, problem.x.data() + 3 * i));
}

void test_full() {
    const GrowthProblem problem = make();
    const Grown grown = problem.grow();
    check_tree(problem, grown);
    for (std::size_t i = 0; i < 100; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (grown.leaf_of[i] == grown.leaf_of[j]) CHECK(problem.classes[i] == problem.classes[j]);
}

void test_limits() {
    GrowthProblem problem = make();
    problem.rules.cut.limits.max_depth = 1;
    CHECK(problem.grow().tree.n_leaves == 2);
    problem.rules.cut.limits.max_depth = 2;
    CHECK(problem.grow().tree.n_leaves > 2 && problem.grow().tree.n_leaves <= 4);
    problem.rules.cut.limits.min_samples_leaf = 20;
    const Grown grown = problem.grow();
    check_tree(problem, grown);
    for (std::int32_t leaf = 0; leaf < grown.tree.n_leaves; ++leaf)
        CHECK(std::count(grown.leaf_of.begin(), grown.leaf_of.end(), leaf) >= 20);
}

// By gain, the same splits are made, the largest gains first among those that can be made.
void test_best_first() {
    GrowthProblem problem = make();
    std::vector<double> all = problem.grow().tree.threshold;
    for (const std::int64_t most : {2, 5, 1000}) {
        problem.rules.cut.limits.max_leaf_nodes = most;
        const Grown grown = problem.grow();
        check_tree(problem, grown);
        CHECK(grown.tree.n_leaves == std::min(most, std::ssize(all) + 1));
        for (const double threshold : grown.tree.threshold)
            CHECK(std::find(all.begin(), all.end(), threshold) != all.end());
        for (std::size_t s = 2; s < grown.tree.n_splits(); ++s) {
            const auto& children = grown.tree.children;
            const auto parent = (std::find(children.begin(), children.end(), static_cast<std::int32_t>(s)) -
                                 children.begin()) /
                                2;
            // It could have been split before the one that was, unless that is its parent.
            if (parent + 1 < static_cast<std::ptrdiff_t>(s))
                CHECK(grown.tree.gain[s] <= grown.tree.gain[s - 1]);
        }
    }
}

}  // namespace

int main() {
    test_full();
    test_limits();
    test_best_first();
    CHECK(GrowthProblem({1.0, 2.0, 3.0}, 3, {0}).grow().tree.n_leaves == 1);        // one sample
    CHECK(GrowthProblem({1.0, 2.0, 3.0}, 1, {1, 1, 1}).grow().tree.n_leaves == 1);  // one class
    CHECK(make().grow("gini", true).tree.n_leaves == 1);                            // stopped
}
