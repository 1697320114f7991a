#include "core/criteria/few_rows.h"

#include <limits>
#include <numeric>
#include <utility>

namespace foliation {

namespace {

constexpr std::size_t kTogether = 16;

// For each row, of all rows whose values are no larger: their weight, their squared class weights, and those
// of all others. Arrays are read and written up to the next multiple of kTogether.
struct SumSquares {
    static FOLIATION_INLINE void run(const std::int16_t* values, const std::int16_t* weights, std::size_t n,
                                     const std::uint16_t* ends, const std::int16_t* class_weights,
                                     std::size_t n_classes, std::uint16_t* left, std::uint16_t* squares,
                                     std::uint16_t* squares_beyond) {
        typedef std::int16_t Lanes __attribute__((vector_size(16)));
        typedef Lanes InMemory __attribute__((aligned(2), may_alias));
        constexpr std::size_t kLanes = 8;
        for (std::size_t i = 0; i < n; i += kTogether) {
            const Lanes here[2] = {*reinterpret_cast<const InMemory*>(values + i),
                                   *reinterpret_cast<const InMemory*>(values + i + kLanes)};
            Lanes weight[2] = {}, square[2] = {}, square_beyond[2] = {};
            std::size_t j = 0;
            for (std::size_t c = 0; c < n_classes; ++c) {
                Lanes own[2] = {};
                do {
                    for (std::size_t k = 0; k < 2; ++k) own[k] += weights[j] & ~(values[j] > here[k]);
                } while (++j < ends[c]);
                for (std::size_t k = 0; k < 2; ++k) {
                    const Lanes rest = class_weights[c] - own[k];
                    weight[k] += own[k];
                    square[k] += own[k] * own[k];
                    square_beyond[k] += rest * rest;
                }
            }
            for (std::size_t k = 0; k < 2; ++k) {
                *reinterpret_cast<InMemory*>(left + i + k * kLanes) = weight[k];
                *reinterpret_cast<InMemory*>(squares + i + k * kLanes) = square[k];
                *reinterpret_cast<InMemory*>(squares_beyond + i + k * kLanes) = square_beyond[k];
            }
        }
    }
};

// Whether squares over weights pass the purity, for each row; multiplied out.
struct PassPurity {
    static FOLIATION_INLINE void run(std::size_t n, const std::uint16_t* left, const std::uint16_t* squares,
                                     const std::uint16_t* squares_beyond, double total, double purity,
                                     std::uint8_t* passes, std::size_t* n_passing) {
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double before = left[i];
            const double beyond = total - before;
            const bool more = squares[i] * beyond + squares_beyond[i] * before > purity * (before * beyond);
            passes[i] = more ? 1 : 0;
            count += more ? 1 : 0;
        }
        *n_passing = count;
    }
};

}  // namespace

void FewRows::read(std::span<const std::int32_t> classes, std::span<const double> weights,
                   std::span<const double> class_weights) {
    n_ = n_classes_ = 0;
    total_ = std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
    if (weights.size() > kMost || total_ > kMostWeight) return;
    first_.assign(class_weights.size(), 0);
    for (const std::int32_t code : classes) ++first_[static_cast<std::size_t>(code)];
    std::size_t end = 0;
    for (std::size_t c = 0; c < class_weights.size(); ++c) {
        const std::size_t begin = std::exchange(end, end + first_[c]);
        first_[c] = static_cast<std::uint16_t>(begin);
        if (begin == end) continue;
        end_[n_classes_] = static_cast<std::uint16_t>(end);
        class_weight_[n_classes_++] = static_cast<std::int16_t>(class_weights[c]);
    }
    bool whole = true;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t place = first_[static_cast<std::size_t>(classes[i])]++;
        slot_[place] = static_cast<std::uint8_t>(i);
        weight_[place] = static_cast<std::int16_t>(weights[i]);
        whole = whole && static_cast<double>(weight_[place]) == weights[i];
    }
    if (whole) n_ = weights.size();
}

template <std::signed_integral V>
std::size_t FewRows::find_cuts(std::span<const V> values, V lo, double purity, Isa isa,
                               std::array<Cut, kMostCuts>& cuts) const {
    std::array<std::int16_t, kMost> by_class;
    for (std::size_t j = 0; j < n_; ++j)
        by_class[j] =
            static_cast<std::int16_t>(values[slot_[j]] - lo + std::numeric_limits<std::int16_t>::min());
    for (std::size_t j = n_; j % kTogether != 0; ++j) by_class[j] = by_class[0];
    std::array<std::uint16_t, kMost> left, squares, squares_beyond;
    run_on<SumSquares>(isa, static_cast<const std::int16_t*>(by_class.data()), weight_.data(), n_,
                       end_.data(), class_weight_.data(), n_classes_, left.data(), squares.data(),
                       squares_beyond.data());
    std::array<std::uint8_t, kMost> passes;
    std::size_t n_passing = 0;
    run_on<PassPurity>(isa, n_, static_cast<const std::uint16_t*>(left.data()),
                       static_cast<const std::uint16_t*>(squares.data()),
                       static_cast<const std::uint16_t*>(squares_beyond.data()), total_, purity,
                       passes.data(), &n_passing);
    if (n_passing == 0 || n_passing > kMostCuts) return n_passing;
    std::size_t n_cuts = 0;
    for (std::size_t j = 0; n_cuts < n_passing; ++j) {
        if (passes[j] == 0) continue;
        std::size_t at = n_cuts++;
        for (; at > 0 && values[slot_[j]] < values[cuts[at - 1].slot]; --at) cuts[at] = cuts[at - 1];
        cuts[at] = {slot_[j], left[j], squares[j], squares_beyond[j]};
    }
    return n_cuts;
}
template std::size_t FewRows::find_cuts(std::span<const std::int16_t>, std::int16_t, double, Isa,
                                        std::array<Cut, kMostCuts>&) const;
template std::size_t FewRows::find_cuts(std::span<const std::int32_t>, std::int32_t, double, Isa,
                                        std::array<Cut, kMostCuts>&) const;

}  // namespace foliation
