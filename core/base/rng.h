// Counter-based random numbers: every draw is a pure function of (key, number of the draw).
// Keys are made by chaining parts (seed, tree, node path, candidate), so that growth order, threads
// and blocking cannot change what is drawn.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/base/special.h"

namespace foliation {

__extension__ typedef unsigned __int128 uint128;

// The finalizer of splitmix64: a bijection that flips half of the output bits for one input bit.
inline std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

inline std::uint64_t chain(std::uint64_t key, std::uint64_t part) {
    return mix(key ^ mix(part + 0x9e3779b97f4a7c15ULL));
}

class Rng {
  public:
    explicit Rng(std::uint64_t key) : key_(key) {}

    std::uint64_t next() { return mix(key_ + 0x9e3779b97f4a7c15ULL * ++count_); }

    // Uniform on 0 .. n-1, exactly: the few low products that would favor some values are redrawn.
    std::uint64_t below(std::uint64_t n) {
        uint128 product = static_cast<uint128>(next()) * n;
        if (static_cast<std::uint64_t>(product) < n) {
            const std::uint64_t reject = (0 - n) % n;
            while (static_cast<std::uint64_t>(product) < reject) product = static_cast<uint128>(next()) * n;
        }
        return static_cast<std::uint64_t>(product >> 64);
    }

    // Uniform on lo .. hi, both included.
    std::int32_t between(std::int32_t lo, std::int32_t hi) {
        return lo + static_cast<std::int32_t>(below(static_cast<std::uint64_t>(hi - lo) + 1));
    }

    // Uniform on [0, 1) in steps of 2^-53.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    double sign() { return (next() >> 63) != 0 ? -1.0 : 1.0; }

    // Standard normal by Marsaglia's polar method.
    double normal() {
        for (;;) {
            const double u = 2.0 * uniform() - 1.0;
            const double v = 2.0 * uniform() - 1.0;
            const double s = u * u + v * v;
            if (s > 0.0 && s < 1.0) return u * std::sqrt(-2.0 * natural_log(s) / s);
        }
    }

  private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

}  // namespace foliation
