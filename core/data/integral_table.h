// An integral table: for every row, the sums over all boxes that start at the corner of the grid, so that any
// box sum is 2^d loads whatever its area (d = number of contiguous axes).
//
//   features of an axis      a   b   c   d
//   cells of the table   0   a  a+b  ..  a+b+c+d                   one cell more: a border of zero
//   of a wrapped axis    0   a  a+b  ..  a+b+c+d  a+b+c+d+a  ..    prolonged by the longest patch, so that a
//                                                                  patch past the end needs no second sum
//   sum over b and c  =  cell[3] - cell[1]
//
//   Two axes: cell (i, j) is the sum over rows < i and columns < j.
//
//         lo      hi
//     +---+-------+
//     |   |       |
//     +---A-------B  lo      sum over the box = D - B - C + A
//     |   |  box  |
//     +---C-------D  hi
//
// Sums are integers and therefore exact in any order. Values are rounded once to multiples of
// 2^-exponent, with the exponent set at fit so that the largest patch of the largest value stays
// below 2^59: for patches of up to 32 cells that keeps as many bits of the largest value as a
// double has, and loses none on the way. Whole numbers are held in the fewest bits (8, 16, 32) that hold
// every patch sum; two's-complement wrap-around makes the result the same. A row to predict whose values pass
// the range is marked; its sums are those of its features, exact and rounded once to a double.
//
// A free axis (unordered channels) is not summed, and has no border.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/data/matrix.h"

namespace foliation {

struct TableAxis {
    std::int32_t side = 0;
    std::int32_t length = 0;   // cells along the axis in the table
    std::int32_t stride = 0;   // in the table
    std::int64_t feature = 0;  // stride in the flattened features
    bool summed = false;
};

struct TableShape {
    std::vector<TableAxis> axes;
    std::int64_t n_cells = 1;
    std::int64_t first_feature = 0;

    // Per cell the feature it starts from, -1 for the zero border. Found when first asked for, with the first
    // rows: a forest that predicts nothing needs no memory for it.
    std::span<const std::int32_t> source() const;

  private:
    struct Source {
        std::once_flag found;
        std::vector<std::int32_t> cells;
    };
    std::shared_ptr<Source> source_ = std::make_shared<Source>();
};

// Fixed-point scale: values are multiples of 2^-exponent up to limit in size.
struct FixedPoint {
    int exponent = 0;
    double limit = 0.0;
};
FixedPoint fixed_point(double max_abs, std::int64_t max_cells);

// The cells' width: 64 bits hold fixed-point numbers, fewer hold whole ones.
enum class CellBits : int { b8 = 8, b16 = 16, b32 = 32, b64 = 64 };
// The fewest bits for sums of whole numbers below `largest` in size.
CellBits bits_for(double largest);

class IntegralTable {
  public:
    IntegralTable() = default;
    // Refers to the shape.
    IntegralTable(const TableShape& shape, std::int64_t n_rows, FixedPoint point, CellBits bits);
    // Fills rows begin .. end-1; different rows may be filled by different threads.
    void fill(const Matrix& matrix, std::int64_t begin, std::int64_t end);

    bool whole() const { return bits_ != CellBits::b64; }
    // The largest size of box sums; infinite if they are not whole.
    double largest_sum() const {
        return whole() ? std::ldexp(1.0, static_cast<int>(bits_) - 1) - 1.0
                       : std::numeric_limits<double>::infinity();
    }
    std::int64_t n_cells() const { return n_cells_; }
    std::int64_t row_bytes() const { return n_cells_ * static_cast<int>(bits_) / 8; }
    bool out_of_range(std::int64_t row) const {
        return !wide_.empty() && wide_[static_cast<std::size_t>(row)] != 0;
    }

    bool any_out_of_range() const {
        return std::any_of(wide_.begin(), wide_.end(), [](std::uint8_t wide) { return wide != 0; });
    }
    double step() const { return step_; }  // value of one unit

    using Cells = std::span<const std::int32_t>;
    template <class V>
    struct Box {
        Cells plus, minus;
        V* sums;  // one per row
    };
    double box_sum(std::int64_t row, Cells plus, Cells minus) const;
    // The same for many rows and boxes; whole numbers only if the table is whole. Rows are taken a few at a
    // time, so that they are fetched once for all boxes.
    template <class V>
    void box_sums(std::span<const std::int32_t> rows, std::span<const Box<V>> boxes) const;

    // Calls visit(cells) with the first cell in its own unsigned type.
    template <class Visit>
    auto with_cells(const Visit& visit) const {
        switch (bits_) {
            case CellBits::b8:
                return visit(reinterpret_cast<const std::uint8_t*>(cells_.get()));
            case CellBits::b16:
                return visit(reinterpret_cast<const std::uint16_t*>(cells_.get()));
            case CellBits::b32:
                return visit(reinterpret_cast<const std::uint32_t*>(cells_.get()));
            case CellBits::b64:
                break;
        }
        return visit(reinterpret_cast<const std::uint64_t*>(cells_.get()));
    }

  private:
    const TableShape* shape_ = nullptr;
    CellBits bits_ = CellBits::b64;
    FixedPoint point_;
    double step_ = 1.0;
    std::int64_t n_cells_ = 0;
    std::unique_ptr<std::byte[]> cells_;  // not initialized before fill()
    std::vector<std::uint8_t> wide_;      // which rows hold values that pass the range
};

extern template void IntegralTable::box_sums(std::span<const std::int32_t>,
                                             std::span<const Box<std::int16_t>>) const;
extern template void IntegralTable::box_sums(std::span<const std::int32_t>,
                                             std::span<const Box<std::int32_t>>) const;
extern template void IntegralTable::box_sums(std::span<const std::int32_t>,
                                             std::span<const Box<double>>) const;

}  // namespace foliation
