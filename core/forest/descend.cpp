#include "core/forest/descend.h"

#include <algorithm>
#include <array>

#include "core/data/scan.h"
#include "core/trees/route.h"
#include "core/trees/steps.h"

namespace foliation {

namespace {

constexpr std::int64_t kFewRows = 8;  // fewer go down many trees at a time instead of many rows down one

// As many rows as a cache holds together, but enough blocks to keep all threads at work to the end. Large
// trees want more rows, since each block reads them anew; then all threads get as many blocks.
std::int64_t rows_per_block(const Router& router, const Matrix& matrix) {
    constexpr std::int64_t kCache = 512 * 1024;
    std::int64_t row_bytes = matrix.n_features * 4;
    for (const Family& family : router.dictionary.members)
        if (const TableShape* shape = table_shape(family)) row_bytes = shape->n_cells * 2;
    const std::int64_t n_threads = std::max(1, router.n_threads);
    const std::int64_t fair = matrix.n_rows / (4 * n_threads);
    const std::int64_t cached = std::min(kCache / std::max<std::int64_t>(1, row_bytes), fair);
    const std::int64_t wanted =
        router.trees.split_start.back() / std::max<std::int64_t>(1, 2 * router.trees.n_trees());
    if (wanted <= cached) return std::clamp<std::int64_t>(cached, 256, 4096);
    const std::int64_t rounds = std::max<std::int64_t>(1, matrix.n_rows / (n_threads * wanted));
    return std::clamp<std::int64_t>((matrix.n_rows + rounds * n_threads - 1) / (rounds * n_threads), 256,
                                    8192);
}

// Rows that are sent down the trees together.
struct Block {
    std::int64_t first_row;
    std::int64_t n_rows;
    PreparedRows prepared;
    Scratch& scratch;
};

// Calls use(block) for all rows.
template <class Use>
void for_each_block(const Router& router, const Matrix& matrix, Monitor& monitor, const Use& use) {
    const std::int64_t size = rows_per_block(router, matrix);
    const std::int64_t n_blocks = (matrix.n_rows + size - 1) / size;
    std::vector<Scratch> scratches(static_cast<std::size_t>(std::max(1, router.n_threads)));
    for (Scratch& scratch : scratches) scratch.monitor = &monitor;
    for_each_short_task(n_blocks, router.n_threads, monitor, [&](std::int64_t number, int worker) {
        const std::int64_t first = number * size;
        const Matrix part = matrix.from_row(first, std::min(size, matrix.n_rows - first));
        const Scan scanned = scan_rows(part, router.isa);
        Block block{first, part.n_rows,
                    prepare_rows(router.dictionary, part, router.fixed, scanned.whole, scanned.max_abs),
                    scratches[static_cast<std::size_t>(worker)]};
        block.prepared.fill(0, part.n_rows);
        use(block);
    });
}

// A function of its own: within its callers the compiler finds too few registers for it.
template <class Form, class Right>
[[gnu::noinline]] void follow(const Trees& trees, const Steps<Form>& steps, const Block& block,
                              Monitor& monitor, const Right& right, const LeafSink& sink) {
    const auto n = static_cast<std::size_t>(block.n_rows);
    Descent descent(n);
    std::vector<std::int32_t> leaf(n);
    for (std::int64_t tree = 0; tree < trees.n_trees(); ++tree) {
        monitor.check();
        if (trees.n_splits(tree) > 0) {
            const Step<Form>* root = steps.data() + trees.split_start[static_cast<std::size_t>(tree)];
            descent.run(root, right, leaf.data());
        } else {
            std::fill(leaf.begin(), leaf.end(), 0);
        }
        sink({block.first_row, block.n_rows, tree, 1, leaf.data()});
    }
}

// Which way rows go, by form; see Descent.

template <class T>
struct ByFeature {
    Columns<T> x;

    bool operator()(const Step<FeatureForm>& step, std::uint32_t row) const {
        const T value = x.row(row)[step.form.id];
        if constexpr (std::is_integral_v<T>)
            return !goes_left(std::int32_t{value}, step.form.whole_threshold);
        return !goes_left(static_cast<double>(value), step.threshold);
    }
    void fetch(const Step<FeatureForm>& step, std::uint32_t row) const { x.row(row).prefetch(step.form.id); }
};

template <class T>
struct BySum {
    Columns<T> x;
    const SparseTerm* terms;  // those set apart

    template <class Form, std::size_t kTerms = 0>
    bool operator()(const Step<Form>& step, std::uint32_t row, Few<kTerms> = {}) const {
        return !goes_left(step.form.template sum<kTerms>(x.row(row), terms), step.threshold);
    }
    template <class Form>
    void fetch(const Step<Form>& step, std::uint32_t row) const {
        step.form.fetch(x.row(row));
    }
};

template <class Cell>
struct ByBox {
    const Cell* cells;
    std::int64_t n_cells;  // of a row
    double unit;

    template <std::size_t kSide>
    bool operator()(const Step<BoxForm<kSide>>& step, std::uint32_t row) const {
        const auto sum = step.form.sum(cells + row * n_cells);
        if constexpr (sizeof(Cell) < 8) return !goes_left(std::int32_t{sum}, step.form.whole_threshold);
        return !goes_left(static_cast<double>(sum) * unit, step.threshold);
    }
    template <std::size_t kSide>
    void fetch(const Step<BoxForm<kSide>>& step, std::uint32_t row) const {
        step.form.fetch(cells + row * n_cells);
    }
};

// As the trees are stored.
void follow_words(const Router& router, Block& block, Monitor& monitor, const LeafSink& sink) {
    const std::int64_t n_trees = router.trees.n_trees();
    const bool by_row = block.n_rows < kFewRows;
    const std::int64_t n_outer = by_row ? block.n_rows : n_trees;
    const std::int64_t n_inner = by_row ? n_trees : block.n_rows;
    constexpr auto kTogether = static_cast<std::int64_t>(kMostWalks);
    std::array<Walk, kMostWalks> walks;
    std::array<std::int32_t, kMostWalks> leaf;
    with_walker(router.dictionary, block.prepared, router.trees, block.scratch, [&](const WalkAll& walk_all) {
        for (std::int64_t outer = 0; outer < n_outer; ++outer) {
            monitor.check();
            for (std::int64_t begin = 0; begin < n_inner; begin += kTogether) {
                const std::int64_t count = std::min(kTogether, n_inner - begin);
                const auto some = std::span(walks).first(static_cast<std::size_t>(count));
                for (std::int64_t k = 0; k < count; ++k)
                    walks[static_cast<std::size_t>(k)] =
                        start(router.trees, by_row ? begin + k : outer, by_row ? outer : begin + k);
                walk_all(some);
                std::transform(some.begin(), some.end(), leaf.begin(), [](const Walk& w) { return ~w.at; });
                if (by_row) {
                    sink({block.first_row + outer, 1, begin, count, leaf.data()});
                } else {
                    sink({block.first_row + begin, count, outer, 1, leaf.data()});
                }
            }
        }
    });
}

void follow_steps(const Router& router, std::monostate, Block& block, Monitor& monitor,
                  const LeafSink& sink) {
    follow_words(router, block, monitor, sink);
}

void follow_steps(const Router& router, const Steps<FeatureForm>& steps, Block& block, Monitor& monitor,
                  const LeafSink& sink) {
    std::visit(
        [&]<class T>(const Columns<T>& x) {
            follow(router.trees, steps, block, monitor, ByFeature<T>{x}, sink);
        },
        block.prepared.matrix.columns);
}

template <class Form>
void follow_steps(const Router& router, const SumSteps<Form>& sums, Block& block, Monitor& monitor,
                  const LeafSink& sink) {
    std::visit(
        [&]<class T>(const Columns<T>& x) {
            follow(router.trees, sums.steps, block, monitor, BySum<T>{x, sums.terms.data()}, sink);
        },
        block.prepared.matrix.columns);
}

template <std::size_t kSide>
void follow_steps(const Router& router, const Steps<BoxForm<kSide>>& steps, Block& block, Monitor& monitor,
                  const LeafSink& sink) {
    const IntegralTable& table = block.prepared.tables[0];
    table.with_cells([&]<class Cell>(const Cell* cells) {
        follow(router.trees, steps, block, monitor, ByBox<Cell>{cells, table.n_cells(), table.step()}, sink);
    });
}

}  // namespace

bool are_many(const Router& router, const Matrix& matrix) {
    return 2 * matrix.n_rows * router.trees.n_trees() >
           static_cast<std::int64_t>(router.trees.threshold.size());
}

void descend(const Router& router, const Matrix& matrix, Monitor& monitor, const LeafSink& sink) {
    const AnySteps any_steps = are_many(router, matrix)
                                   ? write_steps(router.dictionary, router.trees, router.n_threads, monitor)
                                   : AnySteps();
    for_each_block(router, matrix, monitor, [&](Block& block) {
        if (block.prepared.tables[0].any_out_of_range()) return follow_words(router, block, monitor, sink);
        std::visit([&](const auto& steps) { follow_steps(router, steps, block, monitor, sink); }, any_steps);
    });
}

}  // namespace foliation
