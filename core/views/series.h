// Views of series: the last axis of a grid as it is, its differences, its spectrum.
//
// To register a view, add it to SeriesView. Every view offers
//   kName                        what users call it
//   kKeepsCircle                 whether the view of a circle is a circle
//   length(side, circle)         of the view of a series of this length; 0 if it has none
//   a constructor (side, circle)
//   fill(x, memory, out)         writes the view of one series; memory is lent by the thread
#pragma once

#include <algorithm>
#include <string>
#include <variant>

#include "../parallel.h"
#include "matrix.h"
#include "spectrum.h"

namespace foliation {

struct Raw {
    static constexpr const char* kName = "raw";
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(std::int64_t side, bool) { return side; }

    Raw(std::int64_t, bool) {}
    void fill(std::span<const double> x, std::vector<double>&, double* out) const {
        std::copy(x.begin(), x.end(), out);
    }
};

struct Difference {
    static constexpr const char* kName = "difference";
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(std::int64_t side, bool circle) {
        return circle && side > 1 ? side : side - 1;
    }

    bool circle;
    Difference(std::int64_t, bool c) : circle(c) {}
    void fill(std::span<const double> x, std::vector<double>&, double* out) const {
        for (std::size_t t = 0; t + 1 < x.size(); ++t) out[t] = x[t + 1] - x[t];
        if (circle && x.size() > 1) out[x.size() - 1] = x.front() - x.back();
    }
};

using SeriesView = std::variant<Raw, Difference, Spectrum>;

struct ViewOutline {
    std::string name;
    std::int64_t length;
    bool circle;
};
// All views that there are, of series of this length.
std::vector<ViewOutline> view_outlines(std::int64_t side, bool circle);

// Rows that are grids with series along their last axis.
struct SeriesGrid {
    std::int64_t n_series = 1;
    std::int64_t side = 1;
    bool circle = false;
};

class SeriesViews {
  public:
    SeriesViews(const std::vector<std::string>& names, SeriesGrid grid);

    // For each row its views, one after the other: each is a grid of the same shape, every series padded with
    // zeros, and multiplied by the view's scale. Values stay below kLargest in size.
    std::vector<double> rows(const Matrix& matrix, std::span<const double> scales, int n_threads,
                             Monitor& monitor) const;
    std::size_t n_cells() const {
        return views_.size() * static_cast<std::size_t>(grid_.n_series * grid_.side);
    }

  private:
    static constexpr double kLargest = 1e300;
    struct Lent {
        std::vector<double> series, memory;
    };
    void fill_row(const Matrix& matrix, std::int64_t row, std::span<const double> scales, Lent& lent,
                  double* cells) const;

    SeriesGrid grid_;
    std::vector<SeriesView> views_;
};

}  // namespace foliation
