// The weights an atom may carry, and how one is drawn.
#pragma once

#include "core/base/rng.h"
#include "core/base/special.h"
#include "core/projections/atoms.h"

namespace foliation {

enum class Weights : int { ones = 0, signs = 1, uniform = 2, normal = 3, gaussian = 4 };

// Weights that are drawn rather than given by position, so that an atom stores a seed for them.
inline bool drawn(Weights weights) {
    return weights == Weights::signs || weights == Weights::uniform || weights == Weights::normal;
}

// A weight as a non-zero multiple of 2^-20: sums over small whole numbers are then exact in any order,
// so that rows with equal projections are never told apart by a rounding error.
inline double coarse(double weight) {
    const double units = std::rint(weight * 0x1.0p20);
    return units != 0.0 ? units * 0x1.0p-20 : 0x1.0p-20;
}

// A multiple of 2^-20 strictly between 0 and 1, each equally likely.
inline double open_uniform(Rng& rng) {
    return static_cast<double>(rng.below((1U << 20) - 1) + 1) * 0x1.0p-20;
}

// uniform is (0, 1), as the papers weight the cells of a patch.
inline double draw_weight(Weights weights, Rng& rng) {
    switch (weights) {
        case Weights::signs:
            return rng.sign();
        case Weights::uniform:
            return open_uniform(rng);
        case Weights::normal:
            return coarse(rng.normal());
        default:
            return 1.0;
    }
}

// A bump with its top in the middle of the patch and a standard deviation of a quarter of its size.
inline double bump(std::int32_t i, std::int32_t size) {
    const double z = (i - 0.5 * (size - 1)) / (0.25 * size);
    return exponential(-0.5 * z * z);
}

// That of all places of a patch.
inline std::vector<double> bumps_of(std::int32_t size) {
    std::vector<double> bumps;
    for (std::int32_t i = 0; i < size; ++i) bumps.push_back(bump(i, size));
    return bumps;
}

// A 64-bit seed as two words of an atom.
inline void push_seed(std::vector<std::int32_t>& words, std::uint64_t seed) {
    words.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(seed)));
    words.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(seed >> 32)));
}
inline std::uint64_t seed_at(Words words, std::size_t at) {
    return static_cast<std::uint32_t>(words[at]) |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(words[at + 1])) << 32);
}

}  // namespace foliation
