// Entropy in bits. The running sum is that of w log w over the class weights.
#pragma once

#include "../special.h"
#include "class_counts.h"

namespace foliation {

struct EntropyImpurity {
    static constexpr const char* kName = "entropy";
    static double sum(const std::vector<double>& weights) {
        double logs = 0.0;
        for (const double w : weights) logs += x_log_x(w);
        return logs;
    }
    static double change(double class_weight, double added) {
        return x_log_x(class_weight + added) - x_log_x(class_weight);
    }
    static double total(double weight, double logs, double outputs) {
        return (x_log_x(weight) - logs / outputs) / kLn2;
    }
};

using Entropy = ClassCounts<EntropyImpurity>;

}  // namespace foliation
