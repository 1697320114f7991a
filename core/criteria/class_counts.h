// What gini and entropy share: class weights of a node and of the left part of a cut.
// A step of the scan moves one row from right to left and costs O(outputs), not O(classes): each
// impurity keeps a running sum over the classes and defines only how that sum changes with one weight.
#pragma once

#include <algorithm>
#include <vector>

#include "core/base/isa.h"
#include "core/criteria/few_rows.h"
#include "core/criteria/two_classes.h"
#include "core/data/targets.h"
#include "core/data/whole_rows.h"

namespace foliation {

template <class Impurity>
class ClassCounts {
    static_assert(is_class_impurity<Impurity>());

  public:
    static constexpr const char* kName = Impurity::kName;
    static bool fits(const Targets& targets) { return targets.classification(); }

    struct Left {
        double weight = 0.0;
        double sum = 0.0;
        double right_sum = 0.0;
    };

    explicit ClassCounts(const Targets& targets)
        : targets_(&targets),
          n_outputs_(static_cast<std::size_t>(targets.n_outputs)),
          outputs_(static_cast<double>(targets.n_outputs)),
          total_(static_cast<std::size_t>(targets.n_columns)),
          sides_(total_.size()) {}

    void begin(const NodeRows& node) {
        codes_.resize(node.size() * n_outputs_);
        weights_.assign(node.weights.begin(), node.weights.end());
        std::fill(total_.begin(), total_.end(), 0.0);
        weight_ = 0.0;
        for (std::size_t i = 0; i < node.size(); ++i) {
            const auto row = static_cast<std::size_t>(node.rows[i]);
            weight_ += weights_[i];
            for (std::size_t o = 0; o < n_outputs_; ++o) {
                const std::int32_t code = targets_->classes[row * n_outputs_ + o];
                codes_[i * n_outputs_ + o] = code;
                total_[static_cast<std::size_t>(code)] += weights_[i];
            }
        }
        prepare(impurity_of_, weight_);
        total_sum_ = 0.0;
        for (const double w : total_) total_sum_ += impurity_of_.term(w);
        impurity_ = impurity_of_.total(weight_, total_sum_, outputs_);
        whole_.codes.clear();
        few_.clear();
        if (n_outputs_ > 1) return;
        whole_.read(codes_, weights_, weight_);
        if constexpr (kSumsSquares<Impurity>) few_.read(codes_, weights_, total_);
    }

    bool pure() const {
        const auto present = std::count_if(total_.begin(), total_.end(), [](double w) { return w > 0.0; });
        return present == targets_->n_outputs;
    }
    double weight() const { return weight_; }
    // Weight times impurity, averaged over the outputs.
    double impurity() const { return impurity_; }

    Left empty_left() {
        for (std::size_t k = 0; k < sides_.size(); ++k) sides_[k] = {0.0, total_[k]};
        return {0.0, 0.0, total_sum_};
    }

    FOLIATION_INLINE void move(Left& left, std::size_t slot) {
        const double w = weights_[slot];
        left.weight += w;
        if (n_outputs_ == 1) return move_class(left, codes_[slot], w);
        for (std::size_t o = 0; o < n_outputs_; ++o) move_class(left, codes_[slot * n_outputs_ + o], w);
    }

    FOLIATION_INLINE double gain(const Left& left) const {
        return impurity_ - impurity_of_.total(left.weight, left.sum, outputs_) -
               impurity_of_.total(weight_ - left.weight, left.right_sum, outputs_);
    }
    FOLIATION_INLINE bool cannot_beat(const Left& left, double bound) const {
        if constexpr (requires { &Impurity::cannot_beat; })
            if (impurity_of_.cannot_beat({left.weight, left.sum}, {weight_ - left.weight, left.right_sum},
                                         (bound - impurity_ + weight_) * outputs_, weight_ * outputs_))
                return true;
        return !(gain(left) > bound);
    }

    // Bins hold the class weights of their rows.
    std::size_t bin_width() const { return total_.size(); }
    void add_to_bin(std::size_t slot, double* bin) const {
        for (std::size_t o = 0; o < n_outputs_; ++o) bin[codes_[slot * n_outputs_ + o]] += weights_[slot];
    }
    // Returns the weight that moved.
    double move_bin(Left& left, const double* bin) {
        double moved = 0.0;
        for (std::size_t k = 0; k < sides_.size(); ++k) moved += bin[k];
        if (!(moved > 0.0)) return 0.0;
        moved /= outputs_;
        left.weight += moved;
        left.sum = left.right_sum = 0.0;
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            sides_[k].left += bin[k];
            sides_[k].right -= bin[k];
            left.sum += impurity_of_.term(sides_[k].left);
            left.right_sum += impurity_of_.term(sides_[k].right);
        }
        return moved;
    }

    // None if they cannot be counted.
    const WholeRows* whole_rows() const { return whole_.empty() ? nullptr : &whole_; }
    std::span<const double> class_weights() const { return total_; }
    // The left side that holds these weights per class.
    Left left_side(const std::int32_t* weights)
        requires kSumsSquares<Impurity>
    {
        Left left;
        for (std::size_t k = 0; k < sides_.size(); ++k) {
            sides_[k] = {static_cast<double>(weights[k]), total_[k] - static_cast<double>(weights[k])};
            left.weight += sides_[k].left;
            left.sum += impurity_of_.term(sides_[k].left);
            left.right_sum += impurity_of_.term(sides_[k].right);
        }
        return left;
    }

    // None if they are many, or cannot be counted.
    const FewRows* few_rows() const
        requires kSumsSquares<Impurity>
    {
        return few_.empty() ? nullptr : &few_;
    }
    Left left_side(const FewRows::Cut& cut) const
        requires kSumsSquares<Impurity>
    {
        return {static_cast<double>(cut.weight), static_cast<double>(cut.squares),
                static_cast<double>(cut.squares_beyond)};
    }

  private:
    struct Sides {
        double left, right;
    };

    FOLIATION_INLINE double change(double class_weight, double added) const {
        if constexpr (requires { &Impurity::change; }) return impurity_of_.change(class_weight, added);
        return impurity_of_.term(class_weight + added) - impurity_of_.term(class_weight);
    }
    FOLIATION_INLINE void move_class(Left& left, std::int32_t code, double w) {
        Sides& sides = sides_[static_cast<std::size_t>(code)];
        left.sum += change(sides.left, w);
        sides.left += w;
        sides.right -= w;
        left.right_sum -= change(sides.right, w);
    }

    const Targets* targets_;
    std::size_t n_outputs_;
    double outputs_;
    Impurity impurity_of_;
    std::vector<std::int32_t> codes_;
    std::vector<double> weights_;
    std::vector<double> total_;
    std::vector<Sides> sides_;
    WholeRows whole_;
    FewRows few_;
    double weight_ = 0.0, total_sum_ = 0.0, impurity_ = 0.0;
};

}  // namespace foliation
