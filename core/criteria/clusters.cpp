#include "core/criteria/clusters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/special.h"

namespace foliation {

namespace {

constexpr double kLog2Pi = 1.837877066409345483560659472811;

// Sums over the values left of cuts, and over all values.
struct Sums {
    const double *weight, *sum, *squares;
    double total_weight, total_sum, total_squares;

    Sums(const std::vector<double>& w, const std::vector<double>& s, const std::vector<double>& q)
        : weight(w.data()),
          sum(s.data()),
          squares(q.data()),
          total_weight(w.back()),
          total_sum(s.back()),
          total_squares(q.back()) {}
};

// The two sides of a cut.
struct Sides {
    double left, right;                  // weights
    double left_around, right_around;    // sums of squares around the means
    double left_inverse, right_inverse;  // of the weights

    FOLIATION_INLINE Sides(const Sums& s, std::size_t i) {
        left = s.weight[i];
        right = s.total_weight - left;
        const double inverse = 1.0 / (left * right);
        left_inverse = right * inverse;
        right_inverse = left * inverse;
        const double right_sum = s.total_sum - s.sum[i];
        left_around = s.squares[i] - s.sum[i] * s.sum[i] * left_inverse;
        right_around = s.total_squares - s.squares[i] - right_sum * right_sum * right_inverse;
    }
};

FOLIATION_INLINE double at_least(double floor, double x) { return x < floor ? floor : x; }

// The gain of two Gaussians over one, with a variance each or one for both.
struct TwoGaussians {
    double total, inverse, log_total, floor;

    template <class Log>
    FOLIATION_INLINE double gain(const Sides& s, const Log& log) const {
        const double shares = 2.0 * (s.left * log(s.left * inverse) + s.right * log(s.right * inverse));
        const double own = s.left * log(at_least(floor, s.left_around * s.left_inverse)) +
                           s.right * log(at_least(floor, s.right_around * s.right_inverse));
        const double common = total * log(at_least(floor, (s.left_around + s.right_around) * inverse));
        const double two = shares - own - 3.0 * log_total;
        const double one = shares - common - 2.0 * log_total;
        return one < two ? two : one;
    }
    // Of gains by rough logarithms.
    double error() const { return 4.0 * kRoughLog * total; }
};

constexpr double kLeastSum = 1e-12;  // of squares: less is rounding
constexpr double kNone = -std::numeric_limits<double>::infinity();

// gains[i] = roughly the gain of the cut with i values on its left; none between equal values.
struct RoughGains {
    static FOLIATION_INLINE void run(Sums sums, TwoGaussians model, const double* values, std::size_t n_first,
                                     std::size_t n_last, double* gains) {
        for (std::size_t i = n_first; i <= n_last; ++i) {
            const double gain = model.gain(Sides(sums, i), rough_log);
            gains[i] = values[i - 1] < values[i] ? gain : kNone;
        }
    }
};

// The sum of squares between the two sides.
struct BetweenGains {
    static FOLIATION_INLINE void run(Sums sums, const double* values, std::size_t n_first, std::size_t n_last,
                                     double* gains) {
        for (std::size_t i = n_first; i <= n_last; ++i) {
            const double left = sums.sum[i];
            const double right = sums.total_sum - left;
            const double gain =
                left * left / sums.weight[i] + right * right / (sums.total_weight - sums.weight[i]);
            gains[i] = values[i - 1] < values[i] ? gain : kNone;
        }
    }
};

double largest(const std::vector<double>& gains, std::size_t n_first, std::size_t n_last) {
    double most = kNone;
    for (std::size_t i = n_first; i <= n_last; ++i) most = gains[i] > most ? gains[i] : most;
    return most;
}

}  // namespace

namespace {
constexpr std::array<std::pair<std::string_view, ClusterRule>, 5> kRules{
    {{"two_means", ClusterRule::two_means},
     {"two_means_raw", ClusterRule::two_means_raw},
     {"fast_bic", ClusterRule::fast_bic},
     {"fast_bic_raw", ClusterRule::fast_bic_raw},
     {"mclust_bic", ClusterRule::mclust_bic}}};
}  // namespace

std::optional<ClusterRule> cluster_rule(std::string_view name) {
    for (const auto& [known, rule] : kRules)
        if (known == name) return rule;
    return std::nullopt;
}

std::vector<std::string> cluster_rule_names() {
    std::vector<std::string> names;
    for (const auto& [name, rule] : kRules) names.emplace_back(name);
    return names;
}

void Clusters::begin(const NodeRows& node) {
    slot_weights_.assign(node.weights.begin(), node.weights.end());
    weight_ = 0.0;
    for (const double w : slot_weights_) weight_ += w;
    log_weight_ = natural_log(weight_);
}

double Clusters::cluster_level() const {
    switch (rule_) {
        case ClusterRule::two_means:  // evenly spread values, cut in the middle
            return 0.75 * weight_;
        case ClusterRule::fast_bic:  // two Gaussians are as likely as one: evenly spread values, cut anywhere
            return -3.0 * log_weight_;
        case ClusterRule::mclust_bic:  // by trial: between what normal and evenly spread values gain
            return 0.05 * weight_;
        default:
            return kNone;
    }
}

void Clusters::standardize(const std::uint32_t* slots) {
    const std::size_t n = values_.size();
    scores_.resize(n);
    weights_.resize(n);
    low_ = values_.front();
    range_ = values_.back() - low_;
    const double inverse_range = 1.0 / range_;
    readable_ = std::isfinite(inverse_range) && std::isfinite(range_);
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double weight = weights_[i] = slot_weights_[slots[i]];
        const double place = scores_[i] = (values_[i] - low_) * inverse_range;
        sum += weight * place;
        squares += weight * (place * place);
    }
    mean_ = sum / weight_;
    deviation_ = std::sqrt(squares / weight_ - mean_ * mean_);  // the ends are 0 and 1: it is not small
    const double inverse = 1.0 / deviation_;
    left_weight_.resize(n + 1);
    left_sum_.resize(n + 1);
    left_squares_.resize(n + 1);
    double left = 0.0;
    sum = squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        left_weight_[i] = left;
        left_sum_[i] = sum;
        left_squares_[i] = squares;
        const double score = scores_[i] = (scores_[i] - mean_) * inverse;
        left += weights_[i];
        sum += weights_[i] * score;
        squares += weights_[i] * (score * score);
    }
    left_weight_[n] = left;
    left_sum_[n] = sum;
    left_squares_[n] = squares;
    gains_.resize(n);
}

Clusters::Best Clusters::best_by_two_means(std::size_t n_first, std::size_t n_last) {
    run_on<BetweenGains>(isa_, Sums(left_weight_, left_sum_, left_squares_), values_.data(), n_first, n_last,
                         gains_.data());
    return first_best(n_first, n_last);
}

// Logarithms are taken roughly at all cuts, then exactly where the best may be.
Clusters::Best Clusters::best_by_fast_bic(std::size_t n_first, std::size_t n_last, double bound) {
    const Sums sums(left_weight_, left_sum_, left_squares_);
    const TwoGaussians model{weight_, 1.0 / weight_, log_weight_, floor_};
    run_on<RoughGains>(isa_, sums, model, values_.data(), n_first, n_last, gains_.data());
    const double most = largest(gains_, n_first, n_last);
    if (!(most + model.error() > bound)) return {};
    const double promising = most - 2.0 * model.error() - kTie * weight_;
    for (std::size_t i = n_first; i <= n_last; ++i)
        gains_[i] = gains_[i] < promising ? kNone : model.gain(Sides(sums, i), natural_log);
    return first_best(n_first, n_last);
}

Clusters::Best Clusters::first_best(std::size_t n_first, std::size_t n_last) const {
    const double most = largest(gains_, n_first, n_last);
    if (!(most > kNone)) return {};
    std::size_t best = n_first;
    while (gains_[best] < most - kTie * weight_) ++best;
    return {best, gains_[best]};
}

double Clusters::log_variance() const { return 2.0 * (natural_log(deviation_) + natural_log(range_)); }

std::optional<Clusters::Found> Clusters::best_cut(std::size_t n_first, std::size_t n_last, double bound) {
    if (n_first > n_last || !readable_) return std::nullopt;
    if (rule_ == ClusterRule::mclust_bic) return best_mixture(n_first, n_last, bound);
    Best best;
    if (rule_ == ClusterRule::two_means || rule_ == ClusterRule::two_means_raw) {
        best = best_by_two_means(n_first, n_last);
        if (rule_ == ClusterRule::two_means_raw)
            best.gain = -weight_ * (natural_log(std::max(weight_ - best.gain, kLeastSum)) + log_variance());
    } else {
        const double one = rule_ == ClusterRule::fast_bic_raw
                               ? weight_ * (kLog2Pi + log_variance() + 1.0) + 2.0 * log_weight_
                               : 0.0;
        best = best_by_fast_bic(n_first, n_last, bound + one);
        best.gain -= one;
    }
    if (best.n_left == 0 || !(best.gain > bound)) return std::nullopt;
    return Found{threshold(best.n_left), best.gain};
}

std::optional<Clusters::Found> Clusters::best_mixture(std::size_t n_first, std::size_t n_last, double bound) {
    const std::size_t start = best_by_two_means(n_first, n_last).n_left;
    if (start == 0) return std::nullopt;
    const Weighted data{scores_, weights_, weight_};
    GaussianPair best{};
    double gain = kNone;
    for (PairFitter* fitter : {&two_variances_, &one_variance_}) {
        const GaussianPair pair = fitter->fit(data, start);
        const double more = fitter == &one_variance_ ? 2.0 : 3.0;  // parameters than one Gaussian has
        const double own = weight_ + 2.0 * fitter->log_likelihood(data, pair) - more * log_weight_;
        if (!(own > gain)) continue;
        gain = own;
        best = pair;
    }
    if (!(gain > bound)) return std::nullopt;
    const double between = low_ + range_ * (mean_ + deviation_ * best.crossing());
    const auto n_left =
        static_cast<std::size_t>(std::upper_bound(values_.begin(), values_.end(), between) - values_.begin());
    const bool stays = std::isnan(between) || n_left < n_first || n_left > n_last;
    return Found{stays ? threshold(start) : between, gain};
}

}  // namespace foliation
