// The cells of an integral table whose sum is the sum over a box. integral_table.h draws them.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace foliation {

constexpr std::size_t kMostBoxAxes = 8;

// Where a box ends and where it starts along each summed axis, as distances in the table.
using BoxEnds = std::array<std::array<std::int32_t, 2>, kMostBoxAxes>;

namespace detail {

template <std::size_t kAxes>
void push_all(const BoxEnds& ends, std::int32_t base, std::vector<std::int32_t>& plus,
              std::vector<std::int32_t>& minus) {
    for (std::size_t corner = 0; corner >> kAxes == 0; ++corner) {
        std::int32_t cell = base;
        std::size_t n_starts = 0;
        for (std::size_t k = 0; k < kAxes; ++k) {
            cell += ends[k][corner >> k & 1];
            n_starts += corner >> k & 1;
        }
        (n_starts % 2 == 0 ? plus : minus).push_back(cell);
    }
}

inline constexpr auto kPushAll = []<std::size_t... kAxes>(std::index_sequence<kAxes...>) {
    return std::array{&push_all<kAxes>...};
}(std::make_index_sequence<kMostBoxAxes + 1>());

}  // namespace detail

// Appends the corners of a box over n_axes axes, which lies `base` cells behind the first of the table. A
// corner takes the end or the start of the box along each axis, and is subtracted if it takes an odd number
// of starts.
inline void push_corners(const BoxEnds& ends, std::size_t n_axes, std::int32_t base,
                         std::vector<std::int32_t>& plus, std::vector<std::int32_t>& minus) {
    assert(n_axes <= kMostBoxAxes);
    detail::kPushAll[n_axes](ends, base, plus, minus);
}

// The sum over a box of one or two axes straight from words: start and size along each axis, then, for a
// contrast, how far the second box is displaced along each. The last axis is the fastest.
template <std::size_t kAxes>
struct PlainBox {
    struct Axis {
        std::int32_t stride, side;
        std::int32_t end;     // of the table; none if the axis wraps
        std::int32_t period;  // 0 unless the axis wraps
    };
    std::array<Axis, kAxes> axes;
    bool contrast = false;

    // The sum over the box that starts `shift` cells from the start in the words.
    template <class Cell, class Word>
    Cell sum(const Cell* cells, const Word* words, const Word* shift) const {
        std::array<std::int64_t, kAxes> lo, hi;
        for (std::size_t a = 0; a < kAxes; ++a) {
            std::int32_t first = words[2 * a] + (shift != nullptr ? shift[a] : 0);
            if (shift != nullptr) {
                first += first < 0 ? axes[a].period : 0;
                first -= first >= axes[a].side ? axes[a].period : 0;
            }
            lo[a] = std::int64_t{std::max(first, 0)} * axes[a].stride;
            hi[a] = std::int64_t{std::min(first + words[2 * a + 1], axes[a].end)} * axes[a].stride;
        }
        if constexpr (kAxes == 1) {
            return static_cast<Cell>(cells[hi[0]] - cells[lo[0]]);
        } else {
            const Cell* end = cells + hi[0];
            const Cell* begin = cells + lo[0];
            return static_cast<Cell>(end[hi[1]] - end[lo[1]] - begin[hi[1]] + begin[lo[1]]);
        }
    }

    template <class Cell, class Word>
    std::make_signed_t<Cell> value(const Cell* cells, const Word* words) const {
        Cell total = sum(cells, words, static_cast<const Word*>(nullptr));
        if (contrast) {
            const Word* shift = words + 2 * kAxes;
            bool displaced = false;
            for (std::size_t a = 0; a < kAxes; ++a) displaced |= shift[a] != 0;
            if (displaced) total = static_cast<Cell>(total - sum(cells, words, shift));
        }
        return static_cast<std::make_signed_t<Cell>>(total);
    }
};

}  // namespace foliation
