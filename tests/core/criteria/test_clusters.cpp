// Cuts between clusters against brute force, on every instruction set of this machine.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/rng.h"
#include "core/criteria/clusters.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr double kFloor = 0.001;

struct Values {
    std::vector<double> x, w;  // ascending, with weights
    std::vector<std::int32_t> rows;
    std::vector<std::uint32_t> slots;
};

// Two Gaussians, `apart` standard deviations from each other, on a grid so that some values are equal.
Values make_values(std::uint64_t seed, std::size_t n, double apart) {
    Rng rng(seed);
    Values v;
    for (std::size_t i = 0; i < n; ++i) {
        const double mean = rng.below(3) == 0 ? apart : 0.0;
        v.x.push_back(std::rint(16.0 * (mean + rng.normal())) / 16.0);
        v.w.push_back(1.0 + static_cast<double>(rng.below(3)));
        v.rows.push_back(static_cast<std::int32_t>(i));
        v.slots.push_back(static_cast<std::uint32_t>(i));
    }
    std::sort(v.x.begin(), v.x.end());
    return v;
}

struct Moments {
    double weight = 0.0, mean = 0.0, variance = 0.0;
};

Moments moments(const Values& v, std::size_t begin, std::size_t end) {
    Moments m;
    for (std::size_t i = begin; i < end; ++i) m.weight += v.w[i];
    for (std::size_t i = begin; i < end; ++i) m.mean += v.w[i] * v.x[i] / m.weight;
    for (std::size_t i = begin; i < end; ++i)
        m.variance += v.w[i] * (v.x[i] - m.mean) * (v.x[i] - m.mean) / m.weight;
    return m;
}

double explained(const Values& v, std::size_t n_left) {
    const Moments all = moments(v, 0, v.x.size());
    const Moments left = moments(v, 0, n_left);
    const Moments right = moments(v, n_left, v.x.size());
    return all.weight - (left.weight * left.variance + right.weight * right.variance) / all.variance;
}

double bic_gain(const Values& v, std::size_t n_left) {
    const Moments all = moments(v, 0, v.x.size());
    const Moments sides[2] = {moments(v, 0, n_left), moments(v, n_left, v.x.size())};
    const double least = kFloor * all.variance;
    double pooled = 0.0;
    for (const Moments& side : sides) pooled += side.weight * side.variance / all.weight;
    double gain = -std::numeric_limits<double>::infinity();
    for (const bool one_variance : {false, true}) {
        double log_likelihood = 0.0;
        for (const Moments& side : sides) {
            const double variance = std::max(least, one_variance ? pooled : side.variance);
            log_likelihood += side.weight * std::log(side.weight / all.weight) -
                              0.5 * side.weight * (std::log(2.0 * M_PI * variance) + 1.0);
        }
        const double one = all.weight * (std::log(2.0 * M_PI * all.variance) + 1.0);
        const double parameters = one_variance ? 2.0 : 3.0;
        gain = std::max(gain, one + 2.0 * log_likelihood - parameters * std::log(all.weight));
    }
    return gain;
}

template <class Gain>
void test_best(ClusterRule rule, const Values& v, const Gain& gain_of) {
    const std::size_t first = 4, last = v.x.size() - 4;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = first; i <= last; ++i)
        if (v.x[i - 1] < v.x[i]) best = std::max(best, gain_of(v, i));
    double before = 0.0;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
        Clusters clusters(rule, kFloor, static_cast<Isa>(isa));
        clusters.begin({v.rows, v.w});
        clusters.read(v.x.data(), v.slots.data(), v.x.size());
        const auto found = clusters.best_cut(first, last, -std::numeric_limits<double>::infinity());
        CHECK(found.has_value());
        CHECK(std::abs(found->gain - best) < 1e-9 * clusters.weight());
        const auto n_left = static_cast<std::size_t>(
            std::upper_bound(v.x.begin(), v.x.end(), found->threshold) - v.x.begin());
        CHECK(std::abs(gain_of(v, n_left) - best) < 1e-9 * clusters.weight());
        CHECK(!clusters.best_cut(first, last, found->gain).has_value());
        CHECK(isa == 0 || found->gain == before);
        before = found->gain;
    }
}

void test_mixture() {
    const Values v = make_values(3, 400, 8.0);
    double before = 0.0;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
        Clusters clusters(ClusterRule::mclust_bic, kFloor, static_cast<Isa>(isa));
        clusters.begin({v.rows, v.w});
        clusters.read(v.x.data(), v.slots.data(), v.x.size());
        const auto found = clusters.best_cut(1, v.x.size() - 1, -std::numeric_limits<double>::infinity());
        CHECK(found.has_value() && found->threshold > 3.0 && found->threshold < 5.5 && found->gain > 100.0);
        CHECK(isa == 0 || found->gain == before);
        before = found->gain;
    }
}

void test_crossing() {
    const GaussianPair alike{{0.5, 0.5}, {-1.0, 3.0}, {1.0, 1.0}};
    CHECK(std::abs(alike.crossing() - 1.0) < 1e-12);
    const GaussianPair swallowed{
        {0.001, 0.999}, {-0.1, 0.1}, {1.0, 1.0}};  // the second is likelier everywhere
    CHECK(std::isnan(swallowed.crossing()));
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (const double apart : {0.0, 3.0, 100.0}) {
            const Values v = make_values(seed, 20 + 13 * seed, apart);
            test_best(ClusterRule::two_means, v, explained);
            test_best(ClusterRule::fast_bic, v, bic_gain);
        }
    }
    test_mixture();
    test_crossing();
}
