// Sums over boxes from the corners of an integral table, against adding up the cells.
#include <numeric>

#include "core/data/box.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::int32_t kRows = 4, kColumns = 5;  // of the table; it has one row and column more than the grid

std::int32_t value_at(std::int32_t row, std::int32_t column) { return 3 * row * row + 7 * column + 1; }

std::int32_t sum_over(std::int32_t row, std::int32_t rows, std::int32_t column, std::int32_t columns) {
    std::int32_t sum = 0;
    for (std::int32_t r = row; r < row + rows; ++r)
        for (std::int32_t c = column; c < column + columns; ++c) sum += value_at(r, c);
    return sum;
}

std::vector<std::int32_t> table() {
    std::vector<std::int32_t> cells;
    for (std::int32_t r = 0; r < kRows; ++r)
        for (std::int32_t c = 0; c < kColumns; ++c) cells.push_back(sum_over(0, r, 0, c));
    return cells;
}

// Calls use(row, rows, column, columns) for all boxes of the grid.
template <class Use>
void for_each_box(const Use& use) {
    for (std::int32_t row = 0; row + 1 < kRows; ++row)
        for (std::int32_t rows = 1; row + rows < kRows; ++rows)
            for (std::int32_t column = 0; column + 1 < kColumns; ++column)
                for (std::int32_t columns = 1; column + columns < kColumns; ++columns)
                    use(row, rows, column, columns);
}

void test_corners() {
    const std::vector<std::int32_t> cells = table();
    for_each_box([&](std::int32_t row, std::int32_t rows, std::int32_t column, std::int32_t columns) {
        std::vector<std::int32_t> plus, minus;
        BoxEnds ends{};
        ends[0] = {(row + rows) * kColumns, row * kColumns};
        ends[1] = {column + columns, column};
        push_corners(ends, 2, 0, plus, minus);
        std::int32_t sum = 0;
        for (const std::int32_t cell : plus) sum += cells[static_cast<std::size_t>(cell)];
        for (const std::int32_t cell : minus) sum -= cells[static_cast<std::size_t>(cell)];
        CHECK(plus.size() == 2 && minus.size() == 2 && sum == sum_over(row, rows, column, columns));
    });
    std::vector<std::int32_t> plus, minus;
    push_corners({}, 0, 6, plus, minus);
    CHECK(plus == std::vector{6} && minus.empty());
}

void test_plain_boxes() {
    const std::vector<std::int32_t> cells = table();
    PlainBox<2> box;
    box.axes = {{{kColumns, kRows - 1, kRows - 1, 0}, {1, kColumns - 1, kColumns - 1, 0}}};
    box.contrast = true;
    for_each_box([&](std::int32_t row, std::int32_t rows, std::int32_t column, std::int32_t columns) {
        const std::array<std::int16_t, 6> plain{static_cast<std::int16_t>(row),
                                                static_cast<std::int16_t>(rows),
                                                static_cast<std::int16_t>(column),
                                                static_cast<std::int16_t>(columns),
                                                0,
                                                0};
        const std::int32_t sum = sum_over(row, rows, column, columns);
        CHECK(box.value(cells.data(), plain.data()) == sum);
        if (row + rows + 1 >= kRows) return;
        std::array<std::int16_t, 6> displaced = plain;
        displaced[4] = 1;
        CHECK(box.value(cells.data(), displaced.data()) == sum - sum_over(row + 1, rows, column, columns));
    });
}

}  // namespace

int main() {
    test_corners();
    test_plain_boxes();
}
