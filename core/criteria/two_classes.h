// What gini and entropy do for one output of two classes: the same as ClassCounts, but a step of the scan
// adds two numbers that stay in registers.
#pragma once

#include <array>
#include <concepts>
#include <vector>

#include "core/data/targets.h"
#include "core/data/whole_rows.h"

namespace foliation {

// Whether the running sum of an impurity is that of squared class weights. Optional: kSquares.
template <class Impurity>
constexpr bool kSumsSquares = [] {
    if constexpr (requires { Impurity::kSquares; }) return Impurity::kSquares;
    return false;
}();

// An impurity of classes, computed from a running sum over the class weights. It must have
//   kName                      what users call it
//   term(weight)               what a class of this weight adds to the running sum
//   total(weight, sum, outputs)    weight times impurity of a side, from its weight and its running sum
// It may have
//   prepare(weight)            makes tables for weights up to that of the node
//   change(weight, added)      term(weight + added) - term(weight), if there is a faster or more exact form
//   Side, cannot_beat(left, right, needed, weight)    rules a cut out before it is worked out in full
//   kSquares                   see kSumsSquares
template <class I>
concept ClassImpurity = requires(const I impurity, double x) {
    { I::kName } -> std::convertible_to<const char*>;
    { impurity.term(x) } -> std::same_as<double>;
    { impurity.total(x, x, x) } -> std::same_as<double>;
};

// One assertion for all criteria of an impurity, so that the compiler says once what it lacks.
template <class I>
constexpr bool is_class_impurity() {
    static_assert(ClassImpurity<I>, "an impurity lacks what core/criteria/two_classes.h asks for");
    return true;
}

template <ClassImpurity I>
void prepare(I& impurity, double node_weight) {
    if constexpr (requires { &I::prepare; }) impurity.prepare(node_weight);
}

template <class Impurity>
class TwoClasses {
    static_assert(is_class_impurity<Impurity>());

  public:
    static constexpr const char* kName = Impurity::kName;
    static bool fits(const Targets& targets) {
        return targets.classification() && targets.n_outputs == 1 && targets.n_columns == 2;
    }

    struct Left {
        double weight = 0.0;
        double ones = 0.0;  // weight of class 1
    };

    explicit TwoClasses(const Targets& targets) : targets_(&targets) {}

    void begin(const NodeRows& node) {
        rows_.resize(node.size());
        codes_.resize(node.size());
        total_ = {};
        for (std::size_t i = 0; i < node.size(); ++i) {
            codes_[i] = targets_->classes[static_cast<std::size_t>(node.rows[i])];
            rows_[i] = {node.weights[i], codes_[i] == 1 ? node.weights[i] : 0.0};
            move(total_, i);
        }
        whole_.read(codes_, node.weights, total_.weight);
        prepare(impurity_of_, total_.weight);
        impurity_ = impurity(total_);
    }

    bool pure() const { return total_.ones == 0.0 || total_.ones == total_.weight; }
    double weight() const { return total_.weight; }
    double impurity() const { return impurity_; }

    Left empty_left() const { return {}; }
    void move(Left& left, std::size_t slot) const {
        left.weight += rows_[slot].weight;
        left.ones += rows_[slot].ones;
    }
    double gain(const Left& left) const { return impurity_ - impurity(left) - impurity(right_of(left)); }
    bool cannot_beat(const Left& left, double bound) const {
        if constexpr (requires { &Impurity::cannot_beat; }) {
            const Left right = right_of(left);
            if (impurity_of_.cannot_beat({left.weight, sum(left)}, {right.weight, sum(right)},
                                         bound - impurity_ + total_.weight, total_.weight))
                return true;
        }
        return !(gain(left) > bound);
    }

    std::size_t bin_width() const { return 2; }
    void add_to_bin(std::size_t slot, double* bin) const { bin[codes_[slot]] += rows_[slot].weight; }
    double move_bin(Left& left, const double* bin) const {
        const double moved = bin[0] + bin[1];
        left.weight += moved;
        left.ones += bin[1];
        return moved;
    }

    // None if they cannot be counted.
    const WholeRows* whole_rows() const { return whole_.empty() ? nullptr : &whole_; }
    std::array<double, 2> class_weights() const { return {total_.weight - total_.ones, total_.ones}; }
    // The left side that holds these weights per class.
    Left left_side(const std::int32_t* weights)
        requires kSumsSquares<Impurity>
    {
        return {static_cast<double>(weights[0] + weights[1]), static_cast<double>(weights[1])};
    }

  private:
    Left right_of(const Left& left) const { return {total_.weight - left.weight, total_.ones - left.ones}; }
    double sum(const Left& side) const {
        return impurity_of_.term(side.weight - side.ones) + impurity_of_.term(side.ones);
    }
    double impurity(const Left& side) const { return impurity_of_.total(side.weight, sum(side), 1.0); }

    const Targets* targets_;
    Impurity impurity_of_;
    std::vector<Left> rows_;
    std::vector<std::int32_t> codes_;
    WholeRows whole_;
    Left total_;
    double impurity_ = 0.0;
};

}  // namespace foliation
