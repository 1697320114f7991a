// Elements are read through any pair of strides and from any type, without a copy.
#include "core/data/matrix.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

double at(const Matrix& matrix, std::int64_t row, std::int64_t id) {
    return std::visit([&](const auto& columns) { return columns.at(row, id); }, matrix.columns);
}

// 3 x 4 numbers 10 * row + column, in a larger array.
void test_strides(std::int64_t first, std::int64_t row_stride, std::int64_t column_stride) {
    std::vector<float> memory(64, -1.0F);
    for (std::int64_t row = 0; row < 3; ++row)
        for (std::int64_t id = 0; id < 4; ++id)
            memory[static_cast<std::size_t>(first + row * row_stride + id * column_stride)] =
                static_cast<float>(10 * row + id);
    const Matrix matrix{Columns<float>{memory.data() + first, row_stride, column_stride}, 3, 4};
    for (std::int64_t begin = 0; begin <= 3; ++begin) {
        const Matrix part = matrix.from_row(begin, 3 - begin);
        CHECK(part.n_rows == 3 - begin && part.n_features == 4);
        for (std::int64_t row = 0; row < part.n_rows; ++row)
            for (std::int64_t id = 0; id < 4; ++id)
                CHECK(at(part, row, id) == static_cast<double>(10 * (begin + row) + id));
    }
}

template <class T>
void test_type(T lowest, T largest) {
    const std::vector<T> x{lowest, largest};
    CHECK(at(row_major(x, 2), 0, 0) == static_cast<double>(lowest));
    CHECK(at(row_major(x, 2), 0, 1) == static_cast<double>(largest));
    CHECK(at(row_major(x, 1), 1, 0) == static_cast<double>(largest));
}

}  // namespace

int main() {
    test_strides(0, 4, 1);    // by row
    test_strides(0, 1, 3);    // by column
    test_strides(0, 16, 2);   // a part of a larger array
    test_strides(40, -4, 1);  // rows in reverse
    test_strides(50, 4, -1);  // columns in reverse
    test_type<std::uint8_t>(0, 255);
    test_type<std::int16_t>(-32768, 32767);
    test_type<std::int32_t>(std::numeric_limits<std::int32_t>::min(), 1);
    test_type<float>(-1e38F, 0.1F);
    test_type<double>(-1e308, 0.1);
}
