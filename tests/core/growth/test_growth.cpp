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

enum class Turn { first_given, last_given, at_random };

struct Forced {
    Grown grown;
    std::size_t n_parts = 0;     // given away
    std::size_t most_nodes = 0;  // that a part began with
    std::size_t regiven = 0;     // starts that were given away by whom they had been given to
};

// Somebody is always hungry, but parts are grown later, in turn, by one of two growers.
Forced grow(const Problem& problem, const Dictionary& dictionary, const View& view, const GrowRules& rules,
            bool classification, std::int64_t hunger, Turn whose) {
    const Targets targets = problem.targets(classification);
    Sampling sampling(5, kRows, kRows, true, {});
    const RowPlan plan = draw_rows(sampling, 0, targets);
    Monitor monitor;
    const char* criterion = classification ? "gini" : "squared_error";
    std::vector<Grower> growers;
    for (int k = 0; k < 2; ++k)
        growers.emplace_back(dictionary, view, rules, make_criterion({.name = criterion}, targets), monitor);
    Growth growth(plan.grow, tree_key(5, 0, Purpose::nodes));
    std::vector<Part*> waiting{&growth.whole};
    const Part* growing = nullptr;
    const std::atomic<std::int64_t> hungry{hunger};
    Forced forced;
    const Takers takers{hungry, [&](Part& part) {
                            waiting.push_back(&part);
                            ++forced.n_parts;
                            forced.most_nodes = std::max(forced.most_nodes, part.nodes.size());
                            for (const Part::Start& start : part.starts)
                                forced.regiven += start.giver != growing ? 1 : 0;
                        }};
    Rng rng(3);
    for (std::size_t n_grown = 0; !waiting.empty(); ++n_grown) {
        std::size_t at = 0;
        if (whose == Turn::last_given) at = waiting.size() - 1;
        if (whose == Turn::at_random) at = static_cast<std::size_t>(rng.below(waiting.size()));
        Part* part = waiting[at];
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
        growing = part;
        growers[n_grown % 2].grow(growth, *part, takers);
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
    const View view(dictionary, matrix, fixed_points(dictionary, 10.0), false, 10.0);
    std::vector<GrowRules> all(5);
    for (GrowRules& rules : all) rules.n_candidates = 3;
    all[1].cut.limits.max_depth = 6;
    all[2].cut.limits.min_weight_fraction_leaf = 0.01;
    all[3].cut.limits.min_impurity_decrease = 0.001;
    all[4].cut.splitter = Splitter::random;
    std::size_t most_parts = 0, most_nodes = 0, most_regiven = 0;
    for (const bool classification : {true, false})
        for (GrowRules& rules : all) {
            const Forced whole = grow(problem, dictionary, view, rules, classification, 0, Turn::first_given);
            CHECK(whole.n_parts == 0 && whole.grown.tree.n_splits() > 20);
            for (const std::int64_t least : {1, 10, 30})
                for (const Turn turn : {Turn::first_given, Turn::last_given, Turn::at_random}) {
                    rules.least_part = least;
                    const Forced parts = grow(problem, dictionary, view, rules, classification, 1, turn);
                    CHECK(parts.n_parts > 5);
                    check_same(parts.grown, whole.grown);
                    most_parts = std::max(most_parts, parts.n_parts);
                    most_nodes = std::max(most_nodes, parts.most_nodes);
                    most_regiven = std::max(most_regiven, parts.regiven);
                }
        }
    CHECK(most_parts > 100 && most_nodes > 2 && most_regiven > 1);
    // Best first, nothing is given away.
    all[0].cut.limits.max_leaf_nodes = 50;
    CHECK(grow(problem, dictionary, view, all[0], true, 1, Turn::first_given).n_parts == 0);
}
