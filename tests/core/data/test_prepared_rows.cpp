// Tables filled on any number of threads, or a few rows at a time, hold the sums of their rows.
#include "core/data/prepared_rows.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kSide = 5;
constexpr std::int64_t kRows = 150;  // more than two blocks

// A line of features: cell k of the table is the sum of the first k.
TableShape line() {
    TableShape shape;
    shape.axes = {{kSide, kSide + 1, 1, 1, true}};
    shape.n_cells = kSide + 1;
    return shape;
}

void check_sums(const PreparedRows& rows, const std::vector<double>& x) {
    for (std::int64_t row = 0; row < kRows; ++row)
        for (std::int32_t begin = 0; begin < kSide; ++begin) {
            double sum = 0.0;
            for (std::int32_t end = begin + 1; end <= kSide; ++end) {
                sum += x[static_cast<std::size_t>(row * kSide + end - 1)];
                const std::vector<std::int32_t> plus{end}, minus{begin};
                CHECK(rows.tables[1].box_sum(row, plus, minus) == sum);
            }
        }
}

}  // namespace

int main() {
    const TableShape shape = line();
    const std::vector<double> x = whole_numbers<double>(1, kRows * kSide, -9, 9);
    const auto prepare = [&] {
        PreparedRows rows{row_major(x, kSide), std::vector<IntegralTable>(2)};  // the first reads none
        rows.tables[1] = IntegralTable(shape, kRows, fixed_point(9.0, kSide), CellBits::b64);
        return rows;
    };
    Monitor monitor;
    for (const int n_threads : {1, 3}) {
        PreparedRows rows = prepare();
        rows.fill_all(n_threads, monitor);
        check_sums(rows, x);
    }
    PreparedRows rows = prepare();
    rows.fill(100, kRows);
    rows.fill(0, 1);
    rows.fill(1, 100);
    check_sums(rows, x);

    PreparedRows without{row_major(x, kSide), std::vector<IntegralTable>(2)};
    without.fill_all(2, monitor);
    CHECK(without.tables[0].n_cells() == 0 && without.tables[1].n_cells() == 0);
}
