// Views of series: the last axis of a grid as it is, its differences, its spectrum, and what tells it from
// others beside it; and the edges of images.
//
// To register a view, add it to the variant SeriesView. Every view (SignalView) offers
//   kName                        what users call it
//   kKeepsCircle                 whether the view of a circle is a circle
//   length(grid)                 of the view of a series of this grid; 0 if it has none. It may be longer
//                                than the series.
//   a constructor (grid)
//   fill(lines, memory, out)     writes the view of one series; memory belongs to the thread
// and may offer
//   kLabel                       what labels call it; else its name
//   kKeepsWhole                  whether views of whole numbers are whole; else they are not
//   kFrequencies                 whether the last axis is frequencies; else it is not
#pragma once

#include <algorithm>
#include <concepts>
#include <string>
#include <variant>

#include "core/base/parallel.h"
#include "core/data/matrix.h"
#include "core/views/edges.h"
#include "core/views/lines.h"
#include "core/views/relative.h"
#include "core/views/spectrum.h"

namespace foliation {

struct Raw {
    static constexpr const char* kName = "raw";
    static constexpr bool kKeepsWhole = true;
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(const SeriesGrid& grid) { return grid.side; }

    explicit Raw(const SeriesGrid&) {}
    void fill(const Lines& lines, std::vector<double>&, double* out) const {
        std::copy(lines.here.begin(), lines.here.end(), out);
    }
};

struct Difference {
    static constexpr const char* kName = "difference";
    static constexpr bool kKeepsWhole = true;
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(const SeriesGrid& grid) { return East::length(grid); }

    bool circle;
    explicit Difference(const SeriesGrid& grid) : circle(grid.circle) {}
    void fill(const Lines& lines, std::vector<double>&, double* out) const {
        const auto& x = lines.here;
        for (std::size_t t = 0; t + 1 < x.size(); ++t) out[t] = x[t + 1] - x[t];
        if (circle && x.size() > 1) out[x.size() - 1] = x.front() - x.back();
    }
};

template <class W>
concept SignalView = std::constructible_from<W, const SeriesGrid&> &&
                     requires(const W view, const SeriesGrid& grid, const Lines& lines,
                              std::vector<double>& memory, double* out) {
                         { W::kName } -> std::convertible_to<const char*>;
                         { W::kKeepsCircle } -> std::convertible_to<bool>;
                         { W::length(grid) } -> std::same_as<std::int64_t>;
                         view.fill(lines, memory, out);
                     };

using SeriesView =
    std::variant<Raw, Difference, Spectrum, Relative, RelativeSpectrum, East, West, South, North>;

namespace detail {
// One assertion for each view, so that the compiler says which one lacks what.
template <class W>
constexpr bool is_view() {
    static_assert(SignalView<W>, "a member of SeriesView lacks what core/views/series.h asks for");
    return true;
}
template <class... Views>
constexpr bool are_views(const std::variant<Views...>*) {
    return (is_view<Views>() && ...);
}
static_assert(are_views(static_cast<const SeriesView*>(nullptr)));
}  // namespace detail

// What a view of the series of a grid is.
struct ViewOutline {
    std::string name;
    std::int64_t length;  // of its last axis; 0 if the grid has no such view
    bool circle;          // whether that axis closes on itself
    std::string label;    // for people
    bool keeps_whole;     // whether views of whole numbers are whole
    bool frequencies;     // whether the last axis is frequencies
};
// All views that there are, of the series of a grid.
std::vector<ViewOutline> view_outlines(const SeriesGrid& grid);

class SeriesViews {
  public:
    SeriesViews(const std::vector<std::string>& names, SeriesGrid grid);

    // For each row its views, one after the other, as one grid with an axis of views before the others. Its
    // last axis is as long as the series or the longest view, whichever is longer:
    //
    //   view 0   series 0   x x x x x 0 0      shorter views are padded with zeros
    //            series 1   x x x x x 0 0
    //   view 1   series 0   x x x x x x x
    //            series 1   x x x x x x x
    //
    // Each view is multiplied by its scale. Values of rows and of views are at most kLargest in size; larger
    // ones become kLargest. Cells are doubles, or 16-bit integers for views of bytes that are whole.
    template <class Cell>
    std::vector<Cell> rows(const Matrix& matrix, std::span<const double> scales, int n_threads,
                           Monitor& monitor) const;
    std::size_t n_cells() const { return views_.size() * static_cast<std::size_t>(grid_.n_series * pitch_); }

  private:
    static constexpr double kLargest = 1e300;
    struct RowScratch {
        std::vector<double> row, mean, memory, cells;
    };
    std::span<const double> series(const RowScratch& scratch, std::int64_t s) const {
        return std::span(scratch.row)
            .subspan(static_cast<std::size_t>(s * grid_.side), static_cast<std::size_t>(grid_.side));
    }
    void find_mean(RowScratch& scratch, std::int64_t first) const;
    Lines lines_of(const RowScratch& scratch, std::int64_t s) const;
    void fill_row(const Matrix& matrix, std::int64_t row, std::span<const double> scales,
                  RowScratch& scratch) const;

    SeriesGrid grid_;
    std::vector<SeriesView> views_;
    std::int64_t pitch_;  // cells from one series to the next: the longest view, and at least the series
};

}  // namespace foliation
