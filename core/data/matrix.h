// The rows as the caller holds them: any of five number types, any pair of strides, no copy.
#pragma once

#include <cstdint>
#include <variant>

namespace foliation {

// Element (row, id) lies at data[row * row_stride + id * column_stride]; strides count elements.
template <class T>
struct Columns {
    const T* data = nullptr;
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 0;

    double at(std::int64_t row, std::int64_t id) const {
        return static_cast<double>(data[row * row_stride + id * column_stride]);
    }
};

using AnyColumns = std::variant<Columns<std::uint8_t>, Columns<std::int16_t>, Columns<std::int32_t>,
                                Columns<float>, Columns<double>>;

struct Matrix {
    AnyColumns columns;
    std::int64_t n_rows = 0;
    std::int64_t n_features = 0;

    // The same columns, starting at `row`.
    Matrix from_row(std::int64_t row, std::int64_t count) const {
        Matrix part = *this;
        part.n_rows = count;
        std::visit([&](auto& c) { c.data += row * c.row_stride; }, part.columns);
        return part;
    }
};

}  // namespace foliation
