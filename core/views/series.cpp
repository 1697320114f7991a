#include "series.h"

#include <stdexcept>

namespace foliation {

namespace {

template <class... Views>
std::vector<ViewOutline> outlines(std::int64_t side, bool circle, const std::variant<Views...>*) {
    return {{Views::kName, Views::length(side, circle), circle && Views::kKeepsCircle}...};
}

template <class... Views>
SeriesView make_view(const std::string& name, const SeriesGrid& grid, const std::variant<Views...>*) {
    std::vector<SeriesView> found;
    (void)((name == Views::kName && (found.push_back(Views(grid.side, grid.circle)), true)) || ...);
    if (found.empty()) throw std::invalid_argument("there is no view of this name: " + name);
    return std::move(found[0]);
}

void copy_series(const Matrix& matrix, std::int64_t row, std::int64_t first, std::span<double> series) {
    std::visit(
        [&](const auto& columns) {
            for (std::size_t t = 0; t < series.size(); ++t)
                series[t] = columns.at(row, first + static_cast<std::int64_t>(t));
        },
        matrix.columns);
}

}  // namespace

std::vector<ViewOutline> view_outlines(std::int64_t side, bool circle) {
    return outlines(side, circle, static_cast<const SeriesView*>(nullptr));
}

SeriesViews::SeriesViews(const std::vector<std::string>& names, SeriesGrid grid) : grid_(grid) {
    for (const std::string& name : names)
        views_.push_back(make_view(name, grid, static_cast<const SeriesView*>(nullptr)));
}

std::vector<double> SeriesViews::rows(const Matrix& matrix, std::span<const double> scales, int n_threads,
                                      Monitor& monitor) const {
    constexpr std::int64_t kBlock = 16;
    std::vector<double> cells(static_cast<std::size_t>(matrix.n_rows) * n_cells());
    const std::int64_t n_blocks = (matrix.n_rows + kBlock - 1) / kBlock;
    for_each_short_task(n_blocks, n_threads, monitor, [&](std::int64_t block, int) {
        Lent lent;
        const std::int64_t end = std::min(matrix.n_rows, (block + 1) * kBlock);
        for (std::int64_t row = block * kBlock; row < end; ++row)
            fill_row(matrix, row, scales, lent, cells.data() + static_cast<std::size_t>(row) * n_cells());
    });
    return cells;
}

void SeriesViews::fill_row(const Matrix& matrix, std::int64_t row, std::span<const double> scales, Lent& lent,
                           double* cells) const {
    lent.series.resize(static_cast<std::size_t>(grid_.side));
    for (std::int64_t s = 0; s < grid_.n_series; ++s) {
        copy_series(matrix, row, s * grid_.side, lent.series);
        for (std::size_t v = 0; v < views_.size(); ++v) {
            double* out = cells + (static_cast<std::int64_t>(v) * grid_.n_series + s) * grid_.side;
            std::visit([&](const auto& view) { view.fill(lent.series, lent.memory, out); }, views_[v]);
            for (std::int64_t t = 0; t < grid_.side; ++t)
                out[t] = std::clamp(out[t] * scales[v], -kLargest, kLargest);
        }
    }
}

}  // namespace foliation
