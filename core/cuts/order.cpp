#include "core/cuts/order.h"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace foliation {

namespace {

// Lane l and lane l ^ kStep change places.
template <std::size_t kStep, class Lanes, std::size_t... kLane>
FOLIATION_INLINE Lanes swap_lanes(Lanes x, std::index_sequence<kLane...>) {
    return __builtin_shufflevector(x, x, static_cast<int>(kLane ^ kStep)...);
}

// Afterwards every lane of lo and hi holds the smallest and the largest of all.
template <std::size_t kStep, class Lanes>
FOLIATION_INLINE void fold(Lanes& lo, Lanes& hi) {
    if constexpr (kStep > 0) {
        constexpr auto kLanes = std::make_index_sequence<sizeof(Lanes) / sizeof(lo[0])>();
        const Lanes low = swap_lanes<kStep>(lo, kLanes);
        const Lanes high = swap_lanes<kStep>(hi, kLanes);
        lo = low < lo ? low : lo;
        hi = high > hi ? high : hi;
        fold<kStep / 2>(lo, hi);
    }
}

struct FindRange {
    template <class V>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, Range<V>* range) {
        // No wider than the registers of the oldest machine: wider ones are kept in memory.
        constexpr std::size_t kLanes = 16 / sizeof(V);
        typedef V Lanes __attribute__((vector_size(16)));
        typedef Lanes InMemory __attribute__((aligned(alignof(V)), may_alias));
        if (n < kLanes) {
            *range = {values[0], values[0]};
            for (std::size_t i = 1; i < n; ++i) {
                range->lo = values[i] < range->lo ? values[i] : range->lo;
                range->hi = values[i] > range->hi ? values[i] : range->hi;
            }
            return;
        }
        const auto load = [&](std::size_t i) { return *reinterpret_cast<const InMemory*>(values + i); };
        Lanes lo = load(0);
        Lanes hi = lo;
        Lanes other_lo = load(n - kLanes);  // the last ones, with some seen before
        Lanes other_hi = other_lo;
        for (std::size_t i = kLanes; i + kLanes < n; i += 2 * kLanes) {
            const Lanes next = load(i);
            const Lanes other = load(std::min(i + kLanes, n - kLanes));
            lo = next < lo ? next : lo;
            hi = next > hi ? next : hi;
            other_lo = other < other_lo ? other : other_lo;
            other_hi = other > other_hi ? other : other_hi;
        }
        lo = other_lo < lo ? other_lo : lo;
        hi = other_hi > hi ? other_hi : hi;
        fold<kLanes / 2>(lo, hi);
        *range = {lo[0], hi[0]};
    }
};

template <class Key>
constexpr int kSlotBits = sizeof(Key) * 4;

// The map from values to the upper bits of keys: monotone, and exact where the range is narrow.
template <class V>
struct Narrowing {
    V lo;
    double scale;  // for what is not exact; 0: all values fall together
    int bits;
    bool exact;
};

template <std::signed_integral V>
Narrowing<V> narrow(Range<V> range, int most) {
    const auto width = static_cast<std::uint32_t>(range.hi) - static_cast<std::uint32_t>(range.lo);
    const int bits = static_cast<int>(std::bit_width(width));
    if (bits <= most) return {range.lo, 1.0, bits, true};
    return {range.lo, std::ldexp(1.0, most) / (static_cast<double>(width) + 1.0), most, false};
}

Narrowing<double> narrow(Range<double> range, int most) {
    const double scale = (std::ldexp(1.0, most) - 1.0) / (range.hi - range.lo);
    const bool sound = std::isfinite(range.hi - range.lo) && std::isfinite(scale);
    return {range.lo, sound ? scale : 0.0, most, false};
}

struct MakeKeys {
    template <class V, class Key>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, Narrowing<V> to, Key* keys) {
        if (to.exact) {
            for (std::size_t i = 0; i < n; ++i) {
                const auto above = static_cast<Key>(static_cast<std::uint32_t>(values[i]) -
                                                    static_cast<std::uint32_t>(to.lo));
                keys[i] = static_cast<Key>(above << kSlotBits<Key>) | static_cast<Key>(i);
            }
        } else if (to.scale > 0.0) {
            for (std::size_t i = 0; i < n; ++i) {
                const double above = (static_cast<double>(values[i]) - static_cast<double>(to.lo)) * to.scale;
                keys[i] =
                    static_cast<Key>(static_cast<Key>(static_cast<std::int32_t>(above)) << kSlotBits<Key>) |
                    static_cast<Key>(i);
            }
        } else {
            for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<Key>(i);
        }
    }
};

constexpr std::size_t kRankLanes = 16;  // keys ranked together; as many behind the last are read

// All keys differ, so that the number of smaller ones is a key's place.
struct RankKeys {
    template <class Key>
    static FOLIATION_INLINE void run(const Key* keys, std::size_t n, Key* sorted) {
        constexpr std::size_t kLanes = kRankLanes;
        for (std::size_t i = 0; i < n; i += kLanes) {
            Key place[kLanes] = {};
            for (std::size_t j = 0; j < n; ++j) {
                const Key other = keys[j];
                for (std::size_t l = 0; l < kLanes; ++l) place[l] += other < keys[i + l] ? 1 : 0;
            }
            const std::size_t end = std::min(kLanes, n - i);
            for (std::size_t l = 0; l < end; ++l) sorted[place[l]] = keys[i + l];
        }
    }
};

struct TakeApart {
    template <class V, class Key>
    static FOLIATION_INLINE void run(const Key* keys, std::size_t n, Narrowing<V> to, const V* values,
                                     V* sorted, std::uint32_t* slots) {
        constexpr auto kSlot = (Key{1} << kSlotBits<Key>)-1;
        for (std::size_t i = 0; i < n; ++i) slots[i] = static_cast<std::uint32_t>(keys[i] & kSlot);
        if (to.exact) {
            for (std::size_t i = 0; i < n; ++i)
                sorted[i] = static_cast<V>(static_cast<std::uint32_t>(keys[i] >> kSlotBits<Key>) +
                                           static_cast<std::uint32_t>(to.lo));
        } else {
            for (std::size_t i = 0; i < n; ++i) sorted[i] = values[slots[i]];
        }
    }
};

// All of the above, for few.
struct SortFew {
    template <class V, class Key>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, Narrowing<V> to, Key* unsorted,
                                     Key* sorted, V* sorted_values, std::uint32_t* slots) {
        MakeKeys::run(values, n, to, unsorted);
        for (std::size_t l = 0; l < kRankLanes; ++l) unsorted[n + l] = std::numeric_limits<Key>::max();
        RankKeys::run(unsorted, n, sorted);
        TakeApart::run(sorted, n, to, values, sorted_values, slots);
    }
};

struct Disordered {
    template <class V>
    static FOLIATION_INLINE void run(const V* values, std::size_t n, bool* found) {
        int count = 0;
        for (std::size_t i = 1; i < n; ++i) count += values[i] < values[i - 1] ? 1 : 0;
        *found = count > 0;
    }
};

}  // namespace

template <class V>
Range<V> range_of(std::span<const V> values, Isa isa) {
    Range<V> range;
    run_on<FindRange>(isa, values.data(), values.size(), &range);
    return range;
}
template Range<std::int16_t> range_of(std::span<const std::int16_t>, Isa);
template Range<std::int32_t> range_of(std::span<const std::int32_t>, Isa);
template Range<double> range_of(std::span<const double>, Isa);

template <class V>
Ordered<V> Order<V>::sort(std::span<const V> values, Range<V> range) {
    values_.resize(values.size());
    slots_.resize(values.size());
    if (values.size() <= 0x10000) {
        sort_keys(values, range, short_keys_);
    } else {
        sort_keys(values, range, long_keys_);
    }
    return {values_.data(), slots_.data()};
}

template <class V>
template <class Key>
void Order<V>::sort_keys(std::span<const V> values, Range<V> range, Keys<Key>& keys) {
    const std::size_t n = values.size();
    const int all = static_cast<int>(sizeof(Key)) * 4 - 1;
    // More bits than these would rarely tell more values apart, and make the radix sort longer.
    const int enough = static_cast<int>(std::bit_width(n)) + 5;
    const Narrowing<V> to = narrow(range, n <= kFew ? all : std::min(all, enough));
    keys.unsorted.resize(n + kRankLanes);
    keys.sorted.resize(n + kRankLanes);
    if (n <= kFew) {
        run_on<SortFew>(isa_, values.data(), n, to, keys.unsorted.data(), keys.sorted.data(), values_.data(),
                        slots_.data());
    } else {
        run_on<MakeKeys>(isa_, values.data(), n, to, keys.unsorted.data());
        radix_sort(n, to.bits, keys);
        run_on<TakeApart>(isa_, static_cast<const Key*>(keys.sorted.data()), n, to, values.data(),
                          values_.data(), slots_.data());
    }
    bool disordered = false;
    if (!to.exact) run_on<Disordered>(isa_, static_cast<const V*>(values_.data()), n, &disordered);
    if (disordered) repair(n);
}

// Stable passes from the lowest digit of the narrowed value to the highest; the result is in sorted. Each
// pass works on kStreams bins of the keys at a time, each with counters of its own: a counter that has
// just been written is slow to read again.
template <class V>
template <class Key>
void Order<V>::radix_sort(std::size_t n, int bits, Keys<Key>& keys) {
    const int n_passes = bits <= 8 ? 1 : bits <= 22 ? 2 : 3;
    const int digit_bits = (bits + n_passes - 1) / n_passes;
    const std::size_t n_digits = std::size_t{1} << digit_bits;
    const auto mask = static_cast<Key>(n_digits - 1);
    const std::size_t length = n / kStreams;
    for (int pass = 0; pass < n_passes; ++pass) {
        const int shift = kSlotBits<Key> + pass * digit_bits;
        const Key* from = keys.unsorted.data();
        Key* to = keys.sorted.data();
        counts_.assign(kStreams * n_digits, 0);
        std::array<std::uint32_t*, kStreams> counts;
        for (std::size_t s = 0; s < kStreams; ++s) counts[s] = counts_.data() + s * n_digits;
        for (std::size_t i = 0; i < length; ++i)
            for (std::size_t s = 0; s < kStreams; ++s) ++counts[s][(from[s * length + i] >> shift) & mask];
        for (std::size_t i = kStreams * length; i < n; ++i) ++counts[kStreams - 1][(from[i] >> shift) & mask];
        std::uint32_t before = 0;
        for (std::size_t d = 0; d < n_digits; ++d)
            for (std::size_t s = 0; s < kStreams; ++s) before += std::exchange(counts[s][d], before);
        const auto put = [&](std::size_t s, std::size_t i) {
            const Key key = from[i];
            to[counts[s][(key >> shift) & mask]++] = key;
        };
        for (std::size_t i = 0; i < length; ++i)
            for (std::size_t s = 0; s < kStreams; ++s) put(s, s * length + i);
        for (std::size_t i = kStreams * length; i < n; ++i) put(kStreams - 1, i);
        if (pass + 1 < n_passes) std::swap(keys.unsorted, keys.sorted);
    }
}

// Insertion by the values themselves. Values far from their place are a sign that many have fallen
// together: then everything is sorted anew.
template <class V>
void Order<V>::repair(std::size_t n) {
    constexpr std::size_t kFar = 16;
    for (std::size_t i = 1; i < n; ++i) {
        const V value = values_[i];
        if (!(value < values_[i - 1])) continue;
        if (i > kFar && value < values_[i - kFar]) return sort_by_comparing(n);
        const std::uint32_t slot = slots_[i];
        std::size_t at = i;
        for (; at > 0 && value < values_[at - 1]; --at) {
            values_[at] = values_[at - 1];
            slots_[at] = slots_[at - 1];
        }
        values_[at] = value;
        slots_[at] = slot;
    }
}

template <class V>
void Order<V>::sort_by_comparing(std::size_t n) {
    pairs_.resize(n);
    for (std::size_t i = 0; i < n; ++i) pairs_[i] = {values_[i], slots_[i]};
    std::sort(pairs_.begin(), pairs_.end());
    for (std::size_t i = 0; i < n; ++i) std::tie(values_[i], slots_[i]) = pairs_[i];
}

template class Order<std::int16_t>;
template class Order<std::int32_t>;
template class Order<double>;

}  // namespace foliation
