// A mixture of two Gaussians in one dimension, fitted by expectation and maximization.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/isa.h"

namespace foliation {

// The first has the smaller mean at the start. Constants of the density that all Gaussians share are left
// out.
struct GaussianPair {
    std::array<double, 2> share, mean, variance;

    // log(share_0 density_0 / (share_1 density_1)) at x.
    double log_ratio(double x) const;
    // Where both are equally likely, between their means; NaN if they are nowhere there.
    double crossing() const;
};

// Numbers with weights that sum to `total`.
struct Weighted {
    std::span<const double> numbers, weights;
    double total;
};

class PairFitter {
  public:
    PairFitter(double variance_floor, bool one_variance, Isa isa)
        : floor_(variance_floor), one_variance_(one_variance), isa_(isa) {}

    // From the n_first smallest numbers, which come first, and the others.
    GaussianPair fit(const Weighted& data, std::size_t n_first);
    double log_likelihood(const Weighted& data, const GaussianPair& pair);

  private:
    // Shares, means and variances if number i belongs to the first Gaussian by first_[i].
    GaussianPair maximize(const Weighted& data) const;

    double floor_;
    bool one_variance_;
    Isa isa_;
    std::vector<double> first_;  // per number, the probability that it comes from the first Gaussian
};

}  // namespace foliation
