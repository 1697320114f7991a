// What a view sees beside a series: the next one of its own image, the first, and the mean of all.
#include "core/views/lines.h"
#include "core/views/series.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

std::vector<double> view_of(const char* name, const std::vector<double>& x, const SeriesGrid& grid) {
    Monitor monitor;
    const std::vector<double> scales{1.0};
    return SeriesViews({name}, grid).rows<double>(row_major(x, std::ssize(x)), scales, 1, monitor);
}

// Two images of two lines of two cells: the next of a line is never one of the other image.
void test_next() {
    const std::vector<double> x{1, 1, 4, 6, 10, 20, 30, 30};
    CHECK(view_of("south", x, {4, 2, false, 2, false}) == std::vector<double>({3, 5, 0, 0, 20, 10, 0, 0}));
    CHECK(view_of("north", x, {4, 2, false, 2, true}) == std::vector<double>({0, 0, 3, 5, 0, 0, 20, 10}));
}

void test_mean() {
    const std::vector<double> x{1, 1, 4, 6, 10, 20, 30, 30};
    CHECK(view_of("relative", x, {4, 2, false, 2, false}) ==
          std::vector<double>({-1.5, -2.5, 1.5, 2.5, -10, -5, 10, 5}));
    const std::vector<double> same(3 * 7, 0.1);  // seven times 0.1 is not 0.7, but nothing may be left
    CHECK(view_of("relative", same, {7, 3, false, 7, false}) == std::vector<double>(same.size(), 0.0));
}

}  // namespace

int main() {
    test_next();
    test_mean();
    const SeriesGrid one;  // by default a single number, which has no neighbors
    CHECK(view_of("raw", {3.0}, one) == std::vector<double>{3.0});
    CHECK(one.height == 1 && !one.circle && !one.tube);
}
