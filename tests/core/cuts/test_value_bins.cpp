// Cuts found by value bins, or by comparing few rows, are those found by ordering all rows. Halved
// weights are not whole and so take the other way; halving is exact, gains and bounds included.
#include <cmath>

#include "core/criteria/criterion.h"
#include "core/cuts/cut.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::size_t kCandidates = 12;

struct Node {
    std::vector<std::int32_t> rows, classes;
    std::vector<double> weights, halves;
};

Node make_node(Rng& rng, std::size_t n, std::int32_t n_classes, bool odd_weights) {
    Node node;
    for (std::size_t i = 0; i < n; ++i) {
        node.rows.push_back(static_cast<std::int32_t>(i));
        node.classes.push_back(rng.between(0, n_classes - 1));
        node.weights.push_back(odd_weights ? rng.between(1, 5) : 1.0);
        node.halves.push_back(0.5 * node.weights.back());
    }
    node.halves[0] = 0.5;  // never whole
    node.weights[0] = 1.0;
    return node;
}

// From useless to very useful for telling the classes apart; many equal values, or few.
template <class V>
std::vector<V> make_values(Rng& rng, const Node& node, std::size_t kind) {
    std::vector<V> values;
    const double signal = 30.0 * static_cast<double>(rng.between(0, 3));
    for (const std::int32_t code : node.classes) {
        const double value = signal * code + 40.0 * rng.normal();
        const bool zero = kind % 3 == 1 && rng.uniform() < 0.6;
        const double shifted = kind % 3 == 2 ? std::max(value, 0.0) : value;
        values.push_back(static_cast<V>(zero ? 0.0 : std::rint(kind < 6 ? shifted : shifted / 16.0)));
    }
    return values;
}

// The best cut over all candidates, as a node finds it, bounding all of them first or each by itself.
template <class C, class V>
std::vector<Cut> search(const Node& node, const std::vector<double>& weights, std::int32_t n_classes,
                        const CutRules& rules, const std::vector<std::vector<V>>& candidates,
                        bool bound_first) {
    const Targets targets{node.classes, {}, 1, n_classes, {}};
    C criterion(targets);
    criterion.begin({node.rows, weights});
    Cutter<V> cutter(rules);
    cutter.begin_tree(criterion.weight());
    Rng rng(0);
    const auto range = [&](std::size_t k) { return range_of<V>(candidates[k], rules.isa); };
    for (std::size_t k = 0; k < candidates.size() && bound_first; ++k)
        if (!range(k).constant()) cutter.bound(k, candidates[k], range(k), criterion);
    std::vector<Cut> best(1);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        if (!bound_first) cutter.begin_candidates();
        if (range(k).constant()) continue;
        best.push_back(cutter.improve(best.back(), k, candidates[k], range(k), criterion, rng));
    }
    return best;
}

template <class C, class V>
void test(Rng& rng, std::size_t n, std::int32_t n_classes, bool odd_weights, double least) {
    const Node node = make_node(rng, n, n_classes, odd_weights);
    std::vector<std::vector<V>> candidates;
    for (std::size_t k = 0; k < kCandidates; ++k) candidates.push_back(make_values<V>(rng, node, k));
    for (const Isa isa : {Isa::baseline, newest_isa()}) {
        CutRules rules{Splitter::exact, {}, isa};
        rules.limits.min_weight_fraction_leaf = least;
        const std::vector<Cut> whole = search<C, V>(node, node.weights, n_classes, rules, candidates, false);
        const std::vector<Cut> halved = search<C, V>(node, node.halves, n_classes, rules, candidates, false);
        const Cut bounded = search<C, V>(node, node.weights, n_classes, rules, candidates, true).back();
        CHECK(bounded.found == whole.back().found && bounded.threshold == whole.back().threshold &&
              bounded.gain == whole.back().gain);
        CHECK(whole.size() == halved.size());
        for (std::size_t k = 1; k < whole.size(); ++k) {
            CHECK(whole[k].found == halved[k].found);
            if (!whole[k].found) continue;
            CHECK(whole[k].threshold == halved[k].threshold);
            CHECK(whole[k].gain == 2.0 * halved[k].gain);
        }
    }
}

template <class C>
void test_all(Rng& rng, std::size_t n, std::int32_t n_classes, bool odd_weights) {
    for (const double least : {0.0, 0.1}) {
        test<C, std::int16_t>(rng, n, n_classes, odd_weights, least);
        test<C, std::int32_t>(rng, n, n_classes, odd_weights, least);
        test<C, double>(rng, n, n_classes, odd_weights, least);
    }
}

}  // namespace

int main() {
    Rng rng(1);
    for (int repeat = 0; repeat < 8; ++repeat) {
        for (const std::size_t n : {2U, 7U, 16U, 50U, 95U, 96U, 97U, 300U, 1500U, 4000U}) {
            const bool odd_weights = repeat % 2 == 1;
            test_all<TwoClasses<Gini>>(rng, n, 2, odd_weights);
            for (const std::int32_t n_classes : {2, 3, 10, 16, 17})
                test_all<ClassCounts<Gini>>(rng, n, n_classes, odd_weights);
        }
    }
}
