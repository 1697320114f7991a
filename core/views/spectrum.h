// The magnitudes of a series' frequencies 1 .. n / 2, without its mean.
// The series is brought to order one before its transform, by a power of two, so that no square leaves the
// range and a series that is 2^k times as large has a spectrum that is exactly 2^k times as large.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/views/fourier.h"
#include "core/views/lines.h"

namespace foliation {

class Spectrum {
  public:
    static constexpr const char* kName = "spectrum";
    static constexpr bool kFrequencies = true;
    static constexpr bool kKeepsCircle = false;  // the highest frequency is no neighbor of the lowest
    static std::int64_t length(const SeriesGrid& grid) { return grid.side / 2; }

    explicit Spectrum(const SeriesGrid& grid) : fourier_(static_cast<std::size_t>(grid.side)) {}

    void fill(const Lines& lines, std::vector<double>& memory, double* out) const {
        const auto& x = lines.here;
        std::vector<double> centered(x.size());
        const double unit = center(x, centered);
        fourier_.magnitudes(centered, memory, out);
        round({out, x.size() / 2}, unit);
    }

  private:
    // Values less the first of them sum to zero, exactly, if all are the same.
    static double center(std::span<const double> x, std::span<double> centered) {
        double sum = 0.0;
        for (std::size_t t = 0; t < x.size(); ++t) sum += centered[t] = x[t] - x[0];
        const double mean = sum / static_cast<double>(x.size());
        double largest = 0.0;
        for (double& value : centered) largest = std::max(largest, std::abs(value -= mean));
        const int exponent = largest > 0.0 ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
        const double scale = std::ldexp(1.0, -exponent);
        for (double& value : centered) value *= scale;
        return std::ldexp(1.0, exponent);
    }

    // To multiples of a share of the largest, above the error of a transform: a series and its mirror image,
    // or the same series begun elsewhere, have one spectrum, and no forest shall cut between its roundings.
    static void round(std::span<double> magnitudes, double unit) {
        constexpr int kBits = 40;
        double largest = 0.0;
        for (const double value : magnitudes) largest = std::max(largest, value);
        if (largest == 0.0) return;
        const double step = std::ldexp(1.0, std::ilogb(largest) - kBits);
        for (double& value : magnitudes) value = std::rint(value / step) * (step * unit);
    }

    Fourier fourier_;
};

}  // namespace foliation
