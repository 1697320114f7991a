#include "cut.h"

namespace foliation {

namespace {

// bins[i] = how many thresholds lie below values[i], by a binary search without branches.
struct FindBins {
    template <class V>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, const double* thresholds,
                                     std::uint8_t* bins) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto value = static_cast<double>(values[i]);
            std::uint32_t at = 0;
            for (std::uint32_t step = Cutter<V>::kBins / 2; step > 0; step /= 2)
                at += thresholds[at + step - 1] < value ? step : 0;
            bins[i] = static_cast<std::uint8_t>(at);
        }
    }
};

}  // namespace

template <class V>
bool Cutter<V>::sample_thresholds(std::span<const V> values, Range<V> range) {
    const std::size_t n = values.size();
    const std::size_t size = std::min(kSample, n);
    sample_.resize(size);
    for (std::size_t k = 0; k < size; ++k) sample_[k] = static_cast<double>(values[k * n / size]);
    const auto lo = static_cast<double>(range.lo);
    const auto hi = static_cast<double>(range.hi);
    const double* sample = sample_order_.sort(sample_, {lo, hi}).values;
    const auto rises = [&](std::size_t i) { return sample[i - 1] < sample[i]; };
    std::size_t n_rises = 0;
    for (std::size_t i = 1; i < size; ++i) n_rises += rises(i) ? 1 : 0;
    if (n_rises < kBins) return false;

    thresholds_.clear();
    if (lo < sample[0]) thresholds_.push_back(midpoint(lo, sample[0]));
    for (std::size_t b = 1; b < kBins - 2; ++b) {
        const std::size_t i = b * size / (kBins - 2);
        if (rises(i)) thresholds_.push_back(midpoint(sample[i - 1], sample[i]));
    }
    if (sample[size - 1] < hi) thresholds_.push_back(midpoint(sample[size - 1], hi));
    n_thresholds_ = thresholds_.size();
    thresholds_.resize(kBins, std::numeric_limits<double>::infinity());
    return true;
}

template <class V>
void Cutter<V>::find_bins(std::span<const V> values) {
    bin_ids_.resize(values.size());
    run_on<FindBins>(rules_.isa, values.data(), values.size(), static_cast<const double*>(thresholds_.data()),
                     bin_ids_.data());
}

template class Cutter<std::int32_t>;
template class Cutter<double>;

}  // namespace foliation
