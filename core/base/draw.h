// Draws that need more than a number: an index by its probability, a subset of ids.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/base/rng.h"

namespace foliation {

// Memory for sets of ids, so that drawing one neither allocates nor costs O(n).
struct IdScratch {
    std::vector<std::int32_t> ids;
    std::vector<std::uint32_t> seen;  // seen[id] == round: id was met in this round
    std::uint32_t round = 0;
    std::vector<std::uint64_t> bits;  // to sort ids by

    // Starts a new set of ids below n; afterwards insert(id) tells whether id is new to it.
    void begin_set(std::size_t n) {
        if (seen.size() < n) seen.resize(n, 0);
        if (++round == 0) {
            std::fill(seen.begin(), seen.end(), 0U);
            round = 1;
        }
    }
    bool insert(std::int32_t id) {
        std::uint32_t& mark = seen[static_cast<std::size_t>(id)];
        if (mark == round) return false;
        mark = round;
        return true;
    }
    bool contains(std::int32_t id) const { return seen[static_cast<std::size_t>(id)] == round; }
};

// The first index whose cumulative probability passes u.
inline std::size_t draw_index(const std::vector<double>& cumulative, double u) {
    const auto it = std::upper_bound(cumulative.begin(), cumulative.end() - 1, u);
    return static_cast<std::size_t>(it - cumulative.begin());
}

// Puts different ids below n into ascending order: many of them by marking a bit for each.
inline void sort_ids(std::int32_t n, IdScratch& scratch) {
    if (scratch.ids.size() < 32 || scratch.ids.size() < static_cast<std::size_t>(n) / 64)
        return std::sort(scratch.ids.begin(), scratch.ids.end());
    scratch.bits.assign(static_cast<std::size_t>(n) / 64 + 1, 0);
    for (const std::int32_t id : scratch.ids)
        scratch.bits[static_cast<std::size_t>(id) / 64] |= std::uint64_t{1} << (id % 64);
    std::size_t k = 0;
    for (std::size_t word = 0; word < scratch.bits.size(); ++word)
        for (std::uint64_t left = scratch.bits[word]; left != 0; left &= left - 1)
            scratch.ids[k++] = static_cast<std::int32_t>(64 * word) + std::countr_zero(left);
}

// Steps `from` .. `to` - 1 of Floyd's method, each of which adds a number to the set.
inline void extend_subset(Rng& rng, std::int32_t from, std::int32_t to, IdScratch& scratch) {
    for (std::int32_t j = from; j < to; ++j) {
        const auto t = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(j) + 1));
        scratch.ids.push_back(scratch.insert(t) ? t : j);
        scratch.insert(scratch.ids.back());
    }
}

// `count` distinct numbers below n, ascending, every subset equally likely (Floyd's method).
inline void draw_subset(Rng& rng, std::int32_t n, std::int32_t count, IdScratch& scratch) {
    scratch.ids.clear();
    scratch.begin_set(static_cast<std::size_t>(n));
    extend_subset(rng, n - count, n, scratch);
    sort_ids(n, scratch);
}

}  // namespace foliation
