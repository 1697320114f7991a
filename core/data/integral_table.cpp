#include "core/data/integral_table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace foliation {

namespace {

// cells[i] += cells[i - 1] along one axis, for all lines of the table.
template <class Cell>
void sum_along(Cell* cells, const TableShape& shape, const TableAxis& axis) {
    const std::int64_t stride = axis.stride;
    const std::int64_t span = stride * axis.length;
    for (std::int64_t start = 0; start < shape.n_cells; start += span) {
        Cell* line = cells + start;
        if (stride == 1) {  // the running sum stays in a register
            Cell sum = 0;
            for (std::int64_t i = 0; i < span; ++i) line[i] = sum = static_cast<Cell>(sum + line[i]);
            continue;
        }
        for (Cell* next = line + stride; next < line + span; next += stride) {
            const Cell* before = next - stride;
            for (std::int64_t i = 0; i < stride; ++i) next[i] = static_cast<Cell>(next[i] + before[i]);
        }
    }
}

// Returns whether a value passed the range; its cell is then meaningless and never read. Inlined, its loop
// has too few registers.
template <class Cell, class T>
[[gnu::noinline]] bool fill_row(Cell* cells, const TableShape& shape, std::span<const std::int32_t> source,
                                const Line<T> row, FixedPoint point) {
    const double units = std::ldexp(1.0, point.exponent);
    bool wide = false;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const std::int32_t id = source[i];
        if (id < 0) {
            cells[i] = 0;
        } else if constexpr (sizeof(Cell) < 8) {
            cells[i] = static_cast<Cell>(static_cast<std::int32_t>(row[id]));
        } else {
            const double value = static_cast<double>(row[id]);
            const bool fits = std::abs(value) <= point.limit;
            wide = wide || !fits;
            cells[i] = fits ? static_cast<Cell>(static_cast<std::int64_t>(std::rint(value * units))) : 0;
        }
    }
    for (const TableAxis& axis : shape.axes)
        if (axis.summed) sum_along(cells, shape, axis);
    return wide;
}

template <class V>
V in_units(auto sum, double unit) {
    if constexpr (std::is_integral_v<V>) {
        return static_cast<V>(sum);
    } else {
        return static_cast<V>(sum) * unit;
    }
}

template <class Cell>
std::make_signed_t<Cell> sum_of(const Cell* cells, IntegralTable::Cells plus, IntegralTable::Cells minus) {
    Cell sum = 0;
    for (const std::int32_t at : plus) sum = static_cast<Cell>(sum + cells[at]);
    for (const std::int32_t at : minus) sum = static_cast<Cell>(sum - cells[at]);
    return static_cast<std::make_signed_t<Cell>>(sum);
}

// The same for many rows, with as many cells on both sides, known to the compiler.
template <std::size_t kSide, class Cell, class V>
void sums_of(std::span<const Cell* const> rows, IntegralTable::Cells plus_cells,
             IntegralTable::Cells minus_cells, double unit, V* sums) {
    std::array<std::int64_t, kSide> plus, minus;
    std::copy_n(plus_cells.begin(), kSide, plus.begin());
    std::copy_n(minus_cells.begin(), kSide, minus.begin());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Cell* row = rows[i];
        Cell sum = 0;
        for (std::size_t k = 0; k < kSide; ++k) sum = static_cast<Cell>(sum + row[plus[k]] - row[minus[k]]);
        sums[i] = in_units<V>(static_cast<std::make_signed_t<Cell>>(sum), unit);
    }
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

CellBits bits_for(double largest) {
    return largest < 0x1.0p7 ? CellBits::b8 : largest < 0x1.0p15 ? CellBits::b16 : CellBits::b32;
}

IntegralTable::IntegralTable(const TableShape& shape, std::int64_t n_rows, FixedPoint point, CellBits bits)
    : shape_(&shape),
      bits_(bits),
      point_(point),
      step_(bits == CellBits::b64 ? std::ldexp(1.0, -point.exponent) : 1.0),
      n_cells_(shape.n_cells),
      cells_(std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(n_rows * row_bytes()))),
      wide_(bits == CellBits::b64 ? static_cast<std::size_t>(n_rows) : 0) {}

std::span<const std::int32_t> TableShape::source() const {
    std::call_once(source_->found, [&] {
        source_->cells.resize(static_cast<std::size_t>(n_cells));
        for (std::int64_t cell = 0; cell < n_cells; ++cell) {
            std::int64_t id = first_feature;
            for (const TableAxis& axis : axes) {
                const std::int64_t at = cell / axis.stride % axis.length - (axis.summed ? 1 : 0);
                id = at < 0 || id < 0 ? -1 : id + at % axis.side * axis.feature;
            }
            source_->cells[static_cast<std::size_t>(cell)] = static_cast<std::int32_t>(id);
        }
    });
    return source_->cells;
}

void IntegralTable::fill(const Matrix& matrix, std::int64_t begin, std::int64_t end) {
    const TableShape& shape = *shape_;
    const std::span<const std::int32_t> source = shape.source();
    with_cells([&]<class Cell>(const Cell* first) {
        auto* cells = const_cast<Cell*>(first);
        std::visit(
            [&](const auto& c) {
                for (std::int64_t row = begin; row < end; ++row) {
                    const bool passed = fill_row(cells + row * n_cells_, shape, source, c.row(row), point_);
                    if (!wide_.empty()) wide_[static_cast<std::size_t>(row)] = passed;
                }
            },
            matrix.columns);
    });
}

double IntegralTable::box_sum(std::int64_t row, Cells plus, Cells minus) const {
    return with_cells([&](const auto* cells) {
        return static_cast<double>(sum_of(cells + row * n_cells_, plus, minus)) * step_;
    });
}

template <class V>
void IntegralTable::box_sums(std::span<const std::int32_t> rows, std::span<const Box<V>> boxes) const {
    constexpr std::int64_t kFirstCache = 24 * 1024;
    constexpr std::int64_t kSecondCache = 256 * 1024;
    constexpr std::size_t kMost = 256;
    const auto step =
        static_cast<std::size_t>(std::clamp<std::int64_t>(kFirstCache / row_bytes(), 16, kMost));
    const bool far = row_bytes() * static_cast<std::int64_t>(rows.size()) > kSecondCache;
    with_cells([&]<class Cell>(const Cell* cells) {
        std::array<const Cell*, kMost> here, next;
        const auto find = [&](std::size_t first, std::array<const Cell*, kMost>& found) {
            const std::size_t count = std::min(step, rows.size() - std::min(first, rows.size()));
            for (std::size_t i = 0; i < count; ++i) found[i] = cells + rows[first + i] * n_cells_;
            return std::span<const Cell* const>(found.data(), count);
        };
        for (std::size_t first = 0; first < rows.size(); first += step) {
            const auto some = find(first, here);
            const auto later = far ? find(first + step, next) : std::span<const Cell* const>();
            std::int64_t at = 0;
            for (const auto& [plus, minus, all] : boxes) {
                V* sums = all + first;
                const std::size_t sides = plus.size() == minus.size() ? plus.size() : 0;
                if (sides == 1) {
                    sums_of<1>(some, plus, minus, step_, sums);
                } else if (sides == 2) {
                    sums_of<2>(some, plus, minus, step_, sums);
                } else if (sides == 4) {
                    sums_of<4>(some, plus, minus, step_, sums);
                } else {
                    for (std::size_t i = 0; i < some.size(); ++i)
                        sums[i] = in_units<V>(sum_of(some[i], plus, minus), step_);
                }
                const std::int64_t part = at++ * n_cells_ / static_cast<std::int64_t>(boxes.size());
                for (const Cell* row : later) __builtin_prefetch(row + part);
            }
        }
    });
}
template void IntegralTable::box_sums(std::span<const std::int32_t>,
                                      std::span<const Box<std::int16_t>>) const;
template void IntegralTable::box_sums(std::span<const std::int32_t>,
                                      std::span<const Box<std::int32_t>>) const;
template void IntegralTable::box_sums(std::span<const std::int32_t>, std::span<const Box<double>>) const;

}  // namespace foliation
