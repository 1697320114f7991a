// Sorted rows against std::stable_sort, on any instruction set the machine has.
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/base/rng.h"
#include "core/cuts/order.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

// One sorter per instruction set; they keep their memory from one call to the next, as those of a tree do.
template <class V>
std::vector<Order<V>> sorters() {
    std::vector<Order<V>> all;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) all.emplace_back(static_cast<Isa>(isa));
    return all;
}

template <class V>
void test_sort(const std::vector<V>& values, std::vector<Order<V>>& all) {
    std::vector<std::uint32_t> slots(values.size());
    std::iota(slots.begin(), slots.end(), 0U);
    // Not std::stable_sort, for which libstdc++ calls what newer compilers warn of.
    std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) {
        return values[a] < values[b] || (!(values[b] < values[a]) && a < b);
    });
    for (std::size_t isa = 0; isa < all.size(); ++isa) {
        const Range<V> range = range_of<V>(values, static_cast<Isa>(isa));
        CHECK(range.lo == values[slots.front()] && range.hi == values[slots.back()]);
        const Ordered<V> ordered = all[isa].sort(values, range);
        CHECK(std::equal(slots.begin(), slots.end(), ordered.slots));
        for (std::size_t i = 0; i < slots.size(); ++i)
            CHECK(std::memcmp(&ordered.values[i], &values[slots[i]], sizeof(V)) == 0);
    }
}

// value(i, n) is that of slot i among n.
template <class V, class Value>
void test(const Value& value) {
    std::vector<std::size_t> sizes{1000, 5000, 65536, 70000, 140000};
    for (std::size_t n = 1; n <= 100; ++n) sizes.push_back(n);
    std::vector<Order<V>> all = sorters<V>();
    for (const std::size_t n : sizes) {
        std::vector<V> values(n);
        for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<V>(value(i, n));
        test_sort(values, all);
    }
}

template <class V>
void test_any_type(Rng& rng) {
    test<V>([](std::size_t, std::size_t) { return 7; });
    test<V>([&](std::size_t, std::size_t) { return rng.between(0, 4); });
    test<V>([&](std::size_t, std::size_t) { return rng.between(-1000, -1); });
    test<V>([&](std::size_t, std::size_t) { return rng.between(-40000, 40000); });
    test<V>([](std::size_t i, std::size_t) { return i; });
    test<V>([](std::size_t i, std::size_t n) { return 1000 * (n - i); });
    test<V>([](std::size_t i, std::size_t) { return i * 40503 % 65536; });  // distinct up to 65536 rows
}

void test_whole(Rng& rng) {
    constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto any = [&] { return static_cast<std::int32_t>(static_cast<std::uint32_t>(rng.next())); };
    test<std::int32_t>([&](std::size_t i, std::size_t) { return i == 0 ? kLeast : i == 1 ? kMost : any(); });
    test<std::int32_t>([&](std::size_t, std::size_t) { return rng.below(2) == 0 ? kLeast : kMost; });
    test<std::int32_t>([&](std::size_t i, std::size_t n) { return i == n / 2 ? kMost : rng.between(-9, 9); });
    test<std::int32_t>([&](std::size_t, std::size_t) { return kMost - rng.between(0, 99); });
    test<std::int32_t>([&](std::size_t, std::size_t) { return kLeast + rng.between(0, 1 << 20); });
}

void test_fractions(Rng& rng) {
    constexpr double kMost = std::numeric_limits<double>::max();
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    test<double>([&](std::size_t, std::size_t) { return rng.normal(); });
    test<double>([&](std::size_t, std::size_t) { return 1e6 + 1e-3 * rng.normal(); });
    test<double>([&](std::size_t, std::size_t) { return 1e300 * rng.normal(); });
    test<double>([&](std::size_t, std::size_t) { return (2.0 * rng.uniform() - 1.0) * kMost; });
    test<double>([&](std::size_t, std::size_t) { return rng.between(-50, 50) * kLeast; });
    test<double>([&](std::size_t i, std::size_t) { return i == 0 ? 1.0 : rng.between(-50, 50) * kLeast; });
    test<double>([&](std::size_t i, std::size_t n) { return i == n / 2 ? 1e300 : rng.normal(); });
    test<double>([&](std::size_t i, std::size_t n) { return i == n / 2 ? -1e300 : rng.between(0, 3); });
    test<double>([&](std::size_t, std::size_t) { return std::exp(5.0 * rng.normal()); });
    test<double>([&](std::size_t, std::size_t) { return 0.0 * rng.sign(); });
    test<double>([&](std::size_t, std::size_t) { return rng.sign() * rng.between(0, 1); });
    test<double>([](std::size_t i, std::size_t) { return std::exp(1e-3 * static_cast<double>(i)); });
    test<double>([](std::size_t i, std::size_t) { return std::exp(-1e-3 * static_cast<double>(i)); });
}

}  // namespace

int main() {
    Rng rng(1);
    test_any_type<std::int16_t>(rng);
    test_any_type<std::int32_t>(rng);
    test_any_type<double>(rng);
    test_whole(rng);
    test_fractions(rng);
}
