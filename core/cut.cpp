#include "cut.h"

namespace foliation {

namespace {

struct FindRange {
    static FOLIATION_INLINE void run(const double* values, std::size_t n, Range* range) {
        constexpr std::size_t kLanes = 8;
        double lo[kLanes], hi[kLanes];
        for (std::size_t l = 0; l < kLanes; ++l) lo[l] = hi[l] = values[0];
        std::size_t i = 0;
        for (; i + kLanes <= n; i += kLanes) {
            for (std::size_t l = 0; l < kLanes; ++l) {
                const double v = values[i + l];
                lo[l] = v < lo[l] ? v : lo[l];
                hi[l] = v > hi[l] ? v : hi[l];
            }
        }
        for (; i < n; ++i) {
            lo[0] = values[i] < lo[0] ? values[i] : lo[0];
            hi[0] = values[i] > hi[0] ? values[i] : hi[0];
        }
        for (std::size_t l = 1; l < kLanes; ++l) {
            lo[0] = lo[l] < lo[0] ? lo[l] : lo[0];
            hi[0] = hi[l] > hi[0] ? hi[l] : hi[0];
        }
        *range = {lo[0], hi[0]};
    }
};

// bins[i] = how many thresholds lie below values[i], by a binary search without branches.
struct FindBins {
    static FOLIATION_INLINE void run(const double* values, std::size_t n, const double* thresholds,
                                     std::uint8_t* bins) {
        for (std::size_t i = 0; i < n; ++i) {
            std::uint32_t at = 0;
            for (std::uint32_t step = Cutter::kBins / 2; step > 0; step /= 2)
                at += thresholds[at + step - 1] < values[i] ? step : 0;
            bins[i] = static_cast<std::uint8_t>(at);
        }
    }
};

}  // namespace

Range range_of(std::span<const double> values, Isa isa) {
    Range range;
    run_on<FindRange>(isa, values.data(), values.size(), &range);
    return range;
}

void Cutter::sort_keys(std::span<const double> values) {
    keys_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) keys_[i] = {values[i], static_cast<std::int32_t>(i)};
    std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
        return a.value < b.value || (a.value == b.value && a.slot < b.slot);
    });
}

bool Cutter::sample_thresholds(std::span<const double> values, Range range) {
    const std::size_t n = values.size();
    const std::size_t size = std::min(kSample, n);
    sample_.resize(size);
    for (std::size_t k = 0; k < size; ++k) sample_[k] = values[k * n / size];
    std::sort(sample_.begin(), sample_.end());
    const auto rises = [&](std::size_t i) { return sample_[i - 1] < sample_[i]; };
    std::size_t n_rises = 0;
    for (std::size_t i = 1; i < size; ++i) n_rises += rises(i) ? 1 : 0;
    if (n_rises < kBins) return false;

    thresholds_.clear();
    if (range.lo < sample_.front()) thresholds_.push_back(midpoint(range.lo, sample_.front()));
    for (std::size_t b = 1; b < kBins - 2; ++b) {
        const std::size_t i = b * size / (kBins - 2);
        if (rises(i)) thresholds_.push_back(midpoint(sample_[i - 1], sample_[i]));
    }
    if (sample_.back() < range.hi) thresholds_.push_back(midpoint(sample_.back(), range.hi));
    n_thresholds_ = thresholds_.size();
    thresholds_.resize(kBins, std::numeric_limits<double>::infinity());
    return true;
}

void Cutter::fill_bins(std::span<const double> values) {
    bins_.resize(values.size());
    run_on<FindBins>(rules_.isa, values.data(), values.size(), static_cast<const double*>(thresholds_.data()),
                     bins_.data());
}

}  // namespace foliation
