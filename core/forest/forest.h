// A fitted forest: trees and their leaves, as flat arrays. Threads run over trees and parts of them; since
// trees are stored by number, the arrays do not depend on the number of threads.
#pragma once

#include "core/forest/trainer.h"

namespace foliation {

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
    LeafValues leaf_values(std::int32_t n_columns) const {
        return {value_start, value_column, value, n_columns};
    }
};

// The trees of this range; incomplete if the monitor was stopped.
Forest fit_forest(const TrainingData& data, TreeRange range, const ForestRules& rules, Monitor& monitor);

}  // namespace foliation
