// The values of leaves, estimated after growth: a sparse row of (column, value) per leaf.
//
//   leaf        0        1   2            a leaf without estimation samples (here 1) has no entries
//   start       0        2   2   3
//   column      0   2        1
//   value      .25 .75       1.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/targets.h"
#include "core/trees/leaf_rule.h"

namespace foliation {

struct Leaves {
    std::vector<std::int64_t> start{0};  // entries of leaf l: start[l] .. start[l+1]
    std::vector<std::int32_t> column;
    std::vector<double> value;
    std::vector<double> weight;  // per leaf, of its estimation samples
};

// Sums per column of one leaf at a time. Only columns that were added to take time.
class LeafSums {
  public:
    explicit LeafSums(std::size_t n_columns) : sums_(n_columns, 0.0) {}

    void add(std::size_t column, double amount) {
        sums_[column] += amount;
        touched_.push_back(static_cast<std::int32_t>(column));
    }
    // Adds the values of a leaf, times a factor.
    void add_leaf(const Leaves& leaves, std::int32_t leaf, double factor);
    // Appends a leaf of this weight whose values are value(sum), and clears the sums.
    template <class Value>
    void push_to(Leaves& leaves, double weight, const Value& value) {
        sort_touched();
        for (const std::int32_t column : touched_) {
            double& sum = sums_[static_cast<std::size_t>(column)];
            leaves.column.push_back(column);
            leaves.value.push_back(value(sum));
            sum = 0.0;
        }
        touched_.clear();
        leaves.start.push_back(static_cast<std::int64_t>(leaves.value.size()));
        leaves.weight.push_back(weight);
    }

  private:
    void sort_touched();  // each column once

    std::vector<double> sums_;
    std::vector<std::int32_t> touched_;
};

// leaf_of[i] is the leaf of sample i. Sums run in the order of the samples.
Leaves fill_leaves(const Targets& targets, const NodeRows& samples, std::span<const std::int32_t> leaf_of,
                   std::int32_t n_leaves);

// How the leaf values of trees become a prediction: the mean over the trees with a prediction, or the sum.
enum class Combine : int { mean = 0, sum = 1 };

// The leaves of many trees one after the other, as the caller holds them.
struct LeafValues {
    std::span<const std::int64_t> start;
    std::span<const std::int32_t> column;
    std::span<const double> value;
    std::int32_t n_columns = 1;
    Combine combine = Combine::mean;
};

}  // namespace foliation
