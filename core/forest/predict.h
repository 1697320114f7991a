// Predictions of a forest: the leaves that rows reach, and their values combined.
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

// Leaf values combined over the trees, rows x n_columns. Leaves without a value take no part; a mean over no
// tree is NaN. Sums run in the order of the trees. Out of the bag, only the trees that did not draw the row
// take part.
void predict_forest(const Router& router, const LeafValues& values, const Matrix& matrix, double* out,
                    Monitor& monitor);
void predict_out_of_bag(const Router& router, const LeafValues& values, const Matrix& matrix,
                        const Sampling& sampling, double* out, Monitor& monitor);

}  // namespace foliation
