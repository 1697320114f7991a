// Sends blocks of rows down the trees; see forest.h.
#include <algorithm>

#include "forest.h"
#include "views/scan.h"

namespace foliation {

namespace {

constexpr std::int64_t kBlock = 256;

// Sends a row to its leaf; `value(words, row)` evaluates an atom.
template <class Value>
std::int32_t leaf_of(const Trees& trees, std::int64_t tree, std::int64_t row, const Value& value) {
    const std::int64_t base = trees.split_start[static_cast<std::size_t>(tree)];
    std::int32_t at = trees.n_splits(tree) > 0 ? 0 : ~0;
    while (at >= 0) {
        const auto split = static_cast<std::size_t>(base + at);
        const bool right = !(value(trees.atom(base + at), row) <= trees.threshold[split]);
        at = trees.children[2 * split + (right ? 1 : 0)];
    }
    return ~at;
}

// Calls visit(value) with an evaluator whose family and number type are fixed.
template <class Visit>
void with_evaluator(const Dictionary& dictionary, const View& view, Scratch& scratch, const Visit& visit) {
    std::visit(
        [&](const auto& columns, const auto& first) {
            if (!dictionary.is_mixture()) {
                visit([&](Words words, std::int64_t row) {
                    return first.decode(words, scratch).value(columns, view.tables[0], row);
                });
                return;
            }
            visit([&](Words words, std::int64_t row) {
                const auto& table = view.tables[static_cast<std::size_t>(words[0])];
                return std::visit(
                    [&](const auto& family) {
                        return family.decode(words.subspan(1), scratch).value(columns, table, row);
                    },
                    dictionary.member(words));
            });
        },
        view.matrix.columns, dictionary.members[0]);
}

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

void add_leaf(const Trees& trees, const LeafValues& values, std::int64_t tree, std::int32_t leaf,
              double* sums) {
    const auto at = static_cast<std::size_t>(trees.leaf_start[static_cast<std::size_t>(tree)] + leaf);
    const auto end = static_cast<std::size_t>(values.start[at + 1]);
    for (auto e = static_cast<std::size_t>(values.start[at]); e < end; ++e)
        sums[values.column[e]] += values.value[e];
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
        for (std::int64_t tree = 0; tree < n_trees && !monitor.stopped(); ++tree)
            for (std::int64_t row = 0; row < n; ++row)
                add_leaf(router.trees, values, tree, leaf(tree, row), sums + row * n_columns);
        for (std::int64_t k = 0; k < n * n_columns; ++k) sums[k] /= static_cast<double>(n_trees);
    });
}

void predict_out_of_bag(const Router& router, const LeafValues& values, const Matrix& matrix,
                        std::int32_t n_columns, const Sampling& sampling, double* out, std::int64_t* counts,
                        Monitor& monitor) {
    const std::int64_t n_trees = router.trees.n_trees();
    std::vector<std::vector<bool>> drawn(static_cast<std::size_t>(n_trees));
    for_each_task(n_trees, router.n_threads, monitor, [&](std::int64_t tree, int) {
        const std::vector<std::int32_t> times = draw_counts(sampling, tree);
        drawn[static_cast<std::size_t>(tree)].assign(times.begin(), times.end());
    });
    for_each_block(router, matrix, monitor, [&](std::int64_t first, std::int64_t n, const auto& leaf) {
        std::fill_n(out + first * n_columns, n * n_columns, 0.0);
        std::fill_n(counts + first, n, 0);
        for (std::int64_t tree = 0; tree < n_trees && !monitor.stopped(); ++tree) {
            const auto& mine = drawn[static_cast<std::size_t>(tree)];
            for (std::int64_t row = 0; row < n; ++row) {
                if (mine[static_cast<std::size_t>(first + row)]) continue;
                add_leaf(router.trees, values, tree, leaf(tree, row), out + (first + row) * n_columns);
                ++counts[first + row];
            }
        }
        for (std::int64_t row = first; row < first + n; ++row)
            for (std::int32_t k = 0; k < n_columns && counts[row] > 0; ++k)
                out[row * n_columns + k] /= static_cast<double>(counts[row]);
    });
}

}  // namespace foliation
