// Choices made by the bytes of a fuzzer. A choice takes as few bytes as its range needs, so that a small
// change of the bytes is a small change of what is made of them. Once all bytes are used up, every choice is
// the first one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>

namespace foliation::fuzz {

class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

    // A number of any bits.
    template <class T>
    T any() {
        T number{};
        const std::size_t n = std::min(sizeof(T), rest_.size());
        if (n > 0) std::memcpy(&number, rest_.data(), n);
        rest_ = rest_.subspan(n);
        return number;
    }
    // lo .. hi, both included.
    std::int32_t between(std::int32_t lo, std::int32_t hi) {
        const auto width = static_cast<std::uint64_t>(std::int64_t{hi} - lo) + 1;
        const std::uint64_t number = width <= 0x100     ? any<std::uint8_t>()
                                     : width <= 0x10000 ? any<std::uint16_t>()
                                                        : any<std::uint32_t>();
        return static_cast<std::int32_t>(lo + static_cast<std::int64_t>(number % width));
    }
    std::size_t below(std::size_t n) {
        return static_cast<std::size_t>(between(0, static_cast<std::int32_t>(n) - 1));
    }
    bool flag() { return any<std::uint8_t>() % 2 == 1; }
    bool rarely() { return any<std::uint8_t>() % 16 == 15; }
    template <class T>
    T one_of(std::initializer_list<T> choices) {
        return choices.begin()[below(choices.size())];
    }
    // A finite number up to `largest` in size: mostly small, sometimes one that arithmetic finds hard.
    double number(double largest = std::numeric_limits<double>::max()) {
        static constexpr std::array kHard{
            0.0,     -0.0,     5e-324,    -2.2e-308, 1e-290,    1e-17,    0.1,      0x1.0000000000001p0,
            0x1.fp7, 0x1.0p15, -0x1.0p15, 0x1.0p31,  -0x1.0p31, 0x1.0p53, 0x1.0p63, -0x1.0p64,
            3.4e38,  1e100,    -1e150,    1e290,     -1e290,    1e300,    -1e308,   1.7e308};
        double found = 0.0;
        switch (any<std::uint8_t>() % 4) {
            case 0:
                found = any<std::int8_t>();
                break;
            case 1:
                found = any<std::int16_t>() / 256.0;
                break;
            case 2:
                found = kHard[below(kHard.size())];
                break;
            default:
                found = any<double>();
        }
        return std::isfinite(found) ? std::clamp(found, -largest, largest) : 0.0;
    }

  private:
    std::span<const std::uint8_t> rest_;
};

// Ends the program with a finding if a promise is not kept.
inline void expect(bool kept, const char* promise) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

}  // namespace foliation::fuzz
