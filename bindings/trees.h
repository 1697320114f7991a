// The flat arrays of trees, which NumPy owns; the core reads them through spans.
#pragma once

#include "arrays.h"
#include "core/forest/forest.h"
#include "core/trees/check.h"

namespace foliation::bindings {

struct TreeArrays {
    In<std::int64_t> split_start, leaf_start;
    In<std::int32_t> children;
    In<double> threshold;
    In<float> gain;
    In<double> gain_unit;
    std::variant<In<std::int32_t>, In<std::int64_t>> atom_start;
    std::variant<In<std::int16_t>, In<std::int32_t>> atom_words;
    In<std::int64_t> value_start;
    In<std::int32_t> value_column;
    In<double> value;
    In<double> leaf_weight;

    Trees trees() const;
    LeafValues values(std::int32_t n_columns = 1) const {
        return {span_of(value_start), span_of(value_column), span_of(value), n_columns};
    }
    ForestArrays forest() const { return {trees(), span_of(gain_unit), values(), span_of(leaf_weight)}; }
};

// The arrays of trees that were just grown, handed to NumPy without a copy.
struct GrownArrays {
    nb::object split_start, leaf_start, children, threshold, gain, gain_unit, atom_start, atom_words,
        value_start, value_column, value, leaf_weight;

    explicit GrownArrays(Forest&& forest);
};

}  // namespace foliation::bindings
