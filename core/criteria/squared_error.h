// Squared error: weighted variance of the targets, averaged over the outputs. Targets are centred on
// the node's mean first, so that a large common level cannot cancel the differences that decide.
#pragma once

#include <algorithm>
#include <vector>

#include "targets.h"

namespace foliation {

class SquaredError {
  public:
    static constexpr const char* kName = "squared_error";

    explicit SquaredError(const Targets& targets)
        : targets_(&targets),
          mean_(static_cast<std::size_t>(targets.n_outputs)),
          total_(mean_.size()),
          left_(mean_.size()) {}

    void begin(const NodeRows& node) {
        weights_.assign(node.weights.begin(), node.weights.end());
        weight_ = 0.0;
        for (const double w : weights_) weight_ += w;
        gather(node);
        impurity_ = 0.0;
        pure_ = true;
        for (std::size_t o = 0; o < mean_.size(); ++o) centre(o);
        impurity_ /= static_cast<double>(mean_.size());
        base_ = score(total_, weight_);
    }

    bool pure() const { return pure_; }
    double weight() const { return weight_; }
    double impurity() const { return impurity_; }

    void reset() {
        std::fill(left_.begin(), left_.end(), 0.0);
        left_weight_ = 0.0;
    }

    void move(std::size_t slot) {
        left_weight_ += weights_[slot];
        for (std::size_t o = 0; o < left_.size(); ++o)
            left_[o] += weights_[slot] * values_[slot * left_.size() + o];
    }

    double left_weight() const { return left_weight_; }
    double gain() const {
        double sum = -base_;
        const double right_weight = weight_ - left_weight_;
        const double outputs = static_cast<double>(left_.size());
        for (std::size_t o = 0; o < left_.size(); ++o) {
            const double right = total_[o] - left_[o];
            sum += (left_[o] * left_[o] / left_weight_ + right * right / right_weight) / outputs;
        }
        return sum;
    }

    // Histograms: a bin holds the weight and the weighted sums of its rows.
    std::size_t bin_width() const { return 1 + left_.size(); }
    void add_to_bin(std::size_t slot, double* bin) const {
        bin[0] += weights_[slot];
        for (std::size_t o = 0; o < left_.size(); ++o)
            bin[1 + o] += weights_[slot] * values_[slot * left_.size() + o];
    }
    void move_bin(const double* bin) {
        left_weight_ += bin[0];
        for (std::size_t o = 0; o < left_.size(); ++o) left_[o] += bin[1 + o];
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

    void centre(std::size_t o) {
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

    double score(const std::vector<double>& sums, double weight) const {
        double sum = 0.0;
        for (const double s : sums) sum += s * s / weight;
        return sum / static_cast<double>(sums.size());
    }

    const Targets* targets_;
    std::vector<double> values_, weights_;
    std::vector<double> mean_, total_, left_;
    double weight_ = 0.0, left_weight_ = 0.0, impurity_ = 0.0, base_ = 0.0;
    bool pure_ = false;
};

}  // namespace foliation
