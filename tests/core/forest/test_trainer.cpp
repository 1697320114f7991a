// Trees are planned, grown and filled one by one; a range of them does not depend on the others.
#include "core/forest/trainer.h"
#include "tests/core/check.h"
#include "tests/core/make_growth.h"

using namespace foliation;

namespace {

bool same(const TrainedTree& a, const TrainedTree& b) {
    return a.tree.children == b.tree.children && a.tree.threshold == b.tree.threshold &&
           a.tree.atom_words == b.tree.atom_words && a.leaves.value == b.leaves.value &&
           a.leaves.weight == b.leaves.weight;
}

double sum(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

struct Problem : GrowthProblem {
    Sampling sampling{3, 120, 120, true, {}};
    ForestRules forest_rules;

    Problem() : GrowthProblem(normals(1, 360), 3, whole_numbers<std::int32_t>(2, 120, 0, 2)) {
        forest_rules.grow = rules;
        forest_rules.grow.n_candidates = 2;
    }
    TrainingData data() const { return {dictionary, prepared, targets, sampling}; }
    std::vector<TrainedTree> train(TreeRange range, int n_threads, Monitor& monitor) {
        forest_rules.n_threads = n_threads;
        return train_trees(data(), range, forest_rules, monitor);
    }
};

void test_ranges(Problem& problem) {
    Monitor monitor;
    const auto all = problem.train({0, 9}, 1, monitor);
    const auto some = problem.train({4, 3}, 2, monitor);
    CHECK(all.size() == 9 && some.size() == 3 && !same(all[0], all[1]));
    for (std::size_t k = 0; k < 3; ++k) CHECK(same(some[k], all[4 + k]));
}

// The three steps by themselves give the tree that training gives.
void test_steps(Problem& problem, bool honest) {
    Monitor monitor;
    const TrainedTree trained = problem.train({2, 1}, 1, monitor)[0];
    const RowPlan plan = plan_tree(problem.data(), 2);
    CHECK(plan.honest() == honest);
    Grower grower(problem.dictionary, problem.prepared, problem.forest_rules.grow,
                  make_criterion({.name = "gini"}, problem.targets), monitor);
    const Grown grown = grow_tree(grower, plan.structure, tree_key(3, 2, Purpose::nodes));
    const Leaves leaves = fill_tree(problem.data(), plan, grown, HonestPrior::ancestor);
    CHECK(same(trained, {grown.tree, leaves}));
    CHECK(close(sum(leaves.weight), sum(honest ? plan.estimation.weights : plan.structure.weights)));
    // Leaves of an honest tree hold classes of samples that its growth has not seen, so some are mixed.
    const auto n_pure = std::count(leaves.value.begin(), leaves.value.end(), 1.0);
    CHECK((n_pure == std::ssize(leaves.weight)) == !honest);
}

}  // namespace

int main() {
    Problem problem;
    test_ranges(problem);
    test_steps(problem, false);
    problem.sampling.structure_share = 0.5;
    test_ranges(problem);
    test_steps(problem, true);
    Monitor stopped;
    stopped.stop();
    for (const TrainedTree& tree : problem.train({0, 3}, 2, stopped)) CHECK(tree.tree.n_splits() == 0);
}
