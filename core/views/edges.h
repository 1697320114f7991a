// Edges of an image by direction: how much brighter the next cell is, and zero if it is darker. Sums of them
// over boxes are integral channel features (Dollár et al. 2009).
#pragma once

#include <algorithm>
#include <vector>

#include "core/views/lines.h"

namespace foliation {

// Along the last axis: to the next cell if it rises, to the one before it if not.
template <bool kRises>
struct EdgeAlong {
    static constexpr const char* kName = kRises ? "east" : "west";
    static constexpr const char* kLabel = kRises ? "edges to the east" : "edges to the west";
    static constexpr bool kKeepsWhole = true;
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(const SeriesGrid& grid) {
        return grid.circle && grid.side > 1 ? grid.side : grid.side - 1;
    }

    bool circle;
    explicit EdgeAlong(const SeriesGrid& grid) : circle(grid.circle) {}
    void fill(const Lines& lines, std::vector<double>&, double* out) const {
        const auto& x = lines.here;
        for (std::size_t t = 0; t + 1 < x.size(); ++t) out[t] = rise(x[t], x[t + 1]);
        if (circle && x.size() > 1) out[x.size() - 1] = rise(x.back(), x.front());
    }
    static double rise(double from, double to) { return std::max(0.0, kRises ? to - from : from - to); }
};

// Along the axis before the last; at its end there is none.
template <bool kRises>
struct EdgeAcross {
    static constexpr const char* kName = kRises ? "south" : "north";
    static constexpr const char* kLabel = kRises ? "edges to the south" : "edges to the north";
    static constexpr bool kKeepsWhole = true;
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(const SeriesGrid& grid) { return grid.height > 1 ? grid.side : 0; }

    explicit EdgeAcross(const SeriesGrid&) {}
    void fill(const Lines& lines, std::vector<double>&, double* out) const {
        if (lines.next.empty()) {
            std::fill_n(out, lines.here.size(), 0.0);
            return;
        }
        for (std::size_t t = 0; t < lines.here.size(); ++t)
            out[t] = EdgeAlong<kRises>::rise(lines.here[t], lines.next[t]);
    }
};

using East = EdgeAlong<true>;
using West = EdgeAlong<false>;
using South = EdgeAcross<true>;
using North = EdgeAcross<false>;

}  // namespace foliation
