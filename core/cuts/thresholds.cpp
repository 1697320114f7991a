#include "core/cuts/thresholds.h"

#include <cmath>
#include <limits>

#include "core/base/numbers.h"
#include "core/cuts/best_cut.h"

namespace foliation {

namespace {

// The range of the values in equal cells: a map that keeps the order.
struct Cells {
    static constexpr std::size_t kCount = 4096;
    double lo, scale;

    std::size_t of(double value) const { return static_cast<std::size_t>((value - lo) * scale); }
};

// bins[i] = how many thresholds lie below values[i]: all of the cells before its own, and kNear of those
// that may share its cell are compared.
template <std::size_t kNear, class V>
void count_near(std::span<const V> values, const double* thresholds, Cells cells, const std::uint8_t* below,
                std::uint8_t* bins) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        std::size_t bin = below[cells.of(value)];
        for (std::size_t k = 0; k < kNear; ++k) bin += goes_left(value, thresholds[bin]) ? 0 : 1;
        bins[i] = static_cast<std::uint8_t>(bin);
    }
}

// The same by a binary search without branches.
template <class V>
void search_all(std::span<const V> values, const double* thresholds, std::uint8_t* bins) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        std::uint32_t at = 0;
        for (std::uint32_t step = Thresholds<V>::kBins / 2; step > 0; step /= 2)
            at += goes_left(value, thresholds[at + step - 1]) ? 0 : step;
        bins[i] = static_cast<std::uint8_t>(at);
    }
}

}  // namespace

template <class V>
bool Thresholds<V>::sample(std::span<const V> values, Range<V> range, Rng& rng) {
    const std::size_t n = values.size();
    const std::size_t size = std::min(kSample, n);
    sample_.resize(size);
    Rng places(rng.next());  // at random, not in the order of the rows: trees treat all rows alike
    for (std::size_t k = 0; k < size; ++k)
        sample_[k] =
            static_cast<double>(values[n <= kSample ? k : static_cast<std::size_t>(places.below(n))]);
    const auto lo = static_cast<double>(range.lo);
    const auto hi = static_cast<double>(range.hi);
    const double* sorted = sample_order_.sort(sample_, {lo, hi}).values;
    const auto rises = [&](std::size_t i) { return sorted[i - 1] < sorted[i]; };
    std::size_t n_rises = 0;
    for (std::size_t i = 1; i < size; ++i) n_rises += rises(i) ? 1 : 0;
    if (n_rises < kBins) return false;

    thresholds_.clear();
    if (lo < sorted[0]) thresholds_.push_back(midpoint(lo, sorted[0]));
    for (std::size_t b = 1; b < kBins - 2; ++b) {
        const std::size_t i = b * size / (kBins - 2);
        if (rises(i)) thresholds_.push_back(midpoint(sorted[i - 1], sorted[i]));
    }
    if (sorted[size - 1] < hi) thresholds_.push_back(midpoint(sorted[size - 1], hi));
    n_ = thresholds_.size();
    thresholds_.resize(kBins, std::numeric_limits<double>::infinity());
    return true;
}

template <class V>
void Thresholds<V>::find_bins(std::span<const V> values, Range<V> range) {
    bins_.resize(values.size());
    const double lo = static_cast<double>(range.lo);
    const double width = static_cast<double>(range.hi) - lo;
    const Cells cells{lo, static_cast<double>(Cells::kCount - 1) / width};
    std::size_t nearest = kBins;  // thresholds that share a cell
    if (std::isfinite(width) && std::isfinite(cells.scale)) {
        below_.assign(Cells::kCount + 1, 0);
        nearest = 0;
        for (std::size_t b = 0; b < n_;) {
            const std::size_t cell = cells.of(thresholds_[b]);
            std::size_t end = b;
            while (end < n_ && cells.of(thresholds_[end]) == cell) ++end;
            nearest = std::max(nearest, end - b);
            const std::size_t next = end < n_ ? cells.of(thresholds_[end]) : Cells::kCount;
            std::fill(below_.begin() + static_cast<std::ptrdiff_t>(cell) + 1,
                      below_.begin() + static_cast<std::ptrdiff_t>(next) + 1, static_cast<std::uint8_t>(end));
            b = end;
        }
    }
    const double* thresholds = thresholds_.data();
    if (nearest <= 1) return count_near<1>(values, thresholds, cells, below_.data(), bins_.data());
    if (nearest <= 2) return count_near<2>(values, thresholds, cells, below_.data(), bins_.data());
    if (nearest <= 4) return count_near<4>(values, thresholds, cells, below_.data(), bins_.data());
    search_all(values, thresholds, bins_.data());
}

template class Thresholds<std::int16_t>;
template class Thresholds<std::int32_t>;
template class Thresholds<double>;

}  // namespace foliation
