// The rows as the caller holds them: any of five number types, any pair of strides, no copy.
#pragma once

#include <cstdint>
#include <variant>

namespace foliation {

// Numbers at equal distances: a row, or a column.
template <class T>
struct Line {
    const T* data = nullptr;
    std::int64_t stride = 0;

    T operator[](std::int64_t i) const { return data[i * stride]; }
    void prefetch(std::int64_t i) const { __builtin_prefetch(data + i * stride); }
};

// Element (row, id) lies at data[row * row_stride + id * column_stride]; strides count elements. Nothing else
// computes with them.
template <class T>
struct Columns {
    const T* data = nullptr;
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 0;

    double at(std::int64_t row, std::int64_t id) const { return static_cast<double>(this->row(row)[id]); }
    Line<T> row(std::int64_t row) const { return {data + row * row_stride, column_stride}; }
    Line<T> column(std::int64_t id) const { return {data + id * column_stride, row_stride}; }

    // For many reads of the same rows: where a row begins, the row that begins there, and a column that is
    // read there: column_of_begins(id)[begin_of(row)].
    std::int64_t begin_of(std::int64_t row) const { return row * row_stride; }
    Line<T> row_from(std::int64_t begin) const { return {data + begin, column_stride}; }
    const T* column_of_begins(std::int64_t id) const { return data + id * column_stride; }

    bool rows_are_dense() const { return column_stride == 1; }
    // Whether features lie closer together than rows.
    bool by_row() const { return column_stride <= row_stride; }
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
