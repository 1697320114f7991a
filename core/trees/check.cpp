#include "core/trees/check.h"

#include <cmath>
#include <stdexcept>
#include <string>

namespace foliation {

namespace {

constexpr double kShareSlack = 1e-6;  // by which the shares of a leaf may miss one

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

void require(bool holds, const char* what, std::size_t tree) {
    if (!holds) throw std::invalid_argument(std::string(what) + " in tree " + std::to_string(tree));
}

// Offsets into an array of that size, one more than there are parts.
template <class T>
void check_offsets(std::span<const T> start, std::size_t n_parts, std::size_t size, const char* what) {
    require(start.size() == n_parts + 1 && start[0] == 0, what);
    for (std::size_t k = 0; k < n_parts; ++k) require(start[k] <= start[k + 1], what);
    require(static_cast<std::uint64_t>(start[n_parts]) == size, what);
}

void check_sizes(const ForestArrays& forest) {
    const Trees& trees = forest.trees;
    require(!trees.split_start.empty(), "there are no offsets of splits");
    const auto n_trees = trees.split_start.size() - 1;
    const std::size_t n_splits = trees.threshold.size();
    const std::size_t n_leaves = forest.leaf_weight.size();
    check_offsets(trees.split_start, n_trees, n_splits, "offsets of splits do not fit");
    check_offsets(trees.leaf_start, n_trees, n_leaves, "offsets of leaves do not fit");
    require(trees.children.size() == 2 * n_splits, "there are not two children for each split");
    require(trees.gain.size() == n_splits, "there is not one gain for each split");
    require(forest.gain_unit.size() == n_trees, "there is not one unit of gains for each tree");
    require(forest.values.column.size() == forest.values.value.size(),
            "values and their columns differ in number");
    check_offsets(forest.values.start, n_leaves, forest.values.value.size(), "offsets of values do not fit");
    std::visit(
        [&](const auto& start) {
            if (!start.empty())
                return check_offsets(start, n_splits, trees.n_words(), "offsets of atoms do not fit");
            require(n_splits == 0 ? trees.n_words() == 0 : trees.n_words() % n_splits == 0,
                    "atoms are not of one size");
        },
        trees.atom_start);
}

// Every split but the first, and every leaf, is the child of exactly one split, and of one before it.
void check_children(const Trees& trees, std::size_t tree) {
    const auto first = static_cast<std::size_t>(trees.split_start[tree]);
    const auto n_splits = static_cast<std::size_t>(trees.split_start[tree + 1]) - first;
    const auto n_leaves = static_cast<std::size_t>(trees.leaf_start[tree + 1] - trees.leaf_start[tree]);
    require(n_leaves == n_splits + 1, "leaves are not one more than splits", tree);
    std::vector<bool> split_met(n_splits, false), leaf_met(n_leaves, false);
    for (std::size_t k = 0; k < 2 * n_splits; ++k) {
        const std::int32_t child = trees.children[2 * first + k];
        const auto at = static_cast<std::size_t>(child >= 0 ? child : ~child);
        if (child >= 0) {
            require(at > k / 2 && at < n_splits, "a child is not one of the later splits", tree);
        } else {
            require(at < n_leaves, "a child is no leaf", tree);
        }
        std::vector<bool>& met = child >= 0 ? split_met : leaf_met;
        require(!met[at], "two splits share a child", tree);
        met[at] = true;
    }
}

void check_splits(const Dictionary& dictionary, const ForestArrays& forest, std::size_t tree) {
    const Trees& trees = forest.trees;
    AtomReader atom(trees);
    const double unit = forest.gain_unit[tree];
    require(std::isfinite(unit) && unit > 0.0, "the unit of gains is no positive number", tree);
    const auto end = static_cast<std::size_t>(trees.split_start[tree + 1]);
    for (auto s = static_cast<std::size_t>(trees.split_start[tree]); s < end; ++s) {
        require(std::isfinite(trees.threshold[s]), "a threshold is not finite", tree);
        require(std::isfinite(trees.gain[s]), "a gain is not finite", tree);
        require(dictionary.holds(atom(s)), "an atom that the projections cannot draw", tree);
    }
}

// Columns ascend within a leaf; values are finite, or the shares of all outputs add up to one.
void check_leaf(const ForestArrays& forest, const LeafColumns& columns, std::size_t leaf, std::size_t tree) {
    const double weight = forest.leaf_weight[leaf];
    require(std::isfinite(weight) && weight >= 0.0, "the weight of a leaf is not a finite number from 0 on",
            tree);
    const LeafValues& values = forest.values;
    const auto begin = static_cast<std::size_t>(values.start[leaf]);
    const auto end = static_cast<std::size_t>(values.start[leaf + 1]);
    double total = 0.0;
    for (std::size_t k = begin; k < end; ++k) {
        const std::int32_t least = k > begin ? values.column[k - 1] + 1 : 0;
        require(values.column[k] >= least && values.column[k] < columns.n_columns,
                "a column of a leaf's values is out of range", tree);
        require(std::isfinite(values.value[k]), "a value of a leaf is not finite", tree);
        require(columns.class_start.empty() || values.value[k] >= 0.0, "a share of a leaf is negative", tree);
        total += values.value[k];
    }
    if (columns.class_start.empty() || begin == end) return;
    const auto n_outputs = static_cast<double>(columns.class_start.size() - 1);
    require(std::abs(total - n_outputs) <= kShareSlack * n_outputs, "shares of a leaf do not add up to one",
            tree);
}

}  // namespace

void check_forest(const Dictionary& dictionary, const ForestArrays& forest, const LeafColumns& columns,
                  const Monitor& monitor) {
    check_sizes(forest);
    const Trees& trees = forest.trees;
    for (std::size_t tree = 0; tree + 1 < trees.split_start.size(); ++tree) {
        monitor.check();
        check_children(trees, tree);
        check_splits(dictionary, forest, tree);
        for (std::int64_t leaf = trees.leaf_start[tree]; leaf < trees.leaf_start[tree + 1]; ++leaf)
            check_leaf(forest, columns, static_cast<std::size_t>(leaf), tree);
    }
}

double most_terms(const Dictionary& dictionary, const Trees& trees, const Monitor& monitor) {
    AtomReader atom(trees);
    double n_terms = 0.0;
    for (std::size_t split = 0; split < trees.threshold.size(); ++split) {
        if (split % kCheckedTogether == 0) monitor.check();
        n_terms += static_cast<double>(dictionary.most_terms(atom(split)));
    }
    return n_terms;
}

}  // namespace foliation
