// The cut that a node finds, against all thresholds of all features.
#include <algorithm>

#include "core/criteria/class_counts.h"
#include "core/criteria/gini.h"
#include "tests/core/check.h"
#include "tests/core/make_growth.h"

using namespace foliation;

namespace {

constexpr std::size_t kFeatures = 4;

double gain(const GrowthProblem& problem, std::size_t feature, double threshold) {
    ClassCounts<Gini> criterion(problem.targets);
    criterion.begin({problem.samples.rows, problem.samples.weights});
    auto left = criterion.empty_left();
    for (std::size_t i = 0; i < problem.classes.size(); ++i)
        if (problem.x[i * kFeatures + feature] <= threshold) criterion.move(left, i);
    return criterion.gain(left);
}

void test_root(std::uint64_t seed, std::size_t n) {
    GrowthProblem problem(whole_numbers<double>(seed, n * kFeatures, 0, 20), kFeatures,
                          whole_numbers<std::int32_t>(seed + 1, n, 0, 2));
    problem.rules.cut.limits.max_depth = 1;
    const Tree tree = problem.grow().tree;
    double best = 0.0;
    for (std::size_t feature = 0; feature < kFeatures; ++feature)
        for (double threshold = 0.5; threshold < 20.0; threshold += 1.0)
            best = std::max(best, gain(problem, feature, threshold));
    CHECK(tree.n_splits() == 1 && close(tree.gain[0], best, 1e-8));
    CHECK(close(gain(problem, static_cast<std::size_t>(tree.atom_words[0]), tree.threshold[0]), best, 1e-8));
}

// One candidate is enough to find the only feature whose values differ; if none differ there is no cut.
void test_constant() {
    for (const double other : {1.0, 2.0}) {
        std::vector<double> x(10 * kFeatures, 1.0);
        for (std::size_t i = 5; i < 10; ++i) x[i * kFeatures + 3] = other;
        GrowthProblem problem(x, kFeatures, {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
        problem.rules.n_candidates = 1;
        const Tree tree = problem.grow().tree;
        CHECK(tree.n_leaves == (other > 1.0 ? 2 : 1));
        if (other > 1.0) CHECK(tree.atom_words[0] == 3 && tree.threshold[0] == 1.5);
    }
}

// A large node is cut by the values of some of its samples, between the clusters of all.
void test_clusters() {
    std::vector<double> x = normals(5, 1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += i % 3 == 0 ? 20.0 : 0.0;
    GrowthProblem problem(x, 1, std::vector<std::int32_t>(1000, 0));
    problem.rules.cut.limits.max_depth = 1;
    const Grown grown = problem.grow("two_means");
    CHECK(grown.tree.n_leaves == 2 && grown.tree.threshold[0] > 5.0 && grown.tree.threshold[0] < 15.0);
    for (std::size_t i = 0; i < x.size(); ++i)
        CHECK(grown.leaf_of[i] == (i % 3 == 0 ? grown.leaf_of[0] : grown.leaf_of[1]));
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        for (const std::size_t n : {5U, 40U, 150U}) test_root(seed, n);
    test_constant();
    test_clusters();
}
