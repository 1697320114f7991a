#include "core/trees/honest_prior.h"

#include <algorithm>
#include <unordered_map>

namespace foliation {

namespace {

void add_uniform(const Targets& targets, LeafSums& sums) {
    for (std::size_t o = 0; o + 1 < targets.class_start.size(); ++o) {
        const std::int32_t n_classes = targets.class_start[o + 1] - targets.class_start[o];
        for (std::int32_t column = targets.class_start[o]; column < targets.class_start[o + 1]; ++column)
            sums.add(static_cast<std::size_t>(column), 1.0 / n_classes);
    }
}

// Weights and parents of the nodes of a tree. A split is numbered before its children.
struct NodeWeights {
    std::span<const std::int32_t> children;
    std::vector<double> weight;                           // per split, of the estimation samples below it
    std::vector<std::int32_t> split_parent, leaf_parent;  // -1: the root has none

    NodeWeights(std::span<const std::int32_t> c, std::span<const double> leaf_weight)
        : children(c),
          weight(c.size() / 2, 0.0),
          split_parent(c.size() / 2, -1),
          leaf_parent(leaf_weight.size(), -1) {
        for (std::size_t s = weight.size(); s-- > 0;) {
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]}) {
                const auto id = static_cast<std::size_t>(child >= 0 ? child : ~child);
                weight[s] += child >= 0 ? weight[id] : leaf_weight[id];
                (child >= 0 ? split_parent : leaf_parent)[id] = static_cast<std::int32_t>(s);
            }
        }
    }

    // The split whose value an empty leaf borrows. In a file all leaves of a tree may be empty: then the
    // root.
    std::int32_t prior_node(std::int32_t leaf, HonestPrior prior) const {
        if (prior != HonestPrior::ancestor) return 0;
        std::int32_t split = leaf_parent[static_cast<std::size_t>(leaf)];
        while (split > 0 && weight[static_cast<std::size_t>(split)] == 0.0)
            split = split_parent[static_cast<std::size_t>(split)];
        return split;
    }

    std::vector<std::int32_t> leaves_below(std::int32_t split) const {
        std::vector<std::int32_t> leaves;
        std::vector<std::int32_t> todo{split};
        while (!todo.empty()) {
            const auto s = static_cast<std::size_t>(todo.back());
            todo.pop_back();
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]})
                (child >= 0 ? todo : leaves).push_back(child >= 0 ? child : ~child);
        }
        return leaves;
    }
};

// Prior nodes of empty leaves, numbered in the order in which they are met: the value of each is computed
// once.
class PriorNodes {
  public:
    bool is_new(std::int32_t split) {
        return numbers_.try_emplace(split, static_cast<std::int32_t>(numbers_.size())).second;
    }
    std::int32_t number(std::int32_t split) const { return numbers_.at(split); }

  private:
    std::unordered_map<std::int32_t, std::int32_t> numbers_;
};

}  // namespace

Leaves with_prior(const Leaves& leaves, const Tree& tree, const Targets& targets, HonestPrior prior) {
    const bool none_empty = std::find(leaves.weight.begin(), leaves.weight.end(), 0.0) == leaves.weight.end();
    if (prior == HonestPrior::ignore || none_empty) return leaves;
    const NodeWeights nodes(tree.children, leaves.weight);
    LeafSums sums(static_cast<std::size_t>(targets.n_columns));
    Leaves borrowed;  // the values of prior nodes
    PriorNodes prior_nodes;
    const auto push_prior = [&](std::int32_t split) {
        for (const std::int32_t leaf : nodes.leaves_below(split))
            sums.add_leaf(leaves, leaf, leaves.weight[static_cast<std::size_t>(leaf)]);
        const double weight = nodes.weight[static_cast<std::size_t>(split)];
        sums.push_to(borrowed, weight, [&](double sum) { return sum / weight; });
    };
    Leaves filled;
    for (std::int32_t l = 0; l < tree.n_leaves; ++l) {
        const double weight = leaves.weight[static_cast<std::size_t>(l)];
        if (weight > 0.0) {
            sums.add_leaf(leaves, l, 1.0);
        } else if (prior == HonestPrior::uniform) {
            add_uniform(targets, sums);
        } else {
            const std::int32_t split = nodes.prior_node(l, prior);
            if (prior_nodes.is_new(split)) push_prior(split);
            sums.add_leaf(borrowed, prior_nodes.number(split), 1.0);
        }
        sums.push_to(filled, weight, [](double sum) { return sum; });
    }
    return filled;
}

BorrowedValues borrowed_values(const Trees& trees, std::span<const double> leaf_weight, HonestPrior prior,
                               const Monitor& monitor) {
    BorrowedValues borrowed;
    for (std::size_t t = 0; t < static_cast<std::size_t>(trees.n_trees()); ++t) {
        monitor.check();
        const auto range = [&](auto values, std::span<const std::int64_t> start, std::size_t width) {
            const auto first = static_cast<std::size_t>(start[t]) * width;
            return values.subspan(first, static_cast<std::size_t>(start[t + 1]) * width - first);
        };
        const auto children = range(trees.children, trees.split_start, 2);
        const auto weight = range(leaf_weight, trees.leaf_start, 1);
        const NodeWeights nodes(children, weight);
        PriorNodes prior_nodes;
        const auto n_before = static_cast<std::int64_t>(borrowed.start.size()) - 1;
        for (std::size_t leaf = 0; leaf < weight.size(); ++leaf) {
            if (weight[leaf] > 0.0 || children.empty()) continue;
            const std::int32_t split = nodes.prior_node(static_cast<std::int32_t>(leaf), prior);
            if (prior_nodes.is_new(split)) {
                for (const std::int32_t other : nodes.leaves_below(split))
                    if (weight[static_cast<std::size_t>(other)] > 0.0)
                        borrowed.from.push_back(trees.leaf_start[t] + other);
                borrowed.start.push_back(static_cast<std::int64_t>(borrowed.from.size()));
            }
            borrowed.leaf.push_back(trees.leaf_start[t] + static_cast<std::int64_t>(leaf));
            borrowed.node.push_back(n_before + prior_nodes.number(split));
        }
    }
    return borrowed;
}

}  // namespace foliation
