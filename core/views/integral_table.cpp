#include "integral_table.h"

#include <algorithm>
#include <cmath>

namespace foliation {

namespace {

// cells[i] += cells[i - 1] along one axis, for all lines of the table at once.
template <class Cell>
void sum_along(Cell* cells, const TableShape& shape, const TableAxis& axis) {
    const std::int64_t span = axis.stride * axis.length;
    for (std::int64_t start = 0; start < shape.n_cells; start += span)
        for (std::int64_t i = axis.stride; i < span; ++i) cells[start + i] += cells[start + i - axis.stride];
}

// Returns whether a value passed the range; its cell is then meaningless and never read.
template <class Cell, class T>
bool fill_row(Cell* cells, const TableShape& shape, const T* x, std::int64_t stride, FixedPoint point) {
    const double units = std::ldexp(1.0, point.exponent);
    bool wide = false;
    for (std::int64_t i = 0; i < shape.n_cells; ++i) {
        const std::int32_t id = shape.source[static_cast<std::size_t>(i)];
        if (id < 0) {
            cells[i] = 0;
        } else if constexpr (sizeof(Cell) == 4) {
            cells[i] = static_cast<Cell>(static_cast<std::int32_t>(x[id * stride]));
        } else {
            const double value = static_cast<double>(x[id * stride]);
            const bool fits = std::abs(value) <= point.limit;
            wide = wide || !fits;
            cells[i] = fits ? static_cast<Cell>(static_cast<std::int64_t>(std::rint(value * units))) : 0;
        }
    }
    for (const TableAxis& axis : shape.axes)
        if (axis.summed) sum_along(cells, shape, axis);
    return wide;
}

}  // namespace

FixedPoint fixed_point(double max_abs, std::int64_t max_cells) {
    const int magnitude = max_abs > 0.0 ? std::ilogb(max_abs) : 0;  // max_abs < 2^(magnitude + 1)
    int cell_bits = 0;
    while ((std::int64_t{1} << cell_bits) < max_cells) ++cell_bits;
    const int headroom = 3;  // rows to predict may be eight times as large before they leave the range
    FixedPoint point;
    point.exponent = std::clamp(61 - headroom - cell_bits - magnitude, -1000, 1000);
    point.limit = std::ldexp(1.0, magnitude + 1 + headroom);
    return point;
}

IntegralTable::IntegralTable(const TableShape& shape, std::int64_t n_rows, FixedPoint point, bool narrow)
    : narrow_(narrow),
      point_(point),
      step_(narrow ? 1.0 : std::ldexp(1.0, -point.exponent)),
      n_cells_(shape.n_cells) {
    const auto size = static_cast<std::size_t>(n_rows * n_cells_);
    if (narrow) {
        cells32_ = std::make_unique_for_overwrite<std::uint32_t[]>(size);
    } else {
        cells64_ = std::make_unique_for_overwrite<std::uint64_t[]>(size);
        wide_.resize(static_cast<std::size_t>(n_rows));
    }
}

void IntegralTable::fill(const TableShape& shape, const Matrix& matrix, std::int64_t begin,
                         std::int64_t end) {
    std::visit(
        [&](const auto& c) {
            for (std::int64_t row = begin; row < end; ++row) {
                const auto* x = c.data + row * c.row_stride;
                const auto at = static_cast<std::size_t>(row * n_cells_);
                if (narrow_) {
                    fill_row(&cells32_[at], shape, x, c.column_stride, point_);
                } else {
                    wide_[static_cast<std::size_t>(row)] =
                        fill_row(&cells64_[at], shape, x, c.column_stride, point_);
                }
            }
        },
        matrix.columns);
}

}  // namespace foliation
