// A grown tree as flat arrays. It knows routing and nothing else.
//
// Splits are numbered from 0 (the root) in the order in which they were made. A child is a reference:
// a split if >= 0, a leaf ~reference otherwise. A tree without splits is the single leaf 0.
#pragma once

#include <cstdint>
#include <vector>

#include "projections/atom.h"

namespace foliation {

template <class T>
void extend(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

// Appends offsets that start at 0 to offsets that end at all.back().
inline void extend_offsets(std::vector<std::int64_t>& all, const std::vector<std::int64_t>& more) {
    const std::int64_t base = all.back();
    for (std::size_t k = 1; k < more.size(); ++k) all.push_back(base + more[k]);
}

struct Tree {
    std::vector<std::int32_t> children;    // left and right of each split, side by side
    std::vector<double> threshold;         // value <= threshold goes left
    std::vector<double> gain;              // decrease of impurity times weight
    std::vector<std::int64_t> atom_start;  // words of split s: atom_words[atom_start[s] .. atom_start[s+1])
    std::vector<std::int32_t> atom_words;
    std::int32_t n_leaves = 0;

    std::size_t n_splits() const { return threshold.size(); }
};

// Many trees one after the other, as the caller holds them. Offsets are 64 bits wide; children and
// leaves are numbered within their tree.
struct Trees {
    std::span<const std::int64_t> split_start;  // splits of tree t: split_start[t] .. split_start[t+1]
    std::span<const std::int64_t> leaf_start;
    std::span<const std::int32_t> children;
    std::span<const double> threshold;
    std::span<const double> gain;
    std::span<const std::int64_t> atom_start;
    std::span<const std::int32_t> atom_words;

    std::int64_t n_trees() const { return static_cast<std::int64_t>(split_start.size()) - 1; }
    std::int64_t n_splits(std::int64_t tree) const {
        const auto t = static_cast<std::size_t>(tree);
        return split_start[t + 1] - split_start[t];
    }
    Words atom(std::size_t s) const {
        return atom_words.subspan(static_cast<std::size_t>(atom_start[s]),
                                  static_cast<std::size_t>(atom_start[s + 1] - atom_start[s]));
    }
};

}  // namespace foliation
