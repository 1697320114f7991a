// Impurities of classes by their definitions, times the weight.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

inline double gini_of(const std::vector<double>& weights) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double sum = 1.0;
    for (const double w : weights) sum -= w / total * (w / total);
    return total > 0.0 ? total * sum : 0.0;
}

inline double entropy_of(const std::vector<double>& weights) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    double bits = 0.0;
    for (const double w : weights)
        if (w > 0.0) bits -= w / total * std::log2(w / total);
    return total * bits;
}
