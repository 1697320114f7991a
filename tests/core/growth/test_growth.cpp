// A tree grown in parts, in whatever order they are grown, is the tree that grows in one piece.
#include "core/forest/forest.h"
#include "core/growth/growth.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::int64_t kRows = 1500;
constexpr std::int32_t kFeatures = 6;

struct Problem {
    std::vector<float> x;
    std::vector<std::int32_t> classes;
    std::vector<double> values;

    Problem() {
        Rng rng(1);
        for (std::int64_t i = 0; i < kRows * kFeatures; ++i) x.push_back(static_cast<float>(rng.normal()));
        for (std::int64_t i = 0; i < kRows; ++i) {
            classes.push_back(rng.between(0, 2));
            values.push_back(rng.normal() + x[static_cast<std::size_t>(i * kFeatures)]);
        }
    }
    Targets targets(bool classification) const {
        if (classification) return {classes, {}, 1, 3, {}};
        return {{}, values, 1, 1, {}};
    }
};

enum class Turn { first_offloaded, last_offloaded, at_random };

struct Forced {
    Grown grown;
    std::size_t n_parts = 0;          // offloaded
    std::size_t most_nodes = 0;       // that a part began with
    std::size_t offloaded_again = 0;  // starts that a part offloaded which had them from another
};

// A worker is always idle, but parts are grown later, in turn, by one of two growers.
Forced grow(const Problem& problem, const Dictionary& dictionary, const PreparedRows& prepared,
            const GrowRules& rules, bool classification, std::int64_t n_idle, Turn whose) {
    const Targets targets = problem.targets(classification);
    Sampling sampling(5, kRows, kRows, true, {});
    const RowPlan plan = draw_rows(sampling, 0, targets);
    Monitor monitor;
    const char* criterion = classification ? "gini" : "squared_error";
    std::vector<Grower> growers;
    for (int k = 0; k < 2; ++k)
        growers.emplace_back(dictionary, prepared, rules, make_criterion({.name = criterion}, targets),
                             monitor);
    Growth growth(plan.structure, tree_key(5, 0, Purpose::nodes));
    std::vector<Part*> waiting{&growth.root};
    const Part* growing = nullptr;
    const std::atomic<std::int64_t> idle_workers{n_idle};
    Forced forced;
    const WorkSink sink{idle_workers, [&](Part& part) {
                            waiting.push_back(&part);
                            ++forced.n_parts;
                            forced.most_nodes = std::max(forced.most_nodes, part.nodes.size());
                            for (const Part::Start& start : part.starts)
                                forced.offloaded_again += start.owner != growing ? 1 : 0;
                        }};
    Rng rng(3);
    for (std::size_t n_grown = 0; !waiting.empty(); ++n_grown) {
        std::size_t at = 0;
        if (whose == Turn::last_offloaded) at = waiting.size() - 1;
        if (whose == Turn::at_random) at = static_cast<std::size_t>(rng.below(waiting.size()));
        Part* part = waiting[at];
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
        growing = part;
        growers[n_grown % 2].grow(growth, *part, sink);
    }
    forced.grown = stitch(growth);
    return forced;
}

void check_same(const Grown& a, const Grown& b) {
    CHECK(a.tree.children == b.tree.children);
    CHECK(a.tree.threshold == b.tree.threshold);
    CHECK(a.tree.gain == b.tree.gain);
    CHECK(a.tree.atom_start == b.tree.atom_start);
    CHECK(a.tree.atom_words == b.tree.atom_words);
    CHECK(a.tree.n_leaves == b.tree.n_leaves);
    CHECK(a.leaf_of == b.leaf_of);
}

}  // namespace

int main() {
    const Problem problem;
    const Dictionary dictionary{
        {Axis{kFeatures}, Sparse(kFeatures, 1.5, Weights::signs)}, {0.5, 1.0}, kFeatures};
    const Matrix matrix{Columns<float>{problem.x.data(), kFeatures, 1}, kRows, kFeatures};
    const PreparedRows prepared =
        prepare_rows(dictionary, matrix, fixed_points(dictionary, 10.0), false, 10.0);
    std::vector<GrowRules> all(5);
    for (GrowRules& rules : all) rules.n_candidates = 3;
    all[1].cut.limits.max_depth = 6;
    all[2].cut.limits.min_weight_fraction_leaf = 0.01;
    all[3].cut.limits.min_impurity_decrease = 0.001;
    all[4].cut.splitter = Splitter::random;
    std::size_t most_parts = 0, most_nodes = 0, most_offloaded_again = 0;
    for (const bool classification : {true, false})
        for (GrowRules& rules : all) {
            const Forced whole =
                grow(problem, dictionary, prepared, rules, classification, 0, Turn::first_offloaded);
            CHECK(whole.n_parts == 0 && whole.grown.tree.n_splits() > 20);
            for (const std::int64_t least : {1, 10, 30})
                for (const Turn turn : {Turn::first_offloaded, Turn::last_offloaded, Turn::at_random}) {
                    rules.least_part = least;
                    const Forced parts = grow(problem, dictionary, prepared, rules, classification, 1, turn);
                    CHECK(parts.n_parts > 5);
                    check_same(parts.grown, whole.grown);
                    most_parts = std::max(most_parts, parts.n_parts);
                    most_nodes = std::max(most_nodes, parts.most_nodes);
                    most_offloaded_again = std::max(most_offloaded_again, parts.offloaded_again);
                }
        }
    CHECK(most_parts > 100 && most_nodes > 2 && most_offloaded_again > 1);
    // Best first, nothing is offloaded.
    all[0].cut.limits.max_leaf_nodes = 50;
    CHECK(grow(problem, dictionary, prepared, all[0], true, 1, Turn::first_offloaded).n_parts == 0);
}
