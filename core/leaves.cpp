#include "leaves.h"

#include <algorithm>

namespace foliation {

namespace {

// Positions of the rows, grouped by leaf, in order within each: leaf l has order[start[l] .. start[l+1]).
struct ByLeaf {
    std::vector<std::size_t> start, order;
};

ByLeaf group(std::span<const std::int32_t> leaf_of, std::int32_t n_leaves) {
    ByLeaf by_leaf{std::vector<std::size_t>(static_cast<std::size_t>(n_leaves) + 1, 0),
                   std::vector<std::size_t>(leaf_of.size())};
    for (const std::int32_t leaf : leaf_of) ++by_leaf.start[static_cast<std::size_t>(leaf) + 1];
    for (std::size_t l = 1; l < by_leaf.start.size(); ++l) by_leaf.start[l] += by_leaf.start[l - 1];
    std::vector<std::size_t> at(by_leaf.start.begin(), by_leaf.start.end() - 1);
    for (std::size_t i = 0; i < leaf_of.size(); ++i)
        by_leaf.order[at[static_cast<std::size_t>(leaf_of[i])]++] = i;
    return by_leaf;
}

// Adds what one row says to the sums per column, and notes the columns it touches.
void add_row(const Targets& targets, std::size_t row, double weight, std::vector<double>& sums,
             std::vector<std::int32_t>& touched) {
    const auto outputs = static_cast<std::size_t>(targets.n_outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
        const bool classes = targets.classification();
        const auto column = classes ? static_cast<std::size_t>(targets.classes[row * outputs + o]) : o;
        sums[column] += classes ? weight : weight * targets.values[row * outputs + o];
        touched.push_back(static_cast<std::int32_t>(column));
    }
}

}  // namespace

Leaves fill_leaves(const Targets& targets, const NodeRows& rows, std::span<const std::int32_t> leaf_of,
                   std::int32_t n_leaves) {
    const ByLeaf by_leaf = group(leaf_of, n_leaves);
    Leaves leaves;
    leaves.start.push_back(0);
    std::vector<double> sums(static_cast<std::size_t>(targets.n_columns), 0.0);
    std::vector<std::int32_t> touched;
    for (std::size_t l = 0; l < static_cast<std::size_t>(n_leaves); ++l) {
        double weight = 0.0;
        touched.clear();
        for (std::size_t k = by_leaf.start[l]; k < by_leaf.start[l + 1]; ++k) {
            const std::size_t i = by_leaf.order[k];
            weight += rows.weights[i];
            add_row(targets, static_cast<std::size_t>(rows.rows[i]), rows.weights[i], sums, touched);
        }
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (const std::int32_t column : touched) {
            leaves.column.push_back(column);
            leaves.value.push_back(sums[static_cast<std::size_t>(column)] / weight);
            sums[static_cast<std::size_t>(column)] = 0.0;
        }
        leaves.start.push_back(static_cast<std::int64_t>(leaves.value.size()));
        leaves.weight.push_back(weight);
    }
    return leaves;
}

}  // namespace foliation
