#include "core/criteria/gaussian_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/special.h"

namespace foliation {

namespace {

constexpr int kMostSteps = 50;
constexpr double kSettled = 1e-4;  // means that move by less have arrived; the numbers have a variance of one
constexpr double kLeastShare = 1e-6;

// The log density of one Gaussian, times its share: constant - scale * (x - mean)^2.
struct LogDensity {
    double constant, mean, scale;

    static LogDensity of(const GaussianPair& pair, std::size_t which) {
        return {natural_log(pair.share[which]) - 0.5 * natural_log(pair.variance[which]), pair.mean[which],
                0.5 / pair.variance[which]};
    }
    FOLIATION_INLINE double at(double x) const { return constant - scale * ((x - mean) * (x - mean)); }
};

// first[i] = the probability that number i comes from the first Gaussian.
struct Expect {
    static FOLIATION_INLINE void run(const double* numbers, std::size_t n, LogDensity a, LogDensity b,
                                     double* first) {
        for (std::size_t i = 0; i < n; ++i) {
            const double ahead = a.at(numbers[i]) - b.at(numbers[i]);
            const double smaller = exponential(-std::abs(ahead));
            first[i] = (ahead < 0.0 ? smaller : 1.0) / (1.0 + smaller);
        }
    }
};

// out[i] = the log density of the mixture at number i.
struct Density {
    static FOLIATION_INLINE void run(const double* numbers, std::size_t n, LogDensity a, LogDensity b,
                                     double* out) {
        for (std::size_t i = 0; i < n; ++i) {
            const double one = a.at(numbers[i]);
            const double other = b.at(numbers[i]);
            const double larger = one < other ? other : one;
            out[i] = larger + natural_log(1.0 + exponential(-std::abs(one - other)));
        }
    }
};

}  // namespace

double GaussianPair::log_ratio(double x) const {
    return LogDensity::of(*this, 0).at(x) - LogDensity::of(*this, 1).at(x);
}

double GaussianPair::crossing() const {
    if (!(log_ratio(mean[0]) > 0.0 && log_ratio(mean[1]) < 0.0))
        return std::numeric_limits<double>::quiet_NaN();
    double low = mean[0], high = mean[1];  // the ratio has one sign at each, and one root between them
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (log_ratio(middle) > 0.0 ? low : high) = middle;
    }
    return low;
}

GaussianPair PairFitter::maximize(const Weighted& data) const {
    double weight[2] = {}, sum[2] = {}, squares[2] = {};
    for (std::size_t i = 0; i < data.numbers.size(); ++i) {
        const double x = data.numbers[i];
        const double own = data.weights[i] * first_[i];
        const double rest = data.weights[i] - own;
        weight[0] += own;
        weight[1] += rest;
        sum[0] += own * x;
        sum[1] += rest * x;
        squares[0] += own * x * x;
        squares[1] += rest * x * x;
    }
    GaussianPair pair{};
    double within = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
        pair.share[k] = weight[k] / data.total;
        pair.mean[k] = sum[k] / weight[k];
        const double around = squares[k] - sum[k] * pair.mean[k];
        within += around;
        pair.variance[k] = std::max(around / weight[k], floor_);
    }
    if (one_variance_) pair.variance.fill(std::max(within / data.total, floor_));
    return pair;
}

GaussianPair PairFitter::fit(const Weighted& data, std::size_t n_first) {
    first_.assign(data.numbers.size(), 0.0);
    std::fill_n(first_.begin(), n_first, 1.0);
    GaussianPair pair = maximize(data);
    for (int step = 0; step < kMostSteps; ++step) {
        run_on<Expect>(isa_, data.numbers.data(), data.numbers.size(), LogDensity::of(pair, 0),
                       LogDensity::of(pair, 1), first_.data());
        const GaussianPair next = maximize(data);
        if (!(std::min(next.share[0], next.share[1]) > kLeastShare)) break;
        const bool settled = std::abs(next.mean[0] - pair.mean[0]) < kSettled &&
                             std::abs(next.mean[1] - pair.mean[1]) < kSettled;
        pair = next;
        if (settled) break;
    }
    return pair;
}

double PairFitter::log_likelihood(const Weighted& data, const GaussianPair& pair) {
    first_.resize(data.numbers.size());
    run_on<Density>(isa_, data.numbers.data(), data.numbers.size(), LogDensity::of(pair, 0),
                    LogDensity::of(pair, 1), first_.data());
    double sum = 0.0;
    for (std::size_t i = 0; i < first_.size(); ++i) sum += data.weights[i] * first_[i];
    return sum;
}

}  // namespace foliation
