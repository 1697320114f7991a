// Sends blocks of rows down the trees; see forest.h.
#include <algorithm>
#include <array>

#include "forest.h"
#include "route.h"
#include "views/scan.h"

namespace foliation {

namespace {

constexpr std::int64_t kBlock = 256;

// Calls use(first_row, leaf) for every block, where leaf(tree, row) routes a row of the block.
template <class Use>
void for_each_block(const Router& router, const Matrix& matrix, Monitor& monitor, const Use& use) {
    const std::int64_t n_blocks = (matrix.n_rows + kBlock - 1) / kBlock;
    std::vector<Scratch> scratches(static_cast<std::size_t>(std::max(1, router.n_threads)));
    for_each_task(n_blocks, router.n_threads, monitor, [&](std::int64_t block, int worker) {
        const std::int64_t first = block * kBlock;
        const Matrix part = matrix.from_row(first, std::min(kBlock, matrix.n_rows - first));
        const Scan block_scan = scan_rows(part, router.isa);
        View view(router.dictionary, part, router.fixed, block_scan.whole, block_scan.max_abs);
        view.fill(router.dictionary, 0, part.n_rows);
        with_evaluator(router.dictionary, view, scratches[static_cast<std::size_t>(worker)],
                       [&](const auto& value) {
                           use(first, part.n_rows, [&](std::int64_t tree, std::int64_t row) {
                               return leaf_of(router.trees, tree, row, value);
                           });
                       });
    });
}

// Returns 1 if the leaf holds anything, 0 if it is empty.
std::int64_t add_leaf(const Trees& trees, const LeafValues& values, std::int64_t tree, std::int32_t leaf,
                      double* sums) {
    const auto at = static_cast<std::size_t>(trees.leaf_start[static_cast<std::size_t>(tree)] + leaf);
    const auto end = static_cast<std::size_t>(values.start[at + 1]);
    const auto begin = static_cast<std::size_t>(values.start[at]);
    for (std::size_t e = begin; e < end; ++e) sums[values.column[e]] += values.value[e];
    return begin < end ? 1 : 0;
}

// Sums become means over the trees that said something; NaN where none did.
void divide(double* sums, std::int32_t n_columns, std::int64_t n_trees) {
    for (std::int32_t k = 0; k < n_columns; ++k) sums[k] /= static_cast<double>(n_trees);
}

}  // namespace

void apply_forest(const Router& router, const Matrix& matrix, std::int64_t* leaves, Monitor& monitor) {
    const std::int64_t n_trees = router.trees.n_trees();
    for_each_block(router, matrix, monitor, [&](std::int64_t first, std::int64_t n, const auto& leaf) {
        for (std::int64_t tree = 0; tree < n_trees && !monitor.stopped(); ++tree)
            for (std::int64_t row = 0; row < n; ++row)
                leaves[(first + row) * n_trees + tree] = leaf(tree, row);
    });
}

void predict_forest(const Router& router, const LeafValues& values, const Matrix& matrix,
                    std::int32_t n_columns, double* out, Monitor& monitor) {
    const std::int64_t n_trees = router.trees.n_trees();
    for_each_block(router, matrix, monitor, [&](std::int64_t first, std::int64_t n, const auto& leaf) {
        double* sums = out + first * n_columns;
        std::fill_n(sums, n * n_columns, 0.0);
        std::array<std::int64_t, kBlock> counts{};
        for (std::int64_t tree = 0; tree < n_trees && !monitor.stopped(); ++tree)
            for (std::int64_t row = 0; row < n; ++row)
                counts[static_cast<std::size_t>(row)] +=
                    add_leaf(router.trees, values, tree, leaf(tree, row), sums + row * n_columns);
        for (std::int64_t row = 0; row < n; ++row)
            divide(sums + row * n_columns, n_columns, counts[static_cast<std::size_t>(row)]);
    });
}

void predict_out_of_bag(const Router& router, const LeafValues& values, const Matrix& matrix,
                        std::int32_t n_columns, const Sampling& sampling, double* out, Monitor& monitor) {
    const std::int64_t n_trees = router.trees.n_trees();
    std::vector<std::vector<bool>> drawn(static_cast<std::size_t>(n_trees));
    for_each_task(n_trees, router.n_threads, monitor, [&](std::int64_t tree, int) {
        const std::vector<std::int32_t> times = draw_counts(sampling, tree);
        drawn[static_cast<std::size_t>(tree)].assign(times.begin(), times.end());
    });
    for_each_block(router, matrix, monitor, [&](std::int64_t first, std::int64_t n, const auto& leaf) {
        for (std::int64_t row = 0; row < n && !monitor.stopped(); ++row) {
            double* sums = out + (first + row) * n_columns;
            std::fill_n(sums, n_columns, 0.0);
            std::int64_t count = 0;
            for (std::int64_t tree = 0; tree < n_trees; ++tree)
                if (!drawn[static_cast<std::size_t>(tree)][static_cast<std::size_t>(first + row)])
                    count += add_leaf(router.trees, values, tree, leaf(tree, row), sums);
            divide(sums, n_columns, count);
        }
    });
}

}  // namespace foliation
