// View for box sums: for every row, sums over all boxes that start at the corner of the grid, so
// that any box sum is 2^d loads whatever its area (d = number of contiguous axes).
//
// Sums are integers and therefore exact in any order. Values are rounded once to multiples of
// 2^-exponent, with the exponent set at fit so that the largest patch of the largest value stays
// below 2^59: for patches of up to 32 cells that keeps as many bits of the largest value as a
// double has, and loses none on the way. Whole numbers are held in 32 bits where every patch sum fits;
// two's-complement wrap-around makes the result the same. A row to predict whose values pass the range is
// marked and summed cell by cell in double precision instead.
//
// A wrapped axis is prolonged by the longest patch. A free axis (unordered channels) is not summed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "matrix.h"

namespace foliation {

struct TableAxis {
    std::int32_t side = 0;
    std::int32_t length = 0;   // cells along the axis in the table
    std::int64_t stride = 0;   // in the table
    std::int64_t feature = 0;  // stride in the flattened features
    bool summed = false;
};

struct TableShape {
    std::vector<TableAxis> axes;
    std::int64_t n_cells = 1;
    std::vector<std::int32_t> source;  // per cell the feature it starts from, -1 for the zero border
};

// Fixed-point scale: values are multiples of 2^-exponent up to limit in size.
struct FixedPoint {
    int exponent = 0;
    double limit = 0.0;
};
FixedPoint fixed_point(double max_abs, std::int64_t max_cells);

class IntegralTable {
  public:
    IntegralTable() = default;
    // narrow: all values are whole and every patch sum fits into 32 bits.
    IntegralTable(const TableShape& shape, std::int64_t n_rows, FixedPoint point, bool narrow);
    // Fills rows begin .. end-1; different rows may be filled by different threads.
    void fill(const TableShape& shape, const Matrix& matrix, std::int64_t begin, std::int64_t end);

    bool narrow() const { return narrow_; }
    double step() const { return step_; }  // value of one unit
    std::int64_t n_cells() const { return n_cells_; }
    const std::uint32_t* cells32() const { return cells32_.get(); }
    const std::uint64_t* cells64() const { return cells64_.get(); }
    bool out_of_range(std::int64_t row) const {
        return !narrow_ && wide_[static_cast<std::size_t>(row)] != 0;
    }

  private:
    bool narrow_ = false;
    FixedPoint point_;
    double step_ = 1.0;
    std::int64_t n_cells_ = 0;
    std::unique_ptr<std::uint32_t[]> cells32_;  // not initialised before fill()
    std::unique_ptr<std::uint64_t[]> cells64_;
    std::vector<std::uint8_t> wide_;  // which rows hold values that pass the range
};

}  // namespace foliation
