// The thresholds that a histogram tries: at most 255 midpoints of a random sample of a node's values, and
// those that part the sample from what lies beyond it.
#pragma once

#include "core/base/rng.h"
#include "core/cuts/order.h"

namespace foliation {

template <class V>
class Thresholds {
  public:
    static constexpr std::size_t kBins = 256;
    static constexpr std::size_t kSample = 1024;

    explicit Thresholds(Isa isa) : sample_order_(isa) {}

    // False if the sample has too few distinct values to stand for the node.
    bool sample(std::span<const V> values, Range<V> range, Rng& rng);
    // Finds for each value how many thresholds lie below it.
    void find_bins(std::span<const V> values, Range<V> range);

    std::size_t size() const { return n_; }
    double operator[](std::size_t k) const { return thresholds_[k]; }
    const std::uint8_t* bins() const { return bins_.data(); }

  private:
    Order<double> sample_order_;
    std::vector<double> sample_;
    std::vector<double> thresholds_;  // ascending, padded with infinity to kBins
    std::size_t n_ = 0;
    std::vector<std::uint8_t> bins_;   // per value
    std::vector<std::uint8_t> below_;  // how many thresholds lie in the cells before each
};

extern template class Thresholds<std::int16_t>;
extern template class Thresholds<std::int32_t>;
extern template class Thresholds<double>;

}  // namespace foliation
