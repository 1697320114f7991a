// Views of any finite series are numbers below the largest that is promised, and the same for a row alone.
#include "core/views/series.h"
#include "tests/fuzz/make/rows.h"

using namespace foliation;
using namespace foliation::fuzz;

namespace {

SeriesGrid make_grid(Bytes& bytes) {
    SeriesGrid grid;
    grid.side = bytes.between(1, 70);
    grid.height = bytes.between(1, 4);
    grid.n_series = grid.height * bytes.between(1, 3);
    grid.circle = bytes.flag();
    grid.tube = bytes.flag();
    return grid;
}

// Those that the grid has; the Python package refuses others.
std::vector<std::string> make_names(Bytes& bytes, const SeriesGrid& grid) {
    std::vector<std::string> names;
    for (const ViewOutline& view : view_outlines(grid))
        if (view.length > 0 && !bytes.flag()) names.push_back(view.name);
    return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const SeriesGrid grid = make_grid(bytes);
    const std::vector<std::string> names = make_names(bytes, grid);
    if (names.empty()) return 0;
    const SeriesViews views(names, grid);
    std::vector<double> scales;
    for (std::size_t v = 0; v < names.size(); ++v)
        scales.push_back(std::ldexp(1.0, bytes.flag() ? bytes.between(-1000, 1000) : 0));
    const FuzzRows rows = make_rows(bytes, bytes.between(1, 20), grid.n_series * grid.side);
    const Matrix matrix = rows.matrix();
    Monitor monitor;
    const std::vector<double> cells = views.rows<double>(matrix, scales, 1, monitor);
    if (scan_rows(matrix, newest_isa()).finite)
        for (const double cell : cells) expect(std::abs(cell) <= 1e300, "cells of views are finite");
    const std::vector<double> alone = views.rows<double>(matrix.from_row(0, 1), scales, 1, monitor);
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    expect(std::equal(alone.begin(), alone.end(), cells.begin(), same), "a row has the same views alone");
    return 0;
}
