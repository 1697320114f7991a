#include "stretches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

namespace foliation {

namespace {

constexpr std::size_t kClasses = Stretches::kClasses;

// The values' range in equal parts, with the heavy value a part by itself.
template <class V, class F>
struct Parts {
    V lo;
    F scale;
    V heavy;
    V inner;  // heavy, unless that is the smallest value: then more than all
};

struct FindPlaces {
    template <class V, class F>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, Parts<V, F> parts,
                                     const std::uint16_t* codes, std::uint32_t* places) {
        for (std::size_t i = 0; i < n; ++i) {
            const V value = values[i];
            const auto part = static_cast<std::int32_t>(static_cast<F>(value - parts.lo) * parts.scale);
            const std::int32_t stretch =
                part + (value > parts.heavy ? 1 : 0) + (value >= parts.inner ? 1 : 0);
            places[i] = static_cast<std::uint32_t>(stretch * static_cast<int>(kClasses) + codes[i]);
        }
    }
};

// Running sums over the stretches.
struct SumUp {
    static FOLIATION_INLINE void run(const std::uint16_t* cells, const std::uint16_t* more, std::size_t n,
                                     const std::int32_t* total, double total_weight, std::int32_t* left,
                                     double* weight, double* purity, double* purity_beyond) {
        std::int32_t sums[kClasses] = {};
        for (std::size_t s = 0; s < n; ++s) {
            std::int32_t all = 0, square = 0, beyond = 0;
            for (std::size_t k = 0; k < kClasses; ++k) {
                sums[k] += cells[s * kClasses + k] + more[s * kClasses + k];
                const std::int32_t rest = total[k] - sums[k];
                left[s * kClasses + k] = sums[k];
                all += sums[k];
                square += sums[k] * sums[k];
                beyond += rest * rest;
            }
            weight[s] = all;
            purity[s] = square;
            purity_beyond[s] = beyond;
        }
        // Without weight there are no squares, whatever they are divided by.
        for (std::size_t s = 0; s < n; ++s) {
            const double rest = total_weight - weight[s];
            purity[s] /= weight[s] > 1.0 ? weight[s] : 1.0;
            purity_beyond[s] /= rest > 1.0 ? rest : 1.0;
        }
    }
};

}  // namespace

template <class V>
bool Stretches::count(std::span<const V> values, Range<V> range, const WholeRows& rows,
                      std::span<const double> class_weights) {
    constexpr std::size_t kRowsEach = 8;
    const std::size_t n = values.size();
    if (n < kFewest || class_weights.size() > kClasses ||
        std::accumulate(class_weights.begin(), class_weights.end(), 0.0) > kMostWeight)
        return false;
    n_ = std::clamp(n / kRowsEach, std::size_t{16}, kMost);
    const double width = static_cast<double>(range.hi) - static_cast<double>(range.lo);
    const double scale = (static_cast<double>(n_) - 2.5) / width;
    using F = std::conditional_t<std::is_integral_v<V>, float, double>;
    if (!std::isfinite(scale) || !(scale > 0.0) || (std::is_integral_v<V> && width >= 0x1.0p31)) return false;
    const V heavy = range.lo < V{0} && V{0} < range.hi ? V{0} : range.lo;
    const V inner = heavy == range.lo ? std::numeric_limits<V>::max() : heavy;
    const Parts<V, F> parts{range.lo, static_cast<F>(scale), heavy, inner};
    heavy_ =
        heavy == range.lo ? 0 : static_cast<std::size_t>(static_cast<F>(heavy - range.lo) * parts.scale) + 1;
    places_.resize(n);
    run_on<FindPlaces>(isa_, values.data(), n, parts, rows.codes.data(), places_.data());

    const std::size_t n_cells = n_ * kClasses;
    std::uint16_t* cells = cells_.data();
    std::uint16_t* more = cells + n_cells;
    std::fill_n(cells, kCopies * n_cells, std::uint16_t{0});
    const std::uint32_t* places = places_.data();
    const std::uint16_t* weights = rows.weights.data();
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        cells[places[i]] = static_cast<std::uint16_t>(cells[places[i]] + weights[i]);
        more[places[i + 1]] = static_cast<std::uint16_t>(more[places[i + 1]] + weights[i + 1]);
    }
    if (i < n) cells[places[i]] = static_cast<std::uint16_t>(cells[places[i]] + weights[i]);
    std::array<std::int32_t, kClasses> total{};
    std::copy(class_weights.begin(), class_weights.end(), total.begin());
    const double weight = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
    run_on<SumUp>(isa_, static_cast<const std::uint16_t*>(cells), static_cast<const std::uint16_t*>(more), n_,
                  static_cast<const std::int32_t*>(total.data()), weight, left_.data(), weight_.data(),
                  purity_.data(), purity_beyond_.data());
    return true;
}
template bool Stretches::count(std::span<const std::int16_t>, Range<std::int16_t>, const WholeRows&,
                               std::span<const double>);
template bool Stretches::count(std::span<const std::int32_t>, Range<std::int32_t>, const WholeRows&,
                               std::span<const double>);
template bool Stretches::count(std::span<const double>, Range<double>, const WholeRows&,
                               std::span<const double>);

}  // namespace foliation
