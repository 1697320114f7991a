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

// The splits of a tree as the leaves below see them. A split is numbered before its children.
struct NodeWeights {
    std::vector<double> weight;            // per split, of the estimation samples below it
    std::vector<std::int32_t> prior_node;  // per leaf, the split whose value it borrows if it is empty

    // In a file all leaves of a tree may be empty: then they borrow from the root.
    NodeWeights(std::span<const std::int32_t> children, std::span<const double> leaf_weight,
                HonestPrior prior, const Monitor& monitor)
        : weight(children.size() / 2, 0.0), prior_node(leaf_weight.size(), 0) {
        for (std::size_t s = weight.size(); s-- > 0;) {
            monitor.check();
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]})
                weight[s] += child >= 0 ? weight[static_cast<std::size_t>(child)]
                                        : leaf_weight[static_cast<std::size_t>(~child)];
        }
        if (prior == HonestPrior::ancestor) find_ancestors(children, monitor);
    }

  private:
    void find_ancestors(std::span<const std::int32_t> children, const Monitor& monitor) {
        std::vector<std::int32_t> nearest(weight.size(), 0);  // per split, itself or one above it
        for (std::size_t s = 0; s < weight.size(); ++s) {
            monitor.check();
            if (weight[s] != 0.0) nearest[s] = static_cast<std::int32_t>(s);
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]})
                (child >= 0 ? nearest : prior_node)[static_cast<std::size_t>(child >= 0 ? child : ~child)] =
                    nearest[s];
        }
    }
};

// The leaves of a tree, so that those below a split follow each other: split s has leaf[first[s] .. last[s]).
// Sums of leaves run in this order.
struct LeafOrder {
    std::vector<std::int32_t> leaf;
    std::vector<std::size_t> first, last;

    LeafOrder(std::span<const std::int32_t> children, const Monitor& monitor)
        : first(children.size() / 2), last(children.size() / 2) {
        std::vector<std::int32_t> todo(first.empty() ? 0 : 1, 0);
        while (!todo.empty()) {
            monitor.check();
            const auto s = static_cast<std::size_t>(todo.back());
            todo.pop_back();
            first[s] = leaf.size();
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]})
                (child >= 0 ? todo : leaf).push_back(child >= 0 ? child : ~child);
            last[s] = leaf.size();
        }
        for (std::size_t s = last.size(); s-- > 0;) {
            monitor.check();
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]})
                if (child >= 0) last[s] = std::max(last[s], last[static_cast<std::size_t>(child)]);
        }
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

// Sums of nested splits do not share what they add: other roundings would be another forest.
Leaves with_prior(const Leaves& leaves, const Tree& tree, const Targets& targets, HonestPrior prior,
                  const Monitor& monitor) {
    const bool none_empty = std::find(leaves.weight.begin(), leaves.weight.end(), 0.0) == leaves.weight.end();
    if (prior == HonestPrior::ignore || none_empty) return leaves;
    const NodeWeights nodes(tree.children, leaves.weight, prior, monitor);
    const LeafOrder order(tree.children, monitor);
    LeafSums sums(static_cast<std::size_t>(targets.n_columns));
    Leaves borrowed;  // the values of prior nodes
    PriorNodes prior_nodes;
    const auto push_prior = [&](std::int32_t node) {
        const auto split = static_cast<std::size_t>(node);
        for (std::size_t k = order.first[split]; k < order.last[split]; ++k) {
            monitor.check();
            sums.add_leaf(leaves, order.leaf[k], leaves.weight[static_cast<std::size_t>(order.leaf[k])]);
        }
        const double weight = nodes.weight[split];
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
            const std::int32_t split = nodes.prior_node[static_cast<std::size_t>(l)];
            if (prior_nodes.is_new(split)) push_prior(split);
            sums.add_leaf(borrowed, prior_nodes.number(split), 1.0);
        }
        sums.push_to(filled, weight, [](double sum) { return sum; });
    }
    return filled;
}

namespace {

// Adds the leaves of one tree, whose first has this number.
void add_borrowed(std::span<const std::int32_t> children, std::span<const double> weight, HonestPrior prior,
                  std::int64_t first_leaf, const Monitor& monitor, BorrowedValues& borrowed) {
    if (children.empty() || std::find(weight.begin(), weight.end(), 0.0) == weight.end()) return;
    const NodeWeights nodes(children, weight, prior, monitor);
    const LeafOrder order(children, monitor);
    std::vector<std::int64_t> n_before;  // lenders before each place of the order
    for (const std::int32_t leaf : order.leaf) {
        monitor.check();
        n_before.push_back(std::ssize(borrowed.lender));
        if (weight[static_cast<std::size_t>(leaf)] > 0.0) borrowed.lender.push_back(first_leaf + leaf);
    }
    n_before.push_back(std::ssize(borrowed.lender));
    PriorNodes prior_nodes;
    const std::int64_t n_nodes_before = std::ssize(borrowed.first);
    for (std::size_t leaf = 0; leaf < weight.size(); ++leaf) {
        monitor.check();
        if (weight[leaf] > 0.0) continue;
        const std::int32_t split = nodes.prior_node[leaf];
        if (prior_nodes.is_new(split)) {
            borrowed.first.push_back(n_before[order.first[static_cast<std::size_t>(split)]]);
            borrowed.last.push_back(n_before[order.last[static_cast<std::size_t>(split)]]);
        }
        borrowed.leaf.push_back(first_leaf + static_cast<std::int64_t>(leaf));
        borrowed.node.push_back(n_nodes_before + prior_nodes.number(split));
    }
}

}  // namespace

BorrowedValues borrowed_values(const Trees& trees, std::span<const double> leaf_weight, HonestPrior prior,
                               const Monitor& monitor) {
    BorrowedValues borrowed;
    for (std::size_t t = 0; t < static_cast<std::size_t>(trees.n_trees()); ++t) {
        monitor.check();
        const auto range = [&](auto values, std::span<const std::int64_t> start, std::size_t width) {
            const auto first = static_cast<std::size_t>(start[t]) * width;
            return values.subspan(first, static_cast<std::size_t>(start[t + 1]) * width - first);
        };
        add_borrowed(range(trees.children, trees.split_start, 2), range(leaf_weight, trees.leaf_start, 1),
                     prior, trees.leaf_start[t], monitor, borrowed);
    }
    return borrowed;
}

}  // namespace foliation
