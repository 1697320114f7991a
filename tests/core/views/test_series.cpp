// Views of series lie where they should, are the same on any number of threads, and scale exactly.
#include <limits>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/views/series.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

std::vector<double> views(const std::vector<double>& x, SeriesGrid grid, std::vector<double> scales,
                          int n_threads = 1) {
    const std::int64_t width = grid.n_series * grid.side;
    const Matrix matrix{Columns<double>{x.data(), width, 1}, static_cast<std::int64_t>(x.size()) / width,
                        width};
    Monitor monitor;
    return SeriesViews({"difference", "raw", "spectrum"}, grid)
        .rows<double>(matrix, scales, n_threads, monitor);
}

void test_places() {
    const std::vector<double> x{1.0, 4.0, 2.0, 2.0, 7.0, 7.0, 7.0, 7.0};
    const std::vector<double> line{3.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const auto found = views(x, {2, 4, false}, {1.0, 1.0, 1.0});
    CHECK(found.size() == 24);
    for (std::size_t t = 0; t < 8; ++t) CHECK(found[t] == line[t] && found[8 + t] == x[t]);
    CHECK(found[17] == 3.0 && found[18] == 0.0 && found[19] == 0.0);  // |1 - 4 + 2 - 2|
    for (std::size_t t = 20; t < 24; ++t) CHECK(found[t] == 0.0);
    CHECK(views(x, {2, 4, true}, {1.0, 1.0, 1.0})[3] == -1.0);
}

void test_outlines() {
    const auto line = view_outlines({1, 7, false});
    CHECK(line.size() == 9 && line[0].name == "raw" && line[0].length == 7 && !line[0].circle);
    CHECK(line[1].length == 6 && line[2].length == 3);
    const auto circle = view_outlines({1, 7, true});
    CHECK(circle[0].circle && circle[1].length == 7 && circle[1].circle && !circle[2].circle);
    for (const ViewOutline& view : view_outlines({1, 1, true}))
        CHECK(view.length == (view.name == "raw" ? 1 : 0));
}

void test_edges() {
    const std::vector<double> x{1.0, 4.0, 2.0, 3.0, 3.0, 7.0};  // two lines of three
    const Matrix matrix{Columns<double>{x.data(), 6, 1}, 1, 6};
    Monitor monitor;
    const std::vector<double> scales(4, 1.0);
    const auto found = [&](SeriesGrid grid) {
        return SeriesViews({"east", "west", "south", "north"}, grid).rows<double>(matrix, scales, 1, monitor);
    };
    CHECK(found({2, 3, false, 2, false}) ==
          std::vector<double>({3, 0, 0, 0, 4, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0}));
    CHECK(found({2, 3, true, 2, true}) ==
          std::vector<double>({3, 0, 0, 0, 4, 0, 0, 2, 1, 0, 0, 4, 2, 0, 5, 0, 1, 0, 0, 1, 0, 2, 0, 5}));
    const auto flat = view_outlines({2, 3, false, 1, false});
    CHECK(flat[5].length == 2 && flat[6].length == 2 && flat[7].length == 0 && flat[8].length == 0);
    CHECK(view_outlines({2, 3, false, 2, false})[7].length == 3);
}

void test_relative() {
    const std::vector<double> x{1.0, 4.0, 2.0, 0.1, 3.0, 7.0, 6.0, 0.1};  // two lines of four
    const Matrix matrix{Columns<double>{x.data(), 8, 1}, 1, 8};
    Monitor monitor;
    const std::vector<double> scales(2, 1.0);
    const auto found = SeriesViews({"relative", "relative_spectrum"}, {2, 4, false, 2, false})
                           .rows<double>(matrix, scales, 1, monitor);
    const std::vector<double> apart{-1.0, -1.5, -2.0, 0.0, 1.0, 1.5, 2.0, 0.0};
    CHECK(std::equal(apart.begin(), apart.end(), found.begin()));
    CHECK(found[9] == 1.5 && found[13] == 1.5);  // |-1 + 1.5 - 2 - 0|
    CHECK(found[10] == 0.0 && found[11] == 0.0);
    const auto alone = view_outlines({2, 4, false, 1, false});
    CHECK(alone[3].name == "relative" && alone[3].length == 0 && alone[4].length == 0);
    const auto circle = view_outlines({2, 4, true, 2, false});
    CHECK(circle[3].length == 4 && circle[3].circle && circle[4].length == 2 && !circle[4].circle);
}

void test_threads_and_scales() {
    Rng rng(5);
    std::vector<double> x(100 * 30);
    for (double& value : x) value = rng.normal();
    const auto one = views(x, {2, 15, false}, {1.0, 1.0, 1.0});
    CHECK(one == views(x, {2, 15, false}, {1.0, 1.0, 1.0}, 3));
    for (double& value : x) value *= 0x1.0p-700;
    const auto small = views(x, {2, 15, false}, {0x1.0p700, 0x1.0p700, 0x1.0p700});
    CHECK(one == small);
    for (double& value : x) value *= 0x1.0p1000;
    for (const double value : views(x, {2, 15, false}, {0x1.0p1000, 0x1.0p1000, 0x1.0p1000}))
        CHECK(std::abs(value) <= 1e300);
}

// Their differences and their sums are beyond the range of doubles.
void test_views_of_the_largest_doubles_are_numbers() {
    constexpr double kMost = std::numeric_limits<double>::max();
    const std::vector<double> x{kMost, -kMost, kMost, kMost, -kMost, -kMost, kMost, -kMost};
    const Matrix matrix{Columns<double>{x.data(), 8, 1}, 1, 8};
    const SeriesGrid grid{2, 4, false, 2, false};
    std::vector<std::string> names;
    for (const ViewOutline& view : view_outlines(grid)) names.push_back(view.name);
    const std::vector<double> scales(names.size(), 1.0);
    Monitor monitor;
    for (const double value : SeriesViews(names, grid).rows<double>(matrix, scales, 1, monitor))
        CHECK(std::abs(value) <= 1e300);
}

}  // namespace

int main() {
    test_places();
    test_outlines();
    test_edges();
    test_relative();
    test_threads_and_scales();
    test_views_of_the_largest_doubles_are_numbers();
}
