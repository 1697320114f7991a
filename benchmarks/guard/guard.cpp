// One small fixed problem per run, for guard.py to count the instructions of: a fit of a few trees and a
// prediction of a few hundred rows, on one thread. Prints what the counts depend on, and a fingerprint of the
// forest and its predictions.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "benchmarks/guard/problems.h"
#include "tests/core/fingerprint.h"

using namespace foliation;
using namespace foliation::guard;

// Where guard.py parts the counts. The statement keeps calls from being dropped and work from being moved
// past them.
extern "C" __attribute__((noinline)) void guard_mark() { asm volatile("" ::: "memory"); }

namespace {

// What trees are grown on: the rows themselves, or views of them, in 16 bits where they are whole.
class Cells {
  public:
    template <class T>
    Cells(const Problem<T>& problem, std::int64_t first, std::int64_t count, Monitor& monitor)
        : matrix_(problem.rows(first, count)) {
        if (!problem.views) return;
        const SeriesViews views(problem.views->names, problem.views->grid);
        if (problem.whole) {
            see(views, narrow_, monitor);
        } else {
            see(views, wide_, monitor);
        }
    }
    const Matrix& matrix() const { return matrix_; }

  private:
    template <class Cell>
    void see(const SeriesViews& views, std::vector<Cell>& cells, Monitor& monitor) {
        const std::vector<double> scales(3, 1.0);
        cells = views.rows<Cell>(matrix_, scales, 1, monitor);
        const auto width = static_cast<std::int64_t>(views.n_cells());
        matrix_ = {Columns<Cell>{cells.data(), width, 1}, matrix_.n_rows, width};
    }

    Matrix matrix_;
    std::vector<std::int16_t> narrow_;
    std::vector<double> wide_;
};

template <class T>
Forest fit(const Problem<T>& problem, Isa isa, Monitor& monitor) {
    const Cells cells(problem, 0, problem.n_fit, monitor);
    const auto fixed = fixed_points(problem.dictionary, problem.max_abs);
    PreparedRows prepared =
        prepare_rows(problem.dictionary, cells.matrix(), fixed, problem.whole, problem.max_abs);
    prepared.fill_all(1, monitor);
    ForestRules rules;
    rules.criterion.name = problem.criterion;
    rules.criterion.variance_floor = 0.001;
    rules.grow.n_candidates = problem.n_candidates;
    rules.grow.cut.isa = rules.criterion.isa = isa;
    const Targets targets = problem.targets();
    if (problem.n_columns == 0) {  // as in a geodesic forest
        rules.grow.extra_candidates = 50;
        rules.grow.cut.limits.min_samples_leaf = 2;
    }
    Sampling sampling(5, problem.n_fit, problem.n_fit, true, {});
    sampling.structure_share = problem.structure_share;
    return fit_forest({problem.dictionary, prepared, targets, sampling}, {0, problem.n_trees}, rules,
                      monitor);
}

// Means of the leaves' values, or where there are none the leaves themselves.
template <class T>
std::vector<double> predict(const Problem<T>& problem, const Forest& forest, Isa isa, Monitor& monitor) {
    const Cells cells(problem, problem.n_fit, problem.n_predict, monitor);
    const auto fixed = fixed_points(problem.dictionary, problem.max_abs);
    const Trees trees = forest.trees();
    const Router router{problem.dictionary, fixed, trees, isa, 1};
    if (problem.n_columns == 0) {
        std::vector<std::int32_t> leaves(static_cast<std::size_t>(problem.n_predict * problem.n_trees));
        apply_forest(router, cells.matrix(), leaves.data(), monitor);
        return {leaves.begin(), leaves.end()};
    }
    std::vector<double> out(static_cast<std::size_t>(problem.n_predict * problem.n_columns));
    predict_forest(router, forest.leaf_values(problem.n_columns), cells.matrix(), out.data(), monitor);
    return out;
}

// The counts are parted into what comes before the fit, the fit, the prediction, and what follows.
template <class T>
std::uint64_t run(const Problem<T>& problem, Isa isa) {
    Monitor monitor;
    guard_mark();
    const Forest forest = fit(problem, isa, monitor);
    guard_mark();
    const std::vector<double> out = predict(problem, forest, isa, monitor);
    guard_mark();
    std::uint64_t hash = fingerprint(forest.threshold, kNoFingerprint);
    hash = fingerprint(forest.value, fingerprint(forest.atom_words, fingerprint(forest.gain, hash)));
    return fingerprint(out, hash);
}

// Not beyond AVX2, where valgrind ends.
Isa isa_to_count() { return std::min(chosen_isa(), Isa::avx2); }

// 0 if there is no case of this name.
std::uint64_t run_named(std::string_view name, Isa isa) {
    if (name == "images") return run(images(), isa);
    if (name == "circle") return run(circle(), isa);
    if (name == "oblique") return run(oblique(), isa);
    if (name == "axis") return run(axis(), isa);
    if (name == "series") return run(series(), isa);
    if (name == "edges") return run(edges(), isa);
    if (name == "regression") return run(regression(), isa);
    if (name == "geodesic") return run(geodesic(), isa);
    if (name == "honest") return run(honest(), isa);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view name = argc > 1 ? argv[1] : "";
    const Isa isa = isa_to_count();
    const std::uint64_t hash = run_named(name, isa);
    if (hash == 0) {
        std::fputs("usage: bench_guard CASE\n", stderr);
        return 2;
    }
#if defined(__clang__)
    std::printf("compiler clang %d.%d.%d\n", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    std::printf("compiler gcc %d.%d.%d\n", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
    std::printf("isa %s\n", isa == Isa::avx2 ? "avx2" : "baseline");
    std::printf("fingerprint %016llx\n", static_cast<unsigned long long>(hash));
}
