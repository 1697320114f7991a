// How well a cut parts the projected values of a node into two clusters: the criteria of geodesic forests.
// Where a supervised criterion reads the targets of the rows, these read the values themselves.
//
// Values are standardized within the node, so that neither shifting nor scaling a projection changes a score,
// and sums of squares do not cancel. A gain is
//   two_means   the sum of squares between the clusters, in units of the node's variance
//   fast_bic    BIC of one Gaussian minus BIC of two, each side of the cut belonging wholly to one of them,
//               with one variance or two, whichever is better (the paper's appendix D)
//   mclust_bic  the same for a mixture of two Gaussians, fitted from the cut of two_means on; the cut is
//               where both are equally likely, or stays if that is nowhere between their means
// The raw forms rank projections as the paper has it, in their own units: by the sum of squares within the
// clusters (its logarithm times minus the weight) and by minus the BIC of the two Gaussians. A variance is
// never taken to be less than a share of the node's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers.h"
#include "core/criteria/gaussian_pair.h"
#include "core/data/targets.h"

namespace foliation {

enum class ClusterRule : int { two_means, two_means_raw, fast_bic, fast_bic_raw, mclust_bic };

// None if no rule has this name.
std::optional<ClusterRule> cluster_rule(std::string_view name);
std::vector<std::string> cluster_rule_names();

class Clusters {
  public:
    Clusters(ClusterRule rule, double variance_floor, Isa isa)
        : rule_(rule),
          floor_(variance_floor),
          isa_(isa),
          one_variance_(variance_floor, true, isa),
          two_variances_(variance_floor, false, isa) {}

    void begin(const NodeRows& node);

    // Nodes end by their limits, never by their values: those that do not differ cannot be cut anyway.
    static constexpr bool pure() { return false; }
    double weight() const { return weight_; }
    // The unit of gains, by which ties are told.
    double impurity() const { return weight_; }
    // A projection that gains more shows clusters, or values spread as evenly as on a manifold; most normal
    // ones gain less, if both sides of a cut are large. Raw scores cannot tell.
    double cluster_level() const;

    // Reads one projection: ascending values, not all equal, and the slots in the node they come from.
    template <class V>
    void read(const V* values, const std::uint32_t* slots, std::size_t n) {
        values_.resize(n);
        for (std::size_t i = 0; i < n; ++i) values_[i] = static_cast<double>(values[i]);
        standardize(slots);
    }
    // The weight of the n_left smallest values.
    double left_weight(std::size_t n_left) const { return left_weight_[n_left]; }

    // The best cut with n_first to n_last values on its left, if it gains more than `bound`.
    struct Found {
        double threshold, gain;
    };
    std::optional<Found> best_cut(std::size_t n_first, std::size_t n_last, double bound);

  private:
    void standardize(const std::uint32_t* slots);
    double threshold(std::size_t n_left) const { return midpoint(values_[n_left - 1], values_[n_left]); }
    struct Best {
        std::size_t n_left = 0;  // values left of the cut; 0: there is none
        double gain = 0.0;
    };
    Best best_by_two_means(std::size_t n_first, std::size_t n_last);
    Best best_by_fast_bic(std::size_t n_first, std::size_t n_last, double bound);
    // The first of the cuts whose gains are the largest, but for ties.
    Best first_best(std::size_t n_first, std::size_t n_last) const;
    std::optional<Found> best_mixture(std::size_t n_first, std::size_t n_last, double bound);
    double log_variance() const;  // of the values

    ClusterRule rule_;
    double floor_;  // least variance, as a share of the node's
    Isa isa_;
    PairFitter one_variance_, two_variances_;
    std::vector<double> slot_weights_;
    double weight_ = 0.0, log_weight_ = 0.0;
    bool readable_ = false;  // whether the values can be told apart by numbers of full precision

    std::vector<double> values_;                                 // ascending
    double low_ = 0.0, range_ = 1.0;                             // of the values
    double mean_ = 0.0, deviation_ = 1.0;                        // in units of the range, from its low end
    std::vector<double> scores_, weights_;                       // standardized values, their weights
    std::vector<double> left_weight_, left_sum_, left_squares_;  // of the i smallest scores
    std::vector<double> gains_;                                  // of the cut behind the i smallest
};

}  // namespace foliation
