// Sends blocks of rows down all trees, and hands over the leaves they reach.
#pragma once

#include <functional>

#include "core/forest/predict.h"

namespace foliation {

// The leaves of some rows of a block in some trees: leaf[row * n_trees + tree], rows and trees counted from
// the first of each.
struct ReachedLeaves {
    std::int64_t first_row, n_rows;
    std::int64_t first_tree, n_trees;
    const std::int32_t* leaf;
};
// Is called for all rows and trees; for each row, trees come in order.
using LeafSink = std::function<void(const ReachedLeaves& reached)>;

// Is it worth a pass over all trees to send the rows down them faster?
bool are_many(const Router& router, const Matrix& matrix);

void descend(const Router& router, const Matrix& matrix, Monitor& monitor, const LeafSink& sink);

}  // namespace foliation
