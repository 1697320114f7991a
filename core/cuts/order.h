// Rows in ascending order of (value, slot), the fast way.
//
// A key holds a value, narrowed to a few bits by a map that keeps the order, above the row's slot in the
// node. Few keys are sorted by counting for each how many are smaller, more by two or three passes of a
// radix sort: neither branches on the data. Where narrowing has made different values equal, they are put
// right afterwards by the values themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/isa.h"
#include "core/base/numbers.h"

namespace foliation {

template <class V>
struct Range {
    V lo{};
    V hi{};
    bool constant() const { return !(lo < hi); }
    std::size_t n_values() const
        requires std::is_integral_v<V>
    {
        return static_cast<std::size_t>(std::int64_t{hi} - lo) + 1;
    }
};

// Midway between this value and the next larger one.
template <class V>
double midpoint_behind(V here, std::span<const V> values, Range<V> range) {
    V next = range.hi;
    for (const V value : values) next = here < value && value < next ? value : next;
    return midpoint(static_cast<double>(here), static_cast<double>(next));
}

template <class V>
Range<V> range_of(std::span<const V> values, Isa isa);

template <class V>
struct Ordered {
    const V* values;             // ascending
    const std::uint32_t* slots;  // where in the node each comes from; equal values by ascending slot
};

template <class V>
class Order {
  public:
    explicit Order(Isa isa) : isa_(isa) {}

    // Valid until the next call.
    Ordered<V> sort(std::span<const V> values, Range<V> range);

  private:
    static constexpr std::size_t kFew = 96;
    static constexpr std::size_t kStreams = 4;

    template <class Key>
    struct Keys {
        std::vector<Key> unsorted, sorted;
    };
    template <class Key>
    void sort_keys(std::span<const V> values, Range<V> range, Keys<Key>& keys);
    template <class Key>
    void radix_sort(std::size_t n, int bits, Keys<Key>& keys);
    void repair(std::size_t n);
    void sort_by_comparing(std::size_t n);

    Isa isa_;
    Keys<std::int32_t> short_keys_;  // up to 2^16 rows
    Keys<std::int64_t> long_keys_;
    std::vector<std::uint32_t> counts_;
    std::vector<V> values_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::pair<V, std::uint32_t>> pairs_;
};

extern template class Order<std::int16_t>;
extern template class Order<std::int32_t>;
extern template class Order<double>;

}  // namespace foliation
