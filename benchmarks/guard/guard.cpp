// Four small fixed problems, one per run, for guard.py to count the instructions of: a fit of a few trees
// and a prediction of a few hundred rows, on one thread. Prints what the counts depend on, and a
// fingerprint of the forest and its predictions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/forest.h"
#include "tests/core/fingerprint.h"

using namespace foliation;

// Where guard.py parts the counts. The statement keeps calls from being dropped and work from being moved
// past them.
extern "C" __attribute__((noinline)) void guard_mark() { asm volatile("" ::: "memory"); }

namespace {

// The rows to predict follow the rows to fit.
template <class T>
struct Problem {
    Dictionary dictionary;
    std::int64_t n_fit = 0, n_predict = 0, n_trees = 0, n_candidates = 0;
    bool whole = false;
    double max_abs = 0.0;
    std::int32_t n_classes = 0;  // 0: regression
    std::vector<T> x{};
    std::vector<std::int32_t> classes{};
    std::vector<double> values{};

    std::int32_t n_columns() const { return std::max(1, n_classes); }
    std::size_t n_rows() const { return static_cast<std::size_t>(n_fit + n_predict); }
    Matrix rows(std::int64_t first, std::int64_t count) const {
        const std::int32_t p = dictionary.n_features;
        return Matrix{Columns<T>{x.data(), p, 1}, n_fit + n_predict, p}.from_row(first, count);
    }
};

// Images of one byte a pixel: noise, and a square at the place of the class.
Problem<std::uint8_t> images() {
    const PatchAxis axis{28, 1, 8, false, true};
    Problem<std::uint8_t> problem{
        .dictionary = {{Patches({axis, axis}, Border::pad, Weights::ones, 0.5)}, {1.0}, 28 * 28},
        .n_fit = 400,
        .n_predict = 300,
        .n_trees = 4,
        .n_candidates = 28,
        .whole = true,
        .max_abs = 255.0,
        .n_classes = 10};
    Rng rng(1);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        const std::int32_t label = rng.between(0, 9);
        const std::int32_t top = 2 * label + rng.between(0, 3), left = (7 * label) % 20 + rng.between(0, 3);
        problem.classes.push_back(label);
        for (std::int32_t row = 0; row < 28; ++row)
            for (std::int32_t column = 0; column < 28; ++column) {
                const bool inside =
                    row - top >= 0 && row - top < 5 && column - left >= 0 && column - left < 5;
                problem.x.push_back(static_cast<std::uint8_t>(rng.between(0, inside ? 255 : 160)));
            }
    }
    return problem;
}

// Zeros and ones on a circle of 100: two arcs, of 5 and 5 or of 4 and 6.
Problem<float> circle() {
    Problem<float> problem{
        .dictionary = {{Patches({{100, 1, 12, true, true}}, Border::pad, Weights::ones, 0.0)}, {1.0}, 100},
        .n_fit = 600,
        .n_predict = 500,
        .n_trees = 5,
        .n_candidates = 10,
        .whole = true,
        .max_abs = 1.0,
        .n_classes = 2};
    Rng rng(2);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        const std::int32_t label = rng.between(0, 1);
        const std::int32_t first = rng.between(0, 99), gap = rng.between(10, 80);
        problem.classes.push_back(label);
        for (std::int32_t at = 0; at < 100; ++at) {
            const std::int32_t from_first = (at - first + 100) % 100;
            const bool inside = from_first < 5 - label || (from_first >= gap && from_first < gap + 5 + label);
            problem.x.push_back(inside ? 1.0F : 0.0F);
        }
    }
    return problem;
}

// Regression on a few sums of columns.
Problem<float> oblique() {
    Problem<float> problem{.dictionary = {{Sparse(20, 3.0, Weights::signs)}, {1.0}, 20},
                           .n_fit = 800,
                           .n_predict = 500,
                           .n_trees = 6,
                           .n_candidates = 6,
                           .max_abs = 10.0};
    Rng rng(3);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        for (int id = 0; id < 20; ++id) problem.x.push_back(static_cast<float>(rng.normal()));
        const float* row = &problem.x[i * 20];
        problem.values.push_back(static_cast<double>(row[0] + row[1]) -
                                 static_cast<double>(row[2]) * static_cast<double>(row[3]) +
                                 0.5 * rng.normal());
    }
    return problem;
}

// Three classes by single columns; enough rows for histograms.
Problem<double> axis() {
    Problem<double> problem{.dictionary = {{Axis{16}}, {1.0}, 16},
                            .n_fit = 8000,
                            .n_predict = 2000,
                            .n_trees = 3,
                            .n_candidates = 4,
                            .max_abs = 10.0,
                            .n_classes = 3};
    Rng rng(4);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        for (int id = 0; id < 16; ++id) problem.x.push_back(rng.normal());
        const double* row = &problem.x[i * 16];
        const double score = row[0] + (row[1] > 0.5 ? 1.0 : 0.0) + 0.3 * row[2] + 0.3 * rng.normal();
        problem.classes.push_back(score < -0.2 ? 0 : score < 0.8 ? 1 : 2);
    }
    return problem;
}

template <class T>
Forest fit(const Problem<T>& problem, Isa isa, Monitor& monitor) {
    const auto fixed = fixed_points(problem.dictionary, problem.max_abs);
    View view(problem.dictionary, problem.rows(0, problem.n_fit), fixed, problem.whole, problem.max_abs);
    fill_view(view, problem.dictionary, 1, monitor);
    ForestRules rules;
    rules.criterion.name = problem.n_classes > 0 ? "gini" : "squared_error";
    rules.grow.n_candidates = problem.n_candidates;
    rules.grow.cut.isa = isa;
    const Targets targets{problem.classes, problem.values, 1, problem.n_columns(), {}};
    const Sampling sampling(5, problem.n_fit, problem.n_fit, true, {});
    return fit_forest(problem.dictionary, view, targets, sampling, {0, problem.n_trees}, rules, monitor);
}

template <class T>
std::vector<double> predict(const Problem<T>& problem, const Forest& forest, Isa isa, Monitor& monitor) {
    const auto fixed = fixed_points(problem.dictionary, problem.max_abs);
    const Trees trees = forest.trees();
    std::vector<double> out(static_cast<std::size_t>(problem.n_predict * problem.n_columns()));
    predict_forest({problem.dictionary, fixed, trees, isa, 1}, forest.leaf_values(),
                   problem.rows(problem.n_fit, problem.n_predict), problem.n_columns(), out.data(), monitor);
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
Isa chosen_isa() {
    const char* forced = std::getenv("FOLIATION_ISA");
    if (forced != nullptr && std::string_view(forced) == "baseline") return Isa::baseline;
    return std::min(newest_isa(), Isa::avx2);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view name = argc > 1 ? argv[1] : "";
    const Isa isa = chosen_isa();
    std::uint64_t hash = 0;
    if (name == "images") {
        hash = run(images(), isa);
    } else if (name == "circle") {
        hash = run(circle(), isa);
    } else if (name == "oblique") {
        hash = run(oblique(), isa);
    } else if (name == "axis") {
        hash = run(axis(), isa);
    } else {
        std::fputs("usage: bench_guard images|circle|oblique|axis\n", stderr);
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
