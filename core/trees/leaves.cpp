#include "core/trees/leaves.h"

#include <algorithm>
#include <cassert>

namespace foliation {

namespace {

// Positions of the samples, grouped by leaf, in order within each: leaf l has order[start[l] .. start[l+1]).
struct ByLeaf {
    std::vector<std::size_t> start, order;
};

ByLeaf group(std::span<const std::int32_t> leaf_of, std::int32_t n_leaves) {
    ByLeaf by_leaf{std::vector<std::size_t>(static_cast<std::size_t>(n_leaves) + 1, 0),
                   std::vector<std::size_t>(leaf_of.size())};
    for (const std::int32_t leaf : leaf_of) ++by_leaf.start[static_cast<std::size_t>(leaf) + 1];
    for (std::size_t l = 1; l < by_leaf.start.size(); ++l) by_leaf.start[l] += by_leaf.start[l - 1];
    std::vector<std::size_t> next(by_leaf.start.begin(), by_leaf.start.end() - 1);
    for (std::size_t i = 0; i < leaf_of.size(); ++i)
        by_leaf.order[next[static_cast<std::size_t>(leaf_of[i])]++] = i;
    return by_leaf;
}

}  // namespace

void LeafSums::sort_touched() {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

void LeafSums::add_leaf(const Leaves& leaves, std::int32_t leaf, double factor) {
    const auto l = static_cast<std::size_t>(leaf);
    const auto end = static_cast<std::size_t>(leaves.start[l + 1]);
    for (auto e = static_cast<std::size_t>(leaves.start[l]); e < end; ++e)
        add(static_cast<std::size_t>(leaves.column[e]), factor * leaves.value[e]);
}

Leaves fill_leaves(const Targets& targets, const NodeRows& samples, std::span<const std::int32_t> leaf_of,
                   std::int32_t n_leaves) {
    assert(leaf_of.size() == samples.size());
    const ByLeaf by_leaf = group(leaf_of, n_leaves);
    Leaves leaves;
    LeafSums sums(static_cast<std::size_t>(targets.n_columns));
    std::visit(
        [&](const auto& rule) {
            for (std::size_t l = 0; l < static_cast<std::size_t>(n_leaves); ++l) {
                double weight = 0.0;
                for (std::size_t k = by_leaf.start[l]; k < by_leaf.start[l + 1]; ++k) {
                    const std::size_t i = by_leaf.order[k];
                    weight += samples.weights[i];
                    rule.add(static_cast<std::size_t>(samples.rows[i]), samples.weights[i],
                             [&](std::size_t column, double amount) { sums.add(column, amount); });
                }
                sums.push_to(leaves, weight, [&](double sum) { return rule.value(sum, weight); });
            }
        },
        LeafRules::make(targets));
    return leaves;
}

}  // namespace foliation
