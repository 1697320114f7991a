// A forest: trees and their leaves. Threads run over trees and parts of them when fitting and over blocks
// of rows when predicting; a prediction adds leaf values in the order of the trees, so its bits depend on
// neither.
#pragma once

#include "core/growth/grower.h"
#include "core/trees/leaves.h"

namespace foliation {

struct ForestRules {
    GrowRules grow;
    CriterionRules criterion;
    HonestPrior prior = HonestPrior::ancestor;
    int n_threads = 1;
};

// Trees and leaves one after the other; see Trees and LeafValues for the meaning of the arrays.
struct Forest {
    std::vector<std::int64_t> split_start{0}, leaf_start{0};
    std::vector<std::int32_t> children;
    std::vector<double> threshold;
    std::vector<float> gain;
    std::vector<double> gain_unit;  // per tree, a power of two: single precision holds gains of any size
    std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>> atom_start;
    std::variant<std::vector<std::int16_t>, std::vector<std::int32_t>> atom_words;
    std::vector<std::int64_t> value_start{0};
    std::vector<std::int32_t> value_column;
    std::vector<double> value;
    std::vector<double> leaf_weight;

    void append(const Tree& tree, const Leaves& leaves);
    Trees trees() const;
    LeafValues leaf_values() const { return {value_start, value_column, value}; }
};

struct TreeRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

// Those trees of the forest that `sampling` and `rules` describe; incomplete if the monitor was stopped.
Forest fit_forest(const Dictionary& dictionary, const View& view, const Targets& targets,
                  const Sampling& sampling, TreeRange range, const ForestRules& rules, Monitor& monitor);

}  // namespace foliation
