#include <algorithm>

#include "core/criteria/gaussian_pair.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

double density(const GaussianPair& pair, std::size_t k, double x) {
    const double z = x - pair.mean[k];
    return pair.share[k] / std::sqrt(pair.variance[k]) * std::exp(-0.5 * z * z / pair.variance[k]);
}

void test_pair() {
    const GaussianPair pair{{0.3, 0.7}, {-1.0, 2.0}, {0.5, 1.5}};
    for (double x = -4.0; x < 5.0; x += 0.37)
        CHECK(close(pair.log_ratio(x), std::log(density(pair, 0, x) / density(pair, 1, x)), 1e-10));
    const double crossing = pair.crossing();
    CHECK(crossing > -1.0 && crossing < 2.0 && close(density(pair, 0, crossing), density(pair, 1, crossing)));
    CHECK(close(GaussianPair{{0.5, 0.5}, {-1.0, 5.0}, {2.0, 2.0}}.crossing(), 2.0));
    // The second is the likelier one everywhere between the means.
    CHECK(std::isnan(GaussianPair{{0.001, 0.999}, {0.0, 0.1}, {1.0, 1.0}}.crossing()));
}

struct Numbers {
    std::vector<double> x, weights;
    double total() const { return std::accumulate(weights.begin(), weights.end(), 0.0); }
    Weighted data() const { return {x, weights, total()}; }
};

// Two clusters of equal size, ascending, of deviations 0.3 and 0.6.
Numbers clusters(double distance) {
    Numbers numbers{normals(1, 400), std::vector<double>(400, 1.0)};
    for (std::size_t i = 0; i < 400; ++i)
        numbers.x[i] = i < 200 ? 0.3 * numbers.x[i] : distance + 0.6 * numbers.x[i];
    std::sort(numbers.x.begin(), numbers.x.end());
    return numbers;
}

void test_fit() {
    const Numbers numbers = clusters(3.0);
    PairFitter two(0.01, false, newest_isa()), one(0.01, true, newest_isa());
    const GaussianPair pair = two.fit(numbers.data(), 100);  // from a bad start
    CHECK(std::abs(pair.share[0] - 0.5) < 0.05 && std::abs(pair.mean[0]) < 0.1);
    CHECK(std::abs(pair.mean[1] - 3.0) < 0.15 && std::abs(std::sqrt(pair.variance[1]) - 0.6) < 0.1);
    const GaussianPair same = one.fit(numbers.data(), 200);
    CHECK(same.variance[0] == same.variance[1] && close(same.share[0] + same.share[1], 1.0));
    double sum = 0.0;
    for (const double x : numbers.x) sum += std::log(density(pair, 0, x) + density(pair, 1, x));
    CHECK(close(two.log_likelihood(numbers.data(), pair), sum, 1e-10));
    CHECK(two.log_likelihood(numbers.data(), pair) > two.log_likelihood(numbers.data(), same));
    for (int isa = 0; isa < static_cast<int>(newest_isa()); ++isa)
        CHECK(PairFitter(0.01, false, static_cast<Isa>(isa)).fit(numbers.data(), 100).mean == pair.mean);
}

// Weights count as repeated numbers; variances stay above their floor.
void test_weights() {
    const Numbers weighted{{0.0, 0.1, 0.3, 5.0, 5.2}, {1.0, 2.0, 1.0, 3.0, 1.0}};
    const Numbers repeated{{0.0, 0.1, 0.1, 0.3, 5.0, 5.0, 5.0, 5.2}, std::vector<double>(8, 1.0)};
    PairFitter fitter(0.25, false, Isa::baseline);
    const GaussianPair a = fitter.fit(weighted.data(), 3), b = fitter.fit(repeated.data(), 4);
    for (std::size_t k = 0; k < 2; ++k)
        CHECK(close(a.mean[k], b.mean[k]) && close(a.share[k], b.share[k]) && a.variance[k] == 0.25);
}

}  // namespace

int main() {
    test_pair();
    test_fit();
    test_weights();
}
