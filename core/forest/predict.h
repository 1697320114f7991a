// Predictions of a forest: the leaves that rows reach, and the means of their values.
#pragma once

#include "core/forest/forest.h"

namespace foliation {

// What is needed to send rows down the trees.
struct Router {
    const Dictionary& dictionary;
    std::span<const FixedPoint> fixed;
    const Trees& trees;
    Isa isa = Isa::baseline;
    int n_threads = 1;
};

// leaves[tree * n_rows + row] = the leaf of that row.
void apply_forest(const Router& router, const Matrix& matrix, std::int32_t* leaves, Monitor& monitor);

// Mean leaf values over the trees, rows x n_columns; out of the bag, over the trees that did not draw
// the row. Empty leaves take no part; a row that meets no other gets NaN.
void predict_forest(const Router& router, const LeafValues& values, const Matrix& matrix,
                    std::int32_t n_columns, double* out, Monitor& monitor);
void predict_out_of_bag(const Router& router, const LeafValues& values, const Matrix& matrix,
                        std::int32_t n_columns, const Sampling& sampling, double* out, Monitor& monitor);

}  // namespace foliation
