#include "core/cuts/value_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

namespace foliation {

namespace {

// The values' range in equal parts, with the heavy value in a part of its own.
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
                                     const std::uint16_t* codes, int shift, std::uint32_t* places) {
        for (std::size_t i = 0; i < n; ++i) {
            const V value = values[i];
            const auto part = static_cast<std::int32_t>(static_cast<F>(value - parts.lo) * parts.scale);
            const std::int32_t bin = part + (value > parts.heavy ? 1 : 0) + (value >= parts.inner ? 1 : 0);
            places[i] = static_cast<std::uint32_t>((bin << shift) + codes[i]);
        }
    }
};

// Class weights before each bin and at the end, their sum, and the purities of the cut there.
template <std::size_t kLanes>
struct SumUp {
    static FOLIATION_INLINE void run(const std::uint16_t* cells, const std::uint16_t* more, std::size_t n,
                                     const std::int32_t* total, std::int32_t* before, double* weight,
                                     double* purity, double* beyond) {
        std::int32_t sums[kLanes] = {};
        std::int32_t all = 0, square_of_all = 0;
        for (std::size_t k = 0; k < kLanes; ++k) {
            before[k] = 0;
            all += total[k];
            square_of_all += total[k] * total[k];
        }
        weight[0] = purity[0] = 0.0;
        beyond[0] = square_of_all;
        for (std::size_t s = 0; s < n; ++s) {
            std::int32_t left = 0, square = 0, square_beyond = 0;
            for (std::size_t k = 0; k < kLanes; ++k) {
                sums[k] += cells[s * kLanes + k] + more[s * kLanes + k];
                const std::int32_t rest = total[k] - sums[k];
                before[(s + 1) * kLanes + k] = sums[k];
                left += sums[k];
                square += sums[k] * sums[k];
                square_beyond += rest * rest;
            }
            weight[s + 1] = left;
            purity[s + 1] = square;
            beyond[s + 1] = square_beyond;
        }
        // Without weight there are no squares, whatever they are divided by.
        for (std::size_t s = 0; s <= n; ++s) {
            const double rest = all - weight[s];
            beyond[s] /= rest > 1.0 ? rest : 1.0;
            purity[s] = purity[s] / (weight[s] > 1.0 ? weight[s] : 1.0) + beyond[s];
        }
    }
};

// Whether one of the two inner corners of a bin exceeds the purity. Multiplied out: a division takes longer
// than all the rest.
struct PassInCorners {
    static FOLIATION_INLINE void run(const std::int32_t* before, std::size_t n, double needed,
                                     std::uint8_t* found) {
        const double zeros = before[2 * n];
        const double ones = before[2 * n + 1];
        const auto passes = [=](double zero, double one) {
            const double rest = zeros - zero;
            const double rest_one = ones - one;
            const double left = zero + one;
            const double right = rest + rest_one;
            return (zero * zero + one * one) * right + (rest * rest + rest_one * rest_one) * left >
                   needed * (left * right);
        };
        for (std::size_t s = 0; s < n; ++s) {
            const bool first = passes(before[2 * s], before[2 * s + 3]);
            const bool second = passes(before[2 * s + 2], before[2 * s + 1]);
            found[s] = static_cast<std::uint8_t>(first | second);
        }
    }
};

struct TakePromising {
    template <class V>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, const std::uint32_t* places, int shift,
                                     const std::uint64_t* promising, V* taken, std::uint32_t* slots,
                                     std::size_t* n_taken) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t bin = places[i] >> shift;
            taken[count] = values[i];
            slots[count] = static_cast<std::uint32_t>(i);
            count += promising[bin / 64] >> bin % 64 & 1;
        }
        *n_taken = count;
    }
};

}  // namespace

template <class V>
bool ValueBins::find_places(std::span<const V> values, Range<V> range, const WholeRows& rows) {
    const double width = static_cast<double>(range.hi) - static_cast<double>(range.lo);
    const double scale = (static_cast<double>(n_) - 2.5) / width;
    using F = std::conditional_t<std::is_integral_v<V>, float, double>;
    if (!std::isfinite(scale) || !(scale > 0.0) || (std::is_integral_v<V> && width >= 0x1.0p31)) return false;
    const V heavy = range.lo < V{0} && V{0} < range.hi ? V{0} : range.lo;
    const V inner = heavy == range.lo ? std::numeric_limits<V>::max() : heavy;
    const Parts<V, F> parts{range.lo, static_cast<F>(scale), heavy, inner};
    heavy_ =
        heavy == range.lo ? 0 : static_cast<std::size_t>(static_cast<F>(heavy - range.lo) * parts.scale) + 1;
    scratch_->places.resize(values.size());
    run_on<FindPlaces>(isa_, values.data(), values.size(), parts, rows.codes.data(), shift_,
                       scratch_->places.data());
    return true;
}

template <class V>
bool ValueBins::count(std::span<const V> values, Range<V> range, const WholeRows& rows,
                      std::span<const double> class_weights) {
    const std::size_t n = values.size();
    if (n < kFewest || class_weights.size() > kClasses ||
        std::accumulate(class_weights.begin(), class_weights.end(), 0.0) > kMostWeight)
        return false;
    const bool two = class_weights.size() <= 2;
    shift_ = two ? 1 : 4;
    n_ = two ? std::clamp(n / 4, std::size_t{32}, kMost) : std::clamp(n / 8, std::size_t{16}, kMost / 2);
    if (!find_places(values, range, rows)) return false;

    const std::size_t n_cells = n_ << shift_;
    scratch_->cells.assign(kCopies * n_cells, 0);
    std::uint16_t* cells = scratch_->cells.data();
    std::uint16_t* more = cells + n_cells;
    const std::uint32_t* places = scratch_->places.data();
    const std::uint16_t* weights = rows.weights.data();
    const auto add = [=](std::uint16_t* copy, std::size_t i) {
        copy[places[i]] = static_cast<std::uint16_t>(copy[places[i]] + weights[i]);
    };
    for (std::size_t i = 0; i + 1 < n; i += 2) {
        add(cells, i);
        add(more, i + 1);
    }
    if (n % 2 == 1) add(cells, n - 1);

    std::array<std::int32_t, kClasses> total{};
    std::copy(class_weights.begin(), class_weights.end(), total.begin());
    const auto sum_up = [&]<class Kernel>(Kernel) {
        run_on<Kernel>(isa_, static_cast<const std::uint16_t*>(cells),
                       static_cast<const std::uint16_t*>(more), n_,
                       static_cast<const std::int32_t*>(total.data()), before_.data(), weight_.data(),
                       purity_.data(), beyond_.data());
    };
    two ? sum_up(SumUp<2>{}) : sum_up(SumUp<kClasses>{});
    return true;
}
template bool ValueBins::count(std::span<const std::int16_t>, Range<std::int16_t>, const WholeRows&,
                               std::span<const double>);
template bool ValueBins::count(std::span<const std::int32_t>, Range<std::int32_t>, const WholeRows&,
                               std::span<const double>);
template bool ValueBins::count(std::span<const double>, Range<double>, const WholeRows&,
                               std::span<const double>);

double ValueBins::best_between(double least) const {
    double best = 0.0;
    const double all = weight_[n_];
    for (std::size_t s = 1; s < n_; ++s) {
        const double left = weight_[s];
        const bool legal = left >= least && all - left >= least && left > 0.0 && left < all;
        best = legal && purity_[s] > best ? purity_[s] : best;
    }
    return best;
}

double ValueBins::mark_promising(double needed) {
    const bool two = shift_ == 1;
    std::array<std::uint8_t, kMost> pass_in_corners;
    if (two)
        run_on<PassInCorners>(isa_, static_cast<const std::int32_t*>(before_.data()), n_, needed,
                              pass_in_corners.data());
    promising_.fill(0);
    double promising_weight = 0.0;
    for (std::size_t s = 0; s < n_; ++s) {
        const double own = weight_[s + 1] - weight_[s];
        const double ends = two ? purity_[s] : purity_[s] - beyond_[s] + own + beyond_[s + 1];
        const bool inside = s != heavy_ && (ends > needed || (two && pass_in_corners[s] != 0));
        const bool promises = own > 0.0 && (inside || purity_[s + 1] > needed);
        promising_[s / 64] |= std::uint64_t{promises} << s % 64;
        promising_weight += promises ? own : 0.0;
    }
    return promising_weight;
}

template <class V>
std::size_t ValueBins::take_promising(std::span<const V> values, Range<V> range, const WholeRows& rows,
                                      V* taken, std::uint32_t* slots) {
    find_places(values, range, rows);
    std::size_t count = 0;
    run_on<TakePromising>(isa_, values.data(), values.size(),
                          static_cast<const std::uint32_t*>(scratch_->places.data()), shift_,
                          static_cast<const std::uint64_t*>(promising_.data()), taken, slots, &count);
    return count;
}
template std::size_t ValueBins::take_promising(std::span<const std::int16_t>, Range<std::int16_t>,
                                               const WholeRows&, std::int16_t*, std::uint32_t*);
template std::size_t ValueBins::take_promising(std::span<const std::int32_t>, Range<std::int32_t>,
                                               const WholeRows&, std::int32_t*, std::uint32_t*);
template std::size_t ValueBins::take_promising(std::span<const double>, Range<double>, const WholeRows&,
                                               double*, std::uint32_t*);

}  // namespace foliation
