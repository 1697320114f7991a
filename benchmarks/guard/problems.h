// The fixed problems of the instruction guard: what is fitted, and how. The rows to predict follow the rows
// to fit.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "core/forest/predict.h"
#include "core/views/series.h"

namespace foliation::guard {

// Views of the rows, each a grid of its own in a row of cells.
struct ViewedGrid {
    std::vector<std::string> names;
    SeriesGrid grid;
};

template <class T>
struct Problem {
    Dictionary dictionary;
    std::int64_t n_fit = 0, n_predict = 0, n_trees = 0, n_candidates = 0;
    bool whole = false;
    double max_abs = 0.0;
    std::int32_t n_columns = 0;  // classes or outputs; 0: there are no targets
    const char* criterion = "gini";
    double structure_share = 1.0;
    std::optional<ViewedGrid> views{};
    std::vector<T> x{};
    std::vector<std::int32_t> classes{};
    std::vector<double> values{};

    std::size_t n_rows() const { return static_cast<std::size_t>(n_fit + n_predict); }
    Matrix rows(std::int64_t first, std::int64_t count) const {
        const std::int64_t p = static_cast<std::int64_t>(x.size()) / (n_fit + n_predict);
        return Matrix{Columns<T>{x.data(), p, 1}, n_fit + n_predict, p}.from_row(first, count);
    }
    Targets targets() const {
        const std::int32_t n_outputs = classes.empty() ? n_columns : 1;
        return {classes, values, n_outputs, n_columns, {}};
    }
};

// Images of one byte a pixel: noise, and a square at the place of the class.
inline Problem<std::uint8_t> images() {
    const PatchAxis axis{28, 1, 8, false, true};
    Problem<std::uint8_t> problem{
        .dictionary = {{Patches({axis, axis}, Border::pad, Weights::ones, 0.5)}, {1.0}, 28 * 28},
        .n_fit = 400,
        .n_predict = 300,
        .n_trees = 4,
        .n_candidates = 28,
        .whole = true,
        .max_abs = 255.0,
        .n_columns = 10};
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
inline Problem<float> circle() {
    Problem<float> problem{
        .dictionary = {{Patches({{100, 1, 12, true, true}}, Border::pad, Weights::ones, 0.0)}, {1.0}, 100},
        .n_fit = 600,
        .n_predict = 500,
        .n_trees = 5,
        .n_candidates = 10,
        .whole = true,
        .max_abs = 1.0,
        .n_columns = 2};
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
inline Problem<float> oblique() {
    Problem<float> problem{.dictionary = {{Sparse(20, 3.0, Weights::signs)}, {1.0}, 20},
                           .n_fit = 800,
                           .n_predict = 500,
                           .n_trees = 6,
                           .n_candidates = 6,
                           .max_abs = 10.0,
                           .n_columns = 1,
                           .criterion = "squared_error"};
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
inline Problem<double> axis() {
    Problem<double> problem{.dictionary = {{Axis{16}}, {1.0}, 16},
                            .n_fit = 8000,
                            .n_predict = 2000,
                            .n_trees = 3,
                            .n_candidates = 4,
                            .max_abs = 10.0,
                            .n_columns = 3};
    Rng rng(4);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        for (int id = 0; id < 16; ++id) problem.x.push_back(rng.normal());
        const double* row = &problem.x[i * 16];
        const double score = row[0] + (row[1] > 0.5 ? 1.0 : 0.0) + 0.3 * row[2] + 0.3 * rng.normal();
        problem.classes.push_back(score < -0.2 ? 0 : score < 0.8 ? 1 : 2);
    }
    return problem;
}

// Two classes of series by their rhythm, seen as they are, as differences and as a spectrum.
inline Problem<float> series() {
    const auto patches = [](std::int32_t view, std::int32_t length) {
        return Patches({{length, 1, 8, false, true}}, Border::pad, Weights::ones, 0.5, {64 * view, 64});
    };
    Problem<float> problem{
        .dictionary = {{patches(0, 64), patches(1, 63), patches(2, 32)}, {0.4, 0.7, 1.0}, 3 * 64},
        .n_fit = 400,
        .n_predict = 300,
        .n_trees = 5,
        .n_candidates = 14,
        .max_abs = 200.0,
        .n_columns = 2,
        .views = ViewedGrid{{"raw", "difference", "spectrum"}, {1, 64, false}}};
    Rng rng(6);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        const std::int32_t label = rng.between(0, 1);
        const std::int32_t phase = rng.between(0, 15);
        problem.classes.push_back(label);
        for (std::int32_t at = 0; at < 64; ++at) {
            const double wave = root_of_unity((at + phase) % (16 - 3 * label), 16 - 3 * label).re;
            problem.x.push_back(static_cast<float>(wave + 1.5 * rng.normal()));
        }
    }
    return problem;
}

// Byte images and their edges: three classes by the side of an image that is brighter.
inline Problem<std::uint8_t> edges() {
    const auto patches = [](std::int32_t view, std::int32_t height, std::int32_t width) {
        return Patches({{height, 1, 5, false, true}, {width, 1, 5, false, true}}, Border::pad, Weights::ones,
                       0.0, {144 * view, 12});
    };
    Problem<std::uint8_t> problem{.dictionary = {{patches(0, 12, 12), patches(1, 12, 11), patches(2, 12, 12)},
                                                 {0.4, 0.7, 1.0},
                                                 3 * 144},
                                  .n_fit = 400,
                                  .n_predict = 300,
                                  .n_trees = 5,
                                  .n_candidates = 20,
                                  .whole = true,
                                  .max_abs = 255.0,
                                  .n_columns = 3,
                                  .views = ViewedGrid{{"raw", "east", "south"}, {12, 12, false, 12, false}}};
    Rng rng(7);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        const std::int32_t label = rng.between(0, 2);
        problem.classes.push_back(label);
        for (std::int32_t row = 0; row < 12; ++row)
            for (std::int32_t column = 0; column < 12; ++column) {
                const bool bright = (label == 1 && row > 6) || (label == 2 && column > 6);
                problem.x.push_back(
                    static_cast<std::uint8_t>(rng.between(bright ? 60 : 0, bright ? 250 : 200)));
            }
    }
    return problem;
}

// Two outputs that are sums over parts of a series.
inline Problem<float> regression() {
    Problem<float> problem{
        .dictionary = {{Patches({{50, 1, 10, false, true}}, Border::inside, Weights::ones, 0.0)}, {1.0}, 50},
        .n_fit = 500,
        .n_predict = 400,
        .n_trees = 5,
        .n_candidates = 8,
        .max_abs = 10.0,
        .n_columns = 2,
        .criterion = "squared_error"};
    Rng rng(8);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        for (int at = 0; at < 50; ++at) problem.x.push_back(static_cast<float>(rng.normal()));
        const float* row = &problem.x[i * 50];
        problem.values.push_back(static_cast<double>(row[10] + row[11] + row[12]) + 0.5 * rng.normal());
        problem.values.push_back(static_cast<double>(row[30]) + 0.5 * rng.normal());
    }
    return problem;
}

// No targets: a closed curve among columns of noise.
inline Problem<double> geodesic() {
    Problem<double> problem{.dictionary = {{Sparse(10, 2.0, Weights::signs)}, {1.0}, 10},
                            .n_fit = 500,
                            .n_predict = 400,
                            .n_trees = 6,
                            .n_candidates = 5,
                            .max_abs = 10.0,
                            .criterion = "fast_bic"};
    Rng rng(9);
    for (std::size_t i = 0; i < problem.n_rows(); ++i) {
        const Complex at = root_of_unity(rng.between(0, 999), 1000);
        for (int id = 0; id < 10; ++id)
            problem.x.push_back((id == 0 ? 3.0 * at.re : id == 1 ? 3.0 * at.im : 0.0) + 0.2 * rng.normal());
    }
    return problem;
}

// Half of a tree's rows choose its splits, the others fill its leaves.
inline Problem<double> honest() {
    Problem<double> problem = axis();
    problem.dictionary = {{Sparse(16, 2.0, Weights::signs)}, {1.0}, 16};
    problem.n_fit = 2000;
    problem.n_predict = 8000;
    problem.structure_share = 0.5;
    return problem;
}

}  // namespace foliation::guard
