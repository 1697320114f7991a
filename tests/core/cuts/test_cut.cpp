// Cuts against brute force: every threshold tried on its own.
#include <cmath>

#include "core/criteria/criterion.h"
#include "core/cuts/cut.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::int32_t kOutputs = 3;

struct Problem {
    std::vector<std::int32_t> rows, classes;
    std::vector<double> weights, values;
    std::vector<double> number, numbers;  // one output, or kOutputs side by side

    NodeRows node() const { return {rows, weights}; }
};

// Values are n_distinct multiples of unit.
Problem make_problem(std::uint64_t seed, std::size_t n, std::int32_t n_distinct, double unit,
                     std::uint64_t n_classes) {
    Rng rng(seed);
    Problem p;
    for (std::size_t i = 0; i < n; ++i) {
        p.rows.push_back(static_cast<std::int32_t>(i));
        p.classes.push_back(static_cast<std::int32_t>(rng.below(n_classes)));
        p.weights.push_back(0.25 + rng.uniform());
        p.values.push_back((rng.between(0, n_distinct - 1) - n_distinct / 2) * unit);
        p.number.push_back(1e6 + rng.normal());
        for (std::int32_t o = 0; o < kOutputs; ++o) p.numbers.push_back(1e3 * o + rng.normal());
    }
    return p;
}

// The same with weights 1 .. 5.
Problem with_whole_weights(Problem p) {
    for (double& weight : p.weights) weight = std::ceil(4.0 * weight);
    return p;
}

template <class V>
std::vector<V> values_of(const Problem& p) {
    std::vector<V> values;
    for (const double value : p.values) values.push_back(static_cast<V>(value));
    return values;
}

template <class V, class C>
Cut best_cut(C& criterion, const Problem& p, const CutRules& rules) {
    criterion.begin(p.node());
    Cutter<V> cutter(rules);
    cutter.begin_tree(criterion.weight());
    Rng rng(0);
    const std::vector<V> values = values_of<V>(p);
    return cutter.improve(Cut{}, 0, values, range_of<V>(values, rules.isa), criterion, rng);
}

struct Side {
    std::vector<std::int32_t> rows;
    std::vector<double> weights;

    template <class C>
    double impurity(C& criterion) const {
        criterion.begin({rows, weights});
        return criterion.impurity();
    }
    bool legal(const Limits& limits, double tree_weight) const {
        double weight = 0.0;
        for (const double w : weights) weight += w;
        return !rows.empty() && static_cast<std::int64_t>(rows.size()) >= limits.min_samples_leaf &&
               weight >= limits.min_weight_fraction_leaf * tree_weight;
    }
};

// Both sides of a cut, each as a node of its own.
struct Sides {
    Side left, right;

    Sides(const Problem& p, double threshold) {
        for (std::size_t i = 0; i < p.rows.size(); ++i) {
            Side& side = p.values[i] <= threshold ? left : right;
            side.rows.push_back(p.rows[i]);
            side.weights.push_back(p.weights[i]);
        }
    }
};

template <class C>
double brute_gain(C criterion, const Problem& p, double threshold) {
    const Sides sides(p, threshold);
    return Side{p.rows, p.weights}.impurity(criterion) - sides.left.impurity(criterion) -
           sides.right.impurity(criterion);
}

// The midpoint of the neighboring values between which a threshold lies.
double middle_of_gap(const Problem& p, double threshold) {
    double low = -1e300, high = 1e300;
    for (const double value : p.values) {
        if (value <= threshold) low = std::max(low, value);
        if (value > threshold) high = std::min(high, value);
    }
    return 0.5 * low + 0.5 * high;
}

template <class V, class C>
void test_exact(C criterion, const Problem& p, const Limits& limits) {
    const Cut cut = best_cut<V>(criterion, p, {Splitter::exact, limits, Isa::baseline});
    const auto legal = [&](double threshold) {
        const Sides sides(p, threshold);
        return sides.left.legal(limits, criterion.weight()) && sides.right.legal(limits, criterion.weight());
    };
    double best = -1.0;
    for (const double low : p.values)
        if (legal(low)) best = std::max(best, brute_gain(criterion, p, low));
    CHECK(cut.found == (best > -1.0));
    if (!cut.found) return;
    CHECK(legal(cut.threshold));
    CHECK(cut.threshold == middle_of_gap(p, cut.threshold));
    CHECK(std::abs(cut.gain - best) < 1e-8 * (1.0 + best));
    CHECK(std::abs(brute_gain(criterion, p, cut.threshold) - cut.gain) < 1e-8 * (1.0 + best));
}

template <class V>
void test_exact_all(const Problem& p, const Limits& limits) {
    const Targets classes{p.classes, {}, 1, 3, {}};
    const Targets number{{}, p.number, 1, 1, {}};
    const Targets numbers{{}, p.numbers, kOutputs, kOutputs, {}};
    test_exact<V>(ClassCounts<Gini>(classes), p, limits);
    test_exact<V>(ClassCounts<Entropy>(classes), p, limits);
    test_exact<V>(SquaredError(number), p, limits);
    test_exact<V>(SquaredError(numbers), p, limits);
}

// What brute force takes for granted.
void test_impurity() {
    const std::vector<std::int32_t> rows{0, 1, 2}, classes{0, 1, 1};
    const std::vector<double> weights{2.0, 1.0, 1.0}, numbers{1.0, 2.0, 4.0};
    const Side side{rows, weights};
    const Targets two{classes, {}, 1, 2, {}};
    ClassCounts<Gini> gini(two);
    ClassCounts<Entropy> entropy(two);
    const Targets values{{}, numbers, 1, 1, {}};
    SquaredError squared_error(values);
    CHECK(side.impurity(gini) == 2.0);
    CHECK(std::abs(side.impurity(entropy) - 4.0) < 1e-14);
    CHECK(side.impurity(squared_error) == 6.0);  // the mean is 2
}

// Thresholds never separate equal values, on any instruction set the machine has.
template <class V>
void test_histogram(const Problem& p) {
    const Targets targets{p.classes, {}, 1, 3, {}};
    Cut first;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
        ClassCounts<Gini> criterion(targets);
        const Cut cut = best_cut<V>(criterion, p, {Splitter::histogram, {}, static_cast<Isa>(isa)});
        CHECK(cut.found);
        CHECK(std::abs(brute_gain(criterion, p, cut.threshold) - cut.gain) < 1e-8);
        if (isa == 0) first = cut;
        CHECK(cut.threshold == first.threshold && cut.gain == first.gain);
    }
}

// Whether two ways to the same cut differ by no more than rounding errors.
template <class C>
bool same(const C& criterion, const Cut& a, const Cut& b) {
    if (!a.found || !b.found) return a.found == b.found;
    return a.threshold == b.threshold && std::abs(a.gain - b.gain) <= 1e-12 * criterion.impurity();
}

constexpr Splitter kSplitters[] = {Splitter::automatic, Splitter::exact, Splitter::histogram,
                                   Splitter::random};

// Whole numbers are cut where the same numbers as doubles are.
template <class C>
void test_whole_values(C criterion, const Problem& p) {
    for (const Splitter splitter : kSplitters) {
        for (const std::int64_t least : {1, 5}) {
            CutRules rules{splitter, {}, newest_isa()};
            rules.limits.min_samples_leaf = least;
            const Cut whole = best_cut<std::int32_t>(criterion, p, rules);
            CHECK(same(criterion, whole, best_cut<double>(criterion, p, rules)));
            const auto [least_value, largest_value] = std::minmax_element(p.values.begin(), p.values.end());
            if (*least_value < -32768.0 || *largest_value > 32767.0) continue;
            CHECK(same(criterion, whole, best_cut<std::int16_t>(criterion, p, rules)));
        }
    }
}

// Two classes give the same cuts whether or not they are counted as many are.
template <class Impurity, class V>
void test_two_classes(const Problem& p, bool same_bits) {
    const Targets targets{p.classes, {}, 1, 2, {}};
    TwoClasses<Impurity> two(targets);
    ClassCounts<Impurity> any(targets);
    for (const Splitter splitter : kSplitters) {
        const CutRules rules{splitter, {}, newest_isa()};
        const Cut a = best_cut<V>(two, p, rules);
        const Cut b = best_cut<V>(any, p, rules);
        CHECK(same(any, a, b));
        CHECK(!same_bits || a.gain == b.gain);
        CHECK(std::abs(brute_gain(two, p, a.threshold) - a.gain) < 1e-8);
    }
}

}  // namespace

int main() {
    test_impurity();
    for (const double unit : {1.0 / 7.0, 1.0, 1e5}) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const Problem p =
                make_problem(seed, 2 + seed % 50, 1 + static_cast<std::int32_t>(seed % 20), unit, 3);
            for (const std::int64_t least : {1, 2, 7}) {
                for (const double fraction : {0.0, 0.15}) {
                    Limits limits;
                    limits.min_samples_leaf = least;
                    limits.min_weight_fraction_leaf = fraction;
                    test_exact_all<double>(p, limits);
                    if (unit >= 1.0) test_exact_all<std::int32_t>(p, limits);
                }
            }
        }
        for (std::int32_t seed = 0; seed < 10; ++seed) {
            const Problem p = make_problem(static_cast<std::uint64_t>(seed), 3000, 40 + 200 * seed, unit, 3);
            test_histogram<double>(p);
            if (unit >= 1.0) test_histogram<std::int32_t>(p);
        }
    }
    for (const std::size_t n : {20U, 300U, 6000U}) {  // of 6000 rows few values are counted, many sampled
        for (const std::int32_t n_distinct : {5, 25, 400, 8000, 20000}) {
            for (const double unit : {1.0, 1e5}) {  // counted, sorted
                const Problem p = make_problem(n, n, n_distinct, unit, 3);
                const Targets classes{p.classes, {}, 1, 3, {}};
                const Targets numbers{{}, p.numbers, kOutputs, kOutputs, {}};
                test_whole_values(ClassCounts<Gini>(classes), p);
                test_whole_values(ClassCounts<Entropy>(classes), p);
                test_whole_values(SquaredError(numbers), p);

                const Problem q = make_problem(n, n, n_distinct, unit, 2);
                const Targets two{q.classes, {}, 1, 2, {}};
                test_whole_values(TwoClasses<Gini>(two), q);
                test_whole_values(TwoClasses<Entropy>(two), q);
                for (const bool whole : {false, true}) {
                    const Problem weighted = whole ? with_whole_weights(q) : q;
                    test_two_classes<Gini, double>(weighted, whole);
                    test_two_classes<Gini, std::int32_t>(weighted, whole);
                    test_two_classes<Entropy, double>(weighted, false);
                    test_two_classes<Entropy, std::int32_t>(weighted, false);
                }
            }
        }
    }
}
