// Rises and falls of a series part its differences.
#include "core/views/edges.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

template <class View>
std::vector<double> view_of(const SeriesGrid& grid, const Lines& lines) {
    std::vector<double> out(lines.here.size(), -1.0), memory;
    View(grid).fill(lines, memory, out.data());
    return out;
}

void test_along(std::size_t n, bool circle) {
    const std::vector<double> x = whole_numbers<double>(n, n, -5, 5);
    const std::vector<double> mirrored(x.rbegin(), x.rend());
    const SeriesGrid grid{1, static_cast<std::int64_t>(n), circle};
    const std::size_t length = n == 1 ? 0 : circle ? n : n - 1;
    CHECK(East::length(grid) == static_cast<std::int64_t>(length) &&
          West::length(grid) == East::length(grid));
    const auto east = view_of<East>(grid, {x, {}, {}, {}}), west = view_of<West>(grid, {x, {}, {}, {}});
    const auto back = view_of<West>(grid, {mirrored, {}, {}, {}});
    for (std::size_t t = 0; t < length; ++t) {
        CHECK(east[t] >= 0.0 && west[t] >= 0.0 && std::min(east[t], west[t]) == 0.0);
        CHECK(east[t] - west[t] == x[(t + 1) % n] - x[t]);
        CHECK(east[t] == back[(2 * n - 2 - t) % n]);
    }
    for (std::size_t t = length; t < n; ++t) CHECK(east[t] == -1.0);  // not written
}

void test_across() {
    const std::vector<double> here{1.0, 5.0, 2.0}, next{4.0, 5.0, 0.0}, none(3, 0.0);
    const SeriesGrid grid{2, 3, false, 2};
    CHECK(view_of<South>(grid, {here, next, {}, {}}) == std::vector<double>({3.0, 0.0, 0.0}));
    CHECK(view_of<North>(grid, {here, next, {}, {}}) == std::vector<double>({0.0, 0.0, 2.0}));
    CHECK(view_of<South>(grid, {here, {}, {}, {}}) == none &&
          view_of<North>(grid, {here, {}, {}, {}}) == none);
    CHECK(South::length(grid) == 3 && South::length({2, 3}) == 0);
}

}  // namespace

int main() {
    for (const std::size_t n : {1U, 2U, 3U, 10U})
        for (const bool circle : {false, true}) test_along(n, circle);
    test_across();
}
