#include "core/trees/leaves.h"

#include <algorithm>
#include <unordered_map>

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

// Appends a leaf with sums / weight in the touched columns, and clears both.
void push_leaf(Leaves& leaves, std::vector<double>& sums, std::vector<std::int32_t>& touched, double weight) {
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::int32_t column : touched) {
        leaves.column.push_back(column);
        leaves.value.push_back(sums[static_cast<std::size_t>(column)] / weight);
        sums[static_cast<std::size_t>(column)] = 0.0;
    }
    touched.clear();
    leaves.start.push_back(static_cast<std::int64_t>(leaves.value.size()));
    leaves.weight.push_back(weight);
}

Leaves no_leaves() {
    Leaves none;
    none.start.push_back(0);
    return none;
}

void add_leaf_sums(const Leaves& leaves, std::int32_t leaf, double weight, std::vector<double>& sums,
                   std::vector<std::int32_t>& touched) {
    const auto l = static_cast<std::size_t>(leaf);
    for (auto e = static_cast<std::size_t>(leaves.start[l]);
         e < static_cast<std::size_t>(leaves.start[l + 1]); ++e) {
        sums[static_cast<std::size_t>(leaves.column[e])] += weight * leaves.value[e];
        touched.push_back(leaves.column[e]);
    }
}

void add_uniform(const Targets& targets, std::vector<double>& sums, std::vector<std::int32_t>& touched) {
    for (std::size_t o = 0; o + 1 < targets.class_start.size(); ++o) {
        const std::int32_t n_classes = targets.class_start[o + 1] - targets.class_start[o];
        for (std::int32_t column = targets.class_start[o]; column < targets.class_start[o + 1]; ++column) {
            sums[static_cast<std::size_t>(column)] = 1.0 / n_classes;
            touched.push_back(column);
        }
    }
}

// Weights and parents of the splits above leaves. A split is numbered before its children.
struct Ancestry {
    std::span<const std::int32_t> children;
    std::vector<double> weight;                           // per split, of the rows that fill it
    std::vector<std::int32_t> split_parent, leaf_parent;  // -1: the root has none

    Ancestry(std::span<const std::int32_t> c, std::span<const double> leaf_weight)
        : children(c),
          weight(c.size() / 2, 0.0),
          split_parent(c.size() / 2, -1),
          leaf_parent(leaf_weight.size(), -1) {
        for (std::size_t s = weight.size(); s-- > 0;) {
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]}) {
                const auto at = static_cast<std::size_t>(child >= 0 ? child : ~child);
                weight[s] += child >= 0 ? weight[at] : leaf_weight[at];
                (child >= 0 ? split_parent : leaf_parent)[at] = static_cast<std::int32_t>(s);
            }
        }
    }

    // The split whose rows speak for an empty leaf.
    std::int32_t lender(std::int32_t leaf, HonestPrior prior) const {
        return prior == HonestPrior::ancestor ? nearest_filled(leaf) : 0;
    }

    std::int32_t nearest_filled(std::int32_t leaf) const {
        std::int32_t split = leaf_parent[static_cast<std::size_t>(leaf)];
        while (weight[static_cast<std::size_t>(split)] == 0.0)
            split = split_parent[static_cast<std::size_t>(split)];
        return split;
    }

    std::vector<std::int32_t> leaves_below(std::int32_t split) const {
        std::vector<std::int32_t> found;
        std::vector<std::int32_t> todo{split};
        while (!todo.empty()) {
            const auto s = static_cast<std::size_t>(todo.back());
            todo.pop_back();
            for (const std::int32_t child : {children[2 * s], children[2 * s + 1]})
                (child >= 0 ? todo : found).push_back(child >= 0 ? child : ~child);
        }
        return found;
    }
};

// Splits that lend to empty leaves, in the order in which they are met: each is worked out once.
class Lenders {
  public:
    bool is_new(std::int32_t split) {
        return numbers_.try_emplace(split, static_cast<std::int32_t>(numbers_.size())).second;
    }
    std::int32_t number(std::int32_t split) const { return numbers_.at(split); }

  private:
    std::unordered_map<std::int32_t, std::int32_t> numbers_;
};

}  // namespace

Leaves fill_leaves(const Targets& targets, const NodeRows& rows, std::span<const std::int32_t> leaf_of,
                   std::int32_t n_leaves) {
    const ByLeaf by_leaf = group(leaf_of, n_leaves);
    Leaves leaves = no_leaves();
    std::vector<double> sums(static_cast<std::size_t>(targets.n_columns), 0.0);
    std::vector<std::int32_t> touched;
    for (std::size_t l = 0; l < static_cast<std::size_t>(n_leaves); ++l) {
        double weight = 0.0;
        for (std::size_t k = by_leaf.start[l]; k < by_leaf.start[l + 1]; ++k) {
            const std::size_t i = by_leaf.order[k];
            weight += rows.weights[i];
            add_row(targets, static_cast<std::size_t>(rows.rows[i]), rows.weights[i], sums, touched);
        }
        push_leaf(leaves, sums, touched, weight);
    }
    return leaves;
}

Leaves with_prior(const Leaves& leaves, const Tree& tree, const Targets& targets, HonestPrior prior) {
    const bool none_empty = std::find(leaves.weight.begin(), leaves.weight.end(), 0.0) == leaves.weight.end();
    if (prior == HonestPrior::ignore || none_empty) return leaves;
    const Ancestry ancestry(tree.children, leaves.weight);
    std::vector<double> sums(static_cast<std::size_t>(targets.n_columns), 0.0);
    std::vector<std::int32_t> touched;
    const auto push_mean = [&](std::int32_t split, Leaves& out) {
        for (const std::int32_t leaf : ancestry.leaves_below(split))
            add_leaf_sums(leaves, leaf, leaves.weight[static_cast<std::size_t>(leaf)], sums, touched);
        push_leaf(out, sums, touched, ancestry.weight[static_cast<std::size_t>(split)]);
    };
    Leaves lent = no_leaves();  // what splits say that lend to empty leaves
    Lenders lenders;
    Leaves filled = no_leaves();
    for (std::int32_t l = 0; l < tree.n_leaves; ++l) {
        const double weight = leaves.weight[static_cast<std::size_t>(l)];
        if (weight > 0.0) {
            add_leaf_sums(leaves, l, 1.0, sums, touched);
        } else if (prior == HonestPrior::uniform) {
            add_uniform(targets, sums, touched);
        } else {
            const std::int32_t split = ancestry.lender(l, prior);
            if (lenders.is_new(split)) push_mean(split, lent);
            add_leaf_sums(lent, lenders.number(split), 1.0, sums, touched);
        }
        push_leaf(filled, sums, touched, 1.0);
        filled.weight.back() = weight;
    }
    return filled;
}

Borrowed borrowed_leaves(const Trees& trees, std::span<const double> leaf_weight, HonestPrior prior) {
    Borrowed borrowed;
    for (std::size_t t = 0; t < static_cast<std::size_t>(trees.n_trees()); ++t) {
        const auto range = [&](auto values, std::span<const std::int64_t> start, std::size_t width) {
            const auto first = static_cast<std::size_t>(start[t]) * width;
            return values.subspan(first, static_cast<std::size_t>(start[t + 1]) * width - first);
        };
        const auto children = range(trees.children, trees.split_start, 2);
        const auto weight = range(leaf_weight, trees.leaf_start, 1);
        const Ancestry ancestry(children, weight);
        Lenders lenders;
        const auto n_before = static_cast<std::int64_t>(borrowed.start.size()) - 1;
        for (std::size_t leaf = 0; leaf < weight.size(); ++leaf) {
            if (weight[leaf] > 0.0 || children.empty()) continue;
            const std::int32_t split = ancestry.lender(static_cast<std::int32_t>(leaf), prior);
            if (lenders.is_new(split)) {
                for (const std::int32_t other : ancestry.leaves_below(split))
                    if (weight[static_cast<std::size_t>(other)] > 0.0)
                        borrowed.from.push_back(trees.leaf_start[t] + other);
                borrowed.start.push_back(static_cast<std::int64_t>(borrowed.from.size()));
            }
            borrowed.leaf.push_back(trees.leaf_start[t] + static_cast<std::int64_t>(leaf));
            borrowed.lender.push_back(n_before + lenders.number(split));
        }
    }
    return borrowed;
}

}  // namespace foliation
