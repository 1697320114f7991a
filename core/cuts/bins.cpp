#include "core/cuts/bins.h"

#include <array>

namespace foliation {

namespace {

// all[b] and ones[b] = the weight of all rows, and of those of class 1, whose value is at most lo + b.
struct CountUpTo {
    static FOLIATION_INLINE void run(const std::int16_t* values, std::size_t n, std::int16_t lo,
                                     std::size_t n_counts, const std::uint16_t* codes,
                                     const std::uint16_t* weights, double* all, double* ones) {
        typedef std::int16_t Lanes __attribute__((vector_size(32)));
        typedef Lanes InMemory __attribute__((aligned(2), may_alias));
        constexpr std::size_t kLanes = 16;
        constexpr std::size_t kTogether = 4;
        const std::size_t whole = n / kLanes * kLanes;
        std::int16_t last[3][kLanes] = {};  // what is left, filled up with rows of no weight
        for (std::size_t i = whole; i < n; ++i) {
            last[0][i - whole] = values[i];
            last[1][i - whole] = static_cast<std::int16_t>(weights[i]);
            last[2][i - whole] = static_cast<std::int16_t>(codes[i]);
        }
        for (std::size_t first = 0; first < n_counts; first += kTogether) {
            Lanes sums[kTogether] = {}, sums_of_ones[kTogether] = {};
            for (std::size_t i = 0; i < n; i += kLanes) {
                const bool here = i < whole;
                const Lanes value = *reinterpret_cast<const InMemory*>(here ? values + i : last[0]);
                const Lanes weight = here ? *reinterpret_cast<const InMemory*>(weights + i)
                                          : *reinterpret_cast<const InMemory*>(last[1]);
                const Lanes code = here ? *reinterpret_cast<const InMemory*>(codes + i)
                                        : *reinterpret_cast<const InMemory*>(last[2]);
                const Lanes one = weight & -code;
                for (std::size_t k = 0; k < kTogether; ++k) {
                    const Lanes below = value <= static_cast<std::int16_t>(lo + static_cast<int>(first + k));
                    sums[k] += weight & below;
                    sums_of_ones[k] += one & below;
                }
            }
            for (std::size_t k = 0; k < kTogether && first + k < n_counts; ++k) {
                std::int16_t lanes[2][kLanes];
                *reinterpret_cast<InMemory*>(lanes[0]) = sums[k];
                *reinterpret_cast<InMemory*>(lanes[1]) = sums_of_ones[k];
                int sum = 0, sum_of_ones = 0;
                for (std::size_t l = 0; l < kLanes; ++l) sum += lanes[0][l];
                for (std::size_t l = 0; l < kLanes; ++l) sum_of_ones += lanes[1][l];
                all[first + k] = sum;
                ones[first + k] = sum_of_ones;
            }
        }
    }
};

}  // namespace

bool Bins::fill_few(std::span<const std::int16_t> values, std::int16_t lo, std::size_t n_bins,
                    const WholeRows& rows) {
    constexpr std::size_t kFewBins = 24;
    constexpr double kMostWeight = 32767.0;
    if (n_bins > kFewBins || rows.total > kMostWeight) return false;
    std::array<double, kFewBins> all, ones;
    run_on<CountUpTo>(isa_, values.data(), values.size(), lo, n_bins, rows.codes.data(), rows.weights.data(),
                      all.data(), ones.data());
    width_ = 2;
    cells_.resize(width_ * n_bins);
    for (std::size_t b = 0; b < n_bins; ++b) {
        const double one = ones[b] - (b > 0 ? ones[b - 1] : 0.0);
        cells_[2 * b] = all[b] - (b > 0 ? all[b - 1] : 0.0) - one;
        cells_[2 * b + 1] = one;
    }
    return true;
}

}  // namespace foliation
