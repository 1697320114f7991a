#include "core/forest/predict.h"

#include <algorithm>

#include "core/forest/descend.h"

namespace foliation {

namespace {

// Calls use(row, tree, leaf) for all that was reached.
template <class Use>
void for_each_leaf(const ReachedLeaves& reached, const Use& use) {
    for (std::int64_t tree = 0; tree < reached.n_trees; ++tree)
        for (std::int64_t row = 0; row < reached.n_rows; ++row)
            use(reached.first_row + row, reached.first_tree + tree,
                reached.leaf[row * reached.n_trees + tree]);
}

// Do all leaves hold one value each, as those of trees grown to pure leaves do?
bool one_value_each(const LeafValues& values) {
    std::int64_t number = 0;
    return std::all_of(values.start.begin(), values.start.end(),
                       [&](std::int64_t start) { return start == number++; });
}

// Both return whether the leaf holds anything.
bool add_leaf(const LeafValues& values, std::int64_t leaf, double* sums) {
    const auto end = static_cast<std::size_t>(values.start[static_cast<std::size_t>(leaf) + 1]);
    const auto begin = static_cast<std::size_t>(values.start[static_cast<std::size_t>(leaf)]);
    for (std::size_t e = begin; e < end; ++e) sums[values.column[e]] += values.value[e];
    return begin < end;
}
bool add_only_value(const LeafValues& values, std::int64_t leaf, double* sums) {
    const auto at = static_cast<std::size_t>(leaf);
    sums[values.column[at]] += values.value[at];
    return true;
}

// Sums become what they are combined to; n_trees are those with a prediction.
void combine(const LeafValues& values, double* sums, std::int64_t n_trees) {
    if (values.combine == Combine::sum) return;
    for (std::int32_t k = 0; k < values.n_columns; ++k) sums[k] /= static_cast<double>(n_trees);
}

}  // namespace

void apply_forest(const Router& router, const Matrix& matrix, std::int32_t* leaves, Monitor& monitor) {
    descend(router, matrix, monitor, [&](const ReachedLeaves& reached) {
        for_each_leaf(reached, [&](std::int64_t row, std::int64_t tree, std::int32_t leaf) {
            leaves[tree * matrix.n_rows + row] = leaf;
        });
    });
}

namespace {

// Combines leaf values over the trees that take part: takes_part(tree, row).
template <class TakesPart>
void predict_some(const Router& router, const LeafValues& values, const Matrix& matrix, double* out,
                  Monitor& monitor, const TakesPart& takes_part) {
    const std::int32_t n_columns = values.n_columns;
    std::fill_n(out, matrix.n_rows * n_columns, 0.0);
    std::vector<std::int64_t> n_without(
        static_cast<std::size_t>(matrix.n_rows));  // trees without a prediction
    const std::int64_t* leaf_start = router.trees.leaf_start.data();
    const auto sum_up = [&](const auto& add) {
        descend(router, matrix, monitor, [&](const ReachedLeaves& reached) {
            for_each_leaf(reached, [&](std::int64_t row, std::int64_t tree, std::int32_t leaf) {
                if (!takes_part(tree, row) || !add(leaf_start[tree] + leaf, out + row * n_columns))
                    ++n_without[static_cast<std::size_t>(row)];
            });
        });
    };
    if (are_many(router, matrix) && one_value_each(values)) {
        sum_up([&](std::int64_t leaf, double* sums) { return add_only_value(values, leaf, sums); });
    } else {
        sum_up([&](std::int64_t leaf, double* sums) { return add_leaf(values, leaf, sums); });
    }
    for (std::int64_t row = 0; row < matrix.n_rows; ++row)
        combine(values, out + row * n_columns,
                router.trees.n_trees() - n_without[static_cast<std::size_t>(row)]);
}

}  // namespace

void predict_forest(const Router& router, const LeafValues& values, const Matrix& matrix, double* out,
                    Monitor& monitor) {
    predict_some(router, values, matrix, out, monitor, [](std::int64_t, std::int64_t) { return true; });
}

void predict_out_of_bag(const Router& router, const LeafValues& values, const Matrix& matrix,
                        const Sampling& sampling, double* out, Monitor& monitor) {
    const std::int64_t n_trees = router.trees.n_trees();
    const std::vector<std::uint64_t> bits = membership(sampling, n_trees, true, router.n_threads, monitor);
    const Membership members{bits, static_cast<std::size_t>(n_trees + 63) / 64};
    predict_some(router, values, matrix, out, monitor, [&](std::int64_t tree, std::int64_t row) {
        return members.has(static_cast<std::size_t>(row), static_cast<std::size_t>(tree));
    });
}

}  // namespace foliation
