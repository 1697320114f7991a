// Rows as grids of series, and what a view sees of them.
#pragma once

#include <cstdint>
#include <span>

namespace foliation {

// Rows that are grids with series along their last axis.
struct SeriesGrid {
    std::int64_t n_series = 1;
    std::int64_t side = 1;
    bool circle = false;      // the last axis closes on itself
    std::int64_t height = 1;  // cells along the axis before the last
    bool tube = false;        // that axis closes on itself
};

// One series, and others along the axis before the last.
struct Lines {
    std::span<const double> here;
    std::span<const double> next;   // empty if there is none
    std::span<const double> first;  // of all
    std::span<const double> mean;   // of all, less the first: zero, exactly, where all are the same
};

}  // namespace foliation
