#include "core/views/series.h"

#include <stdexcept>

namespace foliation {

namespace {

template <SignalView W>
ViewOutline outline(const SeriesGrid& grid) {
    ViewOutline view{.name = W::kName,
                     .length = W::length(grid),
                     .circle = grid.circle && W::kKeepsCircle,
                     .label = W::kName,
                     .keeps_whole = false,
                     .frequencies = false};
    if constexpr (requires { W::kLabel; }) view.label = W::kLabel;
    if constexpr (requires { W::kKeepsWhole; }) view.keeps_whole = W::kKeepsWhole;
    if constexpr (requires { W::kFrequencies; }) view.frequencies = W::kFrequencies;
    return view;
}

template <SignalView... Views>
std::vector<ViewOutline> outlines(const SeriesGrid& grid, const std::variant<Views...>*) {
    return {outline<Views>(grid)...};
}

template <SignalView... Views>
SeriesView make_view(const std::string& name, const SeriesGrid& grid, const std::variant<Views...>*) {
    std::vector<SeriesView> views;
    (void)((name == Views::kName && (views.push_back(Views(grid)), true)) || ...);
    if (views.empty()) throw std::invalid_argument("unknown view " + name);
    return std::move(views[0]);
}

void copy_row(const Matrix& matrix, std::int64_t row, std::span<double> cells) {
    std::visit(
        [&](const auto& columns) {
            for (std::size_t cell = 0; cell < cells.size(); ++cell)
                cells[cell] = columns.at(row, static_cast<std::int64_t>(cell));
        },
        matrix.columns);
}

}  // namespace

std::vector<ViewOutline> view_outlines(const SeriesGrid& grid) {
    return outlines(grid, static_cast<const SeriesView*>(nullptr));
}

SeriesViews::SeriesViews(const std::vector<std::string>& names, SeriesGrid grid)
    : grid_(grid), pitch_(grid.side) {
    for (const std::string& name : names) {
        views_.push_back(make_view(name, grid, static_cast<const SeriesView*>(nullptr)));
        pitch_ = std::max(pitch_, std::visit([&](const auto& v) { return v.length(grid); }, views_.back()));
    }
}

template <class Cell>
std::vector<Cell> SeriesViews::rows(const Matrix& matrix, std::span<const double> scales, int n_threads,
                                    Monitor& monitor) const {
    constexpr std::int64_t kBlock = 16;
    std::vector<Cell> cells(static_cast<std::size_t>(matrix.n_rows) * n_cells());
    const std::int64_t n_blocks = (matrix.n_rows + kBlock - 1) / kBlock;
    for_each_short_task(n_blocks, n_threads, monitor, [&](std::int64_t block, int) {
        RowScratch scratch;
        scratch.cells.resize(n_cells());
        const std::int64_t end = std::min(matrix.n_rows, (block + 1) * kBlock);
        for (std::int64_t row = block * kBlock; row < end; ++row) {
            monitor.check();
            fill_row(matrix, row, scales, scratch);
            std::transform(scratch.cells.begin(), scratch.cells.end(),
                           cells.data() + static_cast<std::size_t>(row) * n_cells(),
                           [](double value) { return static_cast<Cell>(value); });
        }
    });
    return cells;
}

template std::vector<double> SeriesViews::rows(const Matrix&, std::span<const double>, int, Monitor&) const;
template std::vector<std::int16_t> SeriesViews::rows(const Matrix&, std::span<const double>, int,
                                                     Monitor&) const;

// The mean of the series from the first of a column on, less the first.
void SeriesViews::find_mean(RowScratch& scratch, std::int64_t first) const {
    scratch.mean.assign(static_cast<std::size_t>(grid_.side), 0.0);
    const auto start = series(scratch, first);
    for (std::int64_t s = first + 1; s < first + grid_.height; ++s) {
        const auto other = series(scratch, s);
        for (std::size_t t = 0; t < start.size(); ++t) scratch.mean[t] += other[t] - start[t];
    }
    for (double& value : scratch.mean) value /= static_cast<double>(grid_.height);
}

Lines SeriesViews::lines_of(const RowScratch& scratch, std::int64_t s) const {
    const std::int64_t first = s - s % grid_.height;
    Lines lines{series(scratch, s), {}, series(scratch, first), scratch.mean};
    if ((s + 1) % grid_.height != 0) lines.next = series(scratch, s + 1);
    if ((s + 1) % grid_.height == 0 && grid_.tube && grid_.height > 1) lines.next = lines.first;
    return lines;
}

void SeriesViews::fill_row(const Matrix& matrix, std::int64_t row, std::span<const double> scales,
                           RowScratch& scratch) const {
    scratch.row.resize(static_cast<std::size_t>(grid_.n_series * grid_.side));
    copy_row(matrix, row, scratch.row);
    // Rows to predict may hold larger values than any training row; differences of these would leave the
    // range.
    for (double& value : scratch.row) value = std::clamp(value, -kLargest, kLargest);
    for (std::int64_t s = 0; s < grid_.n_series; ++s) {
        if (s % grid_.height == 0) find_mean(scratch, s);
        const Lines lines = lines_of(scratch, s);
        for (std::size_t v = 0; v < views_.size(); ++v) {
            const auto first = (static_cast<std::int64_t>(v) * grid_.n_series + s) * pitch_;
            double* out = scratch.cells.data() + first;
            std::visit([&](const auto& own) { own.fill(lines, scratch.memory, out); }, views_[v]);
            for (std::int64_t t = 0; t < pitch_; ++t)
                out[t] = std::clamp(out[t] * scales[v], -kLargest, kLargest);
        }
    }
}

}  // namespace foliation
