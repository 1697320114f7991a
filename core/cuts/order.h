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
#include <vector>

#include "core/base/isa.h"

namespace foliation {

template <class V>
struct Range {
    V lo{};
    V hi{};
    bool constant() const { return !(lo < hi); }
};

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
