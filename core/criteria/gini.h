// Gini impurity: 1 - sum of squared class shares. The running sum is that of squared class weights.
#pragma once

#include "core/criteria/class_counts.h"
#include "core/criteria/two_classes.h"

namespace foliation {

struct Gini {
    static constexpr const char* kName = "gini";
    static constexpr bool kSquares = true;  // whether its running sum is that of squared weights
    struct Side {
        double weight, squares;
    };

    void prepare(double) {}
    double term(double weight) const { return weight * weight; }
    double change(double class_weight, double added) const { return added * (2.0 * class_weight + added); }
    double total(double weight, double squares, double outputs) const {
        return weight > 0.0 ? weight - squares / (weight * outputs) : 0.0;
    }
    // Whether squares / weight, summed over both sides, certainly does not pass `needed`; without dividing.
    bool cannot_beat(const Side& left, const Side& right, double needed, double weight) const {
        const double least = needed - 1e-13 * weight;
        return left.squares * right.weight + right.squares * left.weight <
               least * (left.weight * right.weight);
    }
};

}  // namespace foliation
