// Trees of single features, written by hand.
#pragma once

#include <utility>
#include <vector>

#include "core/trees/tree.h"

struct AxisSplit {
    std::int32_t feature;
    double threshold;
    std::int32_t left, right;  // a split, or ~leaf
    float gain = 1.0F;
};

struct AxisTrees {
    std::vector<std::int64_t> split_start{0}, leaf_start{0};
    std::vector<std::int32_t> children, words;
    std::vector<double> threshold;
    std::vector<float> gain;

    void add(const std::vector<AxisSplit>& splits) {
        for (const AxisSplit& split : splits) {
            children.insert(children.end(), {split.left, split.right});
            words.push_back(split.feature);
            threshold.push_back(split.threshold);
            gain.push_back(split.gain);
        }
        split_start.push_back(split_start.back() + std::ssize(splits));
        leaf_start.push_back(leaf_start.back() + std::ssize(splits) + 1);
    }
    foliation::Trees trees() const {
        return {split_start, leaf_start, children, threshold, gain, {}, std::span<const std::int32_t>(words)};
    }

    // The leaf of a row, found step by step.
    std::int32_t leaf_of(std::size_t tree, const double* row) const {
        const auto first = static_cast<std::size_t>(split_start[tree]);
        std::int32_t at = split_start[tree] < split_start[tree + 1] ? 0 : ~0;
        while (at >= 0) {
            const std::size_t s = first + static_cast<std::size_t>(at);
            at = children[2 * s + (row[words[s]] <= threshold[s] ? 0 : 1)];
        }
        return ~at;
    }
};

// Three trees of two features: one of three splits, one of none, one of one.
inline AxisTrees three_trees() {
    AxisTrees trees;
    trees.add({{0, 0.0, 1, 2, 3.0F}, {1, -1.0, ~0, ~1, 1.0F}, {1, 1.0, ~2, ~3, 0.0F}});
    trees.add({});
    trees.add({{1, 0.5, ~0, ~1, 2.0F}});
    return trees;
}
