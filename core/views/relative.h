// A series less the mean of all along the axis before the last, as it is and as a spectrum: what tells one
// channel from the others, whatever they have in common. For EEG it is the common average reference.
#pragma once

#include <algorithm>
#include <vector>

#include "core/views/lines.h"
#include "core/views/spectrum.h"

namespace foliation {

struct Relative {
    static constexpr const char* kName = "relative";
    static constexpr const char* kLabel = "values less the channels' mean";
    static constexpr bool kKeepsCircle = true;
    static std::int64_t length(const SeriesGrid& grid) { return grid.height > 1 ? grid.side : 0; }

    explicit Relative(const SeriesGrid&) {}
    void fill(const Lines& lines, std::vector<double>&, double* out) const {
        for (std::size_t t = 0; t < lines.here.size(); ++t)
            out[t] = (lines.here[t] - lines.first[t]) - lines.mean[t];
    }
};

class RelativeSpectrum {
  public:
    static constexpr const char* kName = "relative_spectrum";
    static constexpr const char* kLabel = "spectrum less the channels' mean";
    static constexpr bool kFrequencies = true;
    static constexpr bool kKeepsCircle = Spectrum::kKeepsCircle;
    static std::int64_t length(const SeriesGrid& grid) {
        return grid.height > 1 ? Spectrum::length(grid) : 0;
    }

    explicit RelativeSpectrum(const SeriesGrid& grid) : relative_(grid), spectrum_(grid) {}
    void fill(const Lines& lines, std::vector<double>& memory, double* out) const {
        std::vector<double> own(lines.here.size());
        relative_.fill(lines, memory, own.data());
        spectrum_.fill({own, {}, {}, {}}, memory, out);
    }

  private:
    Relative relative_;
    Spectrum spectrum_;
};

}  // namespace foliation
