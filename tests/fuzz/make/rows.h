// Rows of any number type and layout, each array as long as its numbers and no longer.
#pragma once

#include <variant>
#include <vector>

#include "core/base/rng.h"
#include "core/data/scan.h"
#include "tests/fuzz/make/bytes.h"

namespace foliation::fuzz {

// What the largest value of training rows may be, as src/foliation/data/rows.py says; rows to predict may be
// larger.
constexpr double kLargest = 1e290, kSmallest = 1e-290;

inline bool may_be_trained_on(const Scan& scanned) {
    const bool tiny = scanned.max_abs > 0.0 && scanned.max_abs < kSmallest;
    return scanned.finite && scanned.max_abs <= kLargest && !tiny;
}

using Cells = std::variant<std::vector<double>, std::vector<std::uint8_t>, std::vector<std::int16_t>,
                           std::vector<std::int32_t>, std::vector<float>>;

struct FuzzRows {
    Cells cells;
    std::int64_t n_rows = 0, n_features = 0;
    bool by_row = true;

    Matrix matrix() const {
        return std::visit(
            [&]<class T>(const std::vector<T>& own) -> Matrix {
                const std::int64_t row_stride = by_row ? n_features : 1;
                const std::int64_t column_stride = by_row ? 1 : n_rows;
                return {Columns<T>{own.data(), row_stride, column_stride}, n_rows, n_features};
            },
            cells);
    }
};

template <class T>
T cell_of(double number) {
    const auto lo = static_cast<double>(std::numeric_limits<T>::lowest());
    return static_cast<T>(std::clamp(number, lo, static_cast<double>(std::numeric_limits<T>::max())));
}

inline Cells make_cells(Bytes& bytes) {
    switch (bytes.between(0, 4)) {
        case 0:
            return std::vector<double>();
        case 1:
            return std::vector<std::uint8_t>();
        case 2:
            return std::vector<std::int16_t>();
        case 3:
            return std::vector<std::int32_t>();
        default:
            return std::vector<float>();
    }
}

// Numbers of one scale, whole or not, and some of them replaced by others up to `largest` in size.
inline FuzzRows make_rows(Bytes& bytes, std::int64_t n_rows, std::int64_t n_features,
                          double largest = std::numeric_limits<double>::max()) {
    FuzzRows rows{make_cells(bytes), n_rows, n_features, !bytes.rarely()};
    Rng rng(bytes.any<std::uint8_t>());
    const double scale = std::abs(bytes.rarely() ? bytes.number(largest / 4.0) : bytes.between(0, 100));
    const bool whole = bytes.flag();
    const auto n = static_cast<std::size_t>(n_rows * n_features);
    std::visit(
        [&]<class T>(std::vector<T>& own) {
            for (std::size_t k = 0; k < n; ++k) {
                const double number = scale * (2.0 * rng.uniform() - 1.0);
                own.push_back(cell_of<T>(whole ? std::rint(number) : number));
            }
            for (std::size_t k = n > 0 ? bytes.below(12) : 0; k > 0; --k)
                own[bytes.below(n)] = cell_of<T>(bytes.number(largest));
        },
        rows.cells);
    return rows;
}

}  // namespace foliation::fuzz
