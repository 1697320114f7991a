// Squared error: weighted variance of the targets, averaged over the outputs. Targets are centered on
// the node's mean first, so that a large common level cannot cancel the differences that decide.
#pragma once

#include <algorithm>
#include <vector>

#include "core/data/targets.h"

namespace foliation {

class SquaredError {
  public:
    static constexpr const char* kName = "squared_error";

    static bool fits(const Targets& targets) { return !targets.classification(); }

    struct Left {
        double weight = 0.0;
        double sum = 0.0;  // weighted, of the first output; the others wait in more_
    };

    explicit SquaredError(const Targets& targets)
        : targets_(&targets),
          mean_(static_cast<std::size_t>(targets.n_outputs)),
          total_(mean_.size()),
          more_(mean_.size()) {}

    void begin(const NodeRows& node) {
        weights_.assign(node.weights.begin(), node.weights.end());
        weight_ = 0.0;
        for (const double w : weights_) weight_ += w;
        gather(node);
        impurity_ = 0.0;
        pure_ = true;
        for (std::size_t o = 0; o < mean_.size(); ++o) center(o);
        impurity_ /= static_cast<double>(mean_.size());
        base_ = score(total_, weight_);
    }

    bool pure() const { return pure_; }
    double weight() const { return weight_; }
    double impurity() const { return impurity_; }

    Left empty_left() {
        std::fill(more_.begin(), more_.end(), 0.0);
        return {};
    }

    void move(Left& left, std::size_t slot) {
        const std::size_t outputs = more_.size();
        left.weight += weights_[slot];
        left.sum += weights_[slot] * values_[slot * outputs];
        for (std::size_t o = 1; o < outputs; ++o) more_[o] += weights_[slot] * values_[slot * outputs + o];
    }

    double gain(const Left& left) const {
        double sum = part(left.sum, total_[0], left.weight);
        for (std::size_t o = 1; o < more_.size(); ++o) sum += part(more_[o], total_[o], left.weight);
        return sum / static_cast<double>(more_.size()) - base_;
    }
    bool cannot_beat(const Left& left, double bound) const { return !(gain(left) > bound); }

    // A bin holds the weight and the weighted sums of its rows.
    std::size_t bin_width() const { return 1 + more_.size(); }
    void add_to_bin(std::size_t slot, double* bin) const {
        bin[0] += weights_[slot];
        for (std::size_t o = 0; o < more_.size(); ++o)
            bin[1 + o] += weights_[slot] * values_[slot * more_.size() + o];
    }
    double move_bin(Left& left, const double* bin) {
        left.weight += bin[0];
        left.sum += bin[1];
        for (std::size_t o = 1; o < more_.size(); ++o) more_[o] += bin[1 + o];
        return bin[0];
    }

  private:
    void gather(const NodeRows& node) {
        const std::size_t outputs = mean_.size();
        values_.resize(node.size() * outputs);
        for (std::size_t i = 0; i < node.size(); ++i)
            for (std::size_t o = 0; o < outputs; ++o)
                values_[i * outputs + o] =
                    targets_->values[static_cast<std::size_t>(node.rows[i]) * outputs + o];
    }

    void center(std::size_t o) {
        const std::size_t outputs = mean_.size();
        double sum = 0.0;
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            sum += weights_[i] * values_[i * outputs + o];
            pure_ = pure_ && values_[i * outputs + o] == values_[o];
        }
        mean_[o] = sum / weight_;
        total_[o] = 0.0;
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            double& value = values_[i * outputs + o];
            value -= mean_[o];
            total_[o] += weights_[i] * value;
            impurity_ += weights_[i] * value * value;
        }
    }

    // What one output adds to the explained sum of squares if the left side has this sum and weight.
    double part(double left, double total, double left_weight) const {
        const double right = total - left;
        return left * left / left_weight + right * right / (weight_ - left_weight);
    }

    double score(const std::vector<double>& sums, double weight) const {
        double sum = 0.0;
        for (const double s : sums) sum += s * s / weight;
        return sum / static_cast<double>(sums.size());
    }

    const Targets* targets_;
    std::vector<double> values_, weights_;
    std::vector<double> mean_, total_, more_;
    double weight_ = 0.0, impurity_ = 0.0, base_ = 0.0;
    bool pure_ = false;
};

}  // namespace foliation
