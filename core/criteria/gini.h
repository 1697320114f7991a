// Gini impurity: 1 - sum of squared class shares. The running sum is that of squared class weights.
#pragma once

#include "class_counts.h"

namespace foliation {

struct GiniImpurity {
    static constexpr const char* kName = "gini";
    static double sum(const std::vector<double>& weights) {
        double squares = 0.0;
        for (const double w : weights) squares += w * w;
        return squares;
    }
    static double change(double class_weight, double added) { return added * (2.0 * class_weight + added); }
    static double total(double weight, double squares, double outputs) {
        return weight > 0.0 ? weight - squares / (weight * outputs) : 0.0;
    }
};

using Gini = ClassCounts<GiniImpurity>;

}  // namespace foliation
