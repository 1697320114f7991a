// Entropy in bits. The running sum is that of w log w over the class weights, which comes from a table
// for whole weights that are not too large.
#pragma once

#include "core/base/special.h"
#include "core/criteria/class_counts.h"
#include "core/criteria/two_classes.h"

namespace foliation {

struct Entropy {
    static constexpr const char* kName = "entropy";
    static constexpr double kLargest = 65536.0;  // weight in the table

    void prepare(double node_weight) {
        const auto size = static_cast<std::size_t>(std::min(node_weight, kLargest)) + 1;
        for (std::size_t k = table_.size(); k < size; ++k) table_.push_back(x_log_x(static_cast<double>(k)));
    }
    double term(double weight) const {
        if (!(weight >= 0.0 && weight < static_cast<double>(table_.size()))) return x_log_x(weight);
        const auto whole = static_cast<std::size_t>(weight);
        return static_cast<double>(whole) == weight ? table_[whole] : x_log_x(weight);
    }
    double total(double weight, double logs, double outputs) const {
        return (term(weight) - logs / outputs) / kLn2;
    }

  private:
    std::vector<double> table_;
};

}  // namespace foliation
