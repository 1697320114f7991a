// What gini and entropy share: class weights of a node and of the left part of a cut.
// A step of the scan moves one row from right to left and costs O(outputs), not O(classes): each
// impurity keeps a running sum over the classes and says only how that sum changes with one weight.
#pragma once

#include <algorithm>
#include <vector>

#include "targets.h"

namespace foliation {

template <class Impurity>
class ClassCounts {
  public:
    static constexpr const char* kName = Impurity::kName;

    explicit ClassCounts(const Targets& targets)
        : targets_(&targets),
          total_(static_cast<std::size_t>(targets.n_columns)),
          left_(total_.size()),
          right_(total_.size()) {}

    void begin(const NodeRows& node) {
        const auto outputs = static_cast<std::size_t>(targets_->n_outputs);
        codes_.resize(node.size() * outputs);
        weights_.assign(node.weights.begin(), node.weights.end());
        std::fill(total_.begin(), total_.end(), 0.0);
        weight_ = 0.0;
        for (std::size_t i = 0; i < node.size(); ++i) {
            const auto row = static_cast<std::size_t>(node.rows[i]);
            weight_ += weights_[i];
            for (std::size_t o = 0; o < outputs; ++o) {
                const std::int32_t code = targets_->classes[row * outputs + o];
                codes_[i * outputs + o] = code;
                total_[static_cast<std::size_t>(code)] += weights_[i];
            }
        }
        total_sum_ = Impurity::sum(total_);
    }

    bool pure() const {
        const auto present = std::count_if(total_.begin(), total_.end(), [](double w) { return w > 0.0; });
        return present == targets_->n_outputs;
    }
    double weight() const { return weight_; }
    // Weight times impurity, averaged over the outputs.
    double impurity() const { return Impurity::total(weight_, total_sum_, outputs()); }

    void reset() {
        std::fill(left_.begin(), left_.end(), 0.0);
        right_ = total_;
        left_weight_ = left_sum_ = 0.0;
        right_sum_ = total_sum_;
    }

    void move(std::size_t slot) {
        const double w = weights_[slot];
        left_weight_ += w;
        const auto outputs = static_cast<std::size_t>(targets_->n_outputs);
        for (std::size_t o = 0; o < outputs; ++o) {
            const auto code = static_cast<std::size_t>(codes_[slot * outputs + o]);
            left_sum_ += Impurity::change(left_[code], w);
            left_[code] += w;
            right_[code] -= w;
            right_sum_ -= Impurity::change(right_[code], w);
        }
    }

    double left_weight() const { return left_weight_; }
    double gain() const {
        const double left = Impurity::total(left_weight_, left_sum_, outputs());
        const double right = Impurity::total(weight_ - left_weight_, right_sum_, outputs());
        return impurity() - left - right;
    }

    // Histograms: a bin holds the weight and the class weights of its rows.
    std::size_t bin_width() const { return 1 + total_.size(); }
    void add_to_bin(std::size_t slot, double* bin) const {
        const auto outputs = static_cast<std::size_t>(targets_->n_outputs);
        bin[0] += weights_[slot];
        for (std::size_t o = 0; o < outputs; ++o) bin[1 + codes_[slot * outputs + o]] += weights_[slot];
    }
    void move_bin(const double* bin) {
        left_weight_ += bin[0];
        for (std::size_t k = 0; k < left_.size(); ++k) {
            left_[k] += bin[1 + k];
            right_[k] -= bin[1 + k];
        }
        left_sum_ = Impurity::sum(left_);
        right_sum_ = Impurity::sum(right_);
    }

  private:
    double outputs() const { return static_cast<double>(targets_->n_outputs); }

    const Targets* targets_;
    std::vector<std::int32_t> codes_;
    std::vector<double> weights_;
    std::vector<double> total_, left_, right_;
    double weight_ = 0.0, left_weight_ = 0.0;
    double total_sum_ = 0.0, left_sum_ = 0.0, right_sum_ = 0.0;
};

}  // namespace foliation
