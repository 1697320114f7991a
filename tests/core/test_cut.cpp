// Cuts against brute force: every threshold tried on its own.
#include <cmath>

#include "check.h"
#include "core/criteria/criterion.h"
#include "core/cut.h"

using namespace foliation;

namespace {

struct Problem {
    std::vector<std::int32_t> rows, classes;
    std::vector<double> weights, values, numbers;
};

Problem make_problem(std::uint64_t seed, std::size_t n, std::uint64_t n_distinct) {
    Rng rng(seed);
    Problem p;
    for (std::size_t i = 0; i < n; ++i) {
        p.rows.push_back(static_cast<std::int32_t>(i));
        p.classes.push_back(static_cast<std::int32_t>(rng.below(3)));
        p.weights.push_back(0.25 + rng.uniform());
        p.values.push_back(static_cast<double>(rng.below(n_distinct)) / 7.0);
        p.numbers.push_back(1e6 + rng.normal());
    }
    return p;
}

template <class C>
double brute_gain(C& criterion, const Problem& p, double threshold) {
    criterion.reset();
    for (std::size_t i = 0; i < p.values.size(); ++i)
        if (p.values[i] <= threshold) criterion.move(i);
    return criterion.gain();
}

template <class C>
void test_exact(C criterion, const Problem& p) {
    criterion.begin({p.rows, p.weights});
    CutRules rules;
    rules.splitter = Splitter::exact;
    Cutter cutter(rules);
    Rng rng(0);
    const Range range = range_of(p.values, Isa::baseline);
    const Cut cut = cutter.improve(Cut{}, p.values, range, criterion, rng);
    double best = -1.0;
    for (const double low : p.values)
        if (low < range.hi) best = std::max(best, brute_gain(criterion, p, low));
    CHECK(cut.found == !range.constant());
    if (!cut.found) return;
    CHECK(std::abs(cut.gain - best) < 1e-8 * (1.0 + best));
    CHECK(std::abs(brute_gain(criterion, p, cut.threshold) - cut.gain) < 1e-8 * (1.0 + best));
}

// Thresholds never separate equal values, on any instruction set the machine has.
void test_histogram(const Problem& p) {
    const Targets targets{p.classes, {}, 1, 3, {}};
    Cut first;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
        Gini criterion(targets);
        criterion.begin({p.rows, p.weights});
        CutRules rules;
        rules.splitter = Splitter::histogram;
        rules.isa = static_cast<Isa>(isa);
        Cutter cutter(rules);
        Rng rng(0);
        const Cut cut = cutter.improve(Cut{}, p.values, range_of(p.values, rules.isa), criterion, rng);
        CHECK(cut.found);
        CHECK(std::abs(brute_gain(criterion, p, cut.threshold) - cut.gain) < 1e-8);
        if (isa == 0) first = cut;
        CHECK(cut.threshold == first.threshold && cut.gain == first.gain);
    }
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Problem p = make_problem(seed, 2 + seed % 50, 1 + seed % 20);
        const Targets classes{p.classes, {}, 1, 3, {}};
        const Targets numbers{{}, p.numbers, 1, 1, {}};
        test_exact(Gini(classes), p);
        test_exact(Entropy(classes), p);
        test_exact(SquaredError(numbers), p);
    }
    for (std::uint64_t seed = 0; seed < 10; ++seed) test_histogram(make_problem(seed, 3000, 40 + 200 * seed));
}
