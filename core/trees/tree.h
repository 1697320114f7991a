// A grown tree as flat arrays. It knows routing and nothing else.
//
// Splits are numbered from 0 (the root) in the order in which they were made. A child is a reference:
// a split if >= 0, a leaf ~reference otherwise. A tree without splits is the single leaf 0.
//
//          0                split          0        1        2
//        /   \              children    [ 1, 2 | ~0, ~1 | ~3, ~2 ]      split s: entries 2s and 2s + 1
//       1     2             threshold   [  t0  |   t1   |   t2   ]
//      / \   / \            atom_start  [  0   |   2    |   3    | 6 ]  split s: from entry s to entry s + 1
//    ~0 ~1 ~3 ~2            atom_words  [ w w  |   w    | w w w  ]
//
// A split comes before its children, so one pass from the front knows every parent, and one from the back
// every child.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include "core/projections/atoms.h"

namespace foliation {

template <class T, class U>
void extend(std::vector<T>& all, const std::vector<U>& more) {
    for (const U x : more) all.push_back(static_cast<T>(x));
}

// Appends offsets that start at 0 to offsets that end at all.back().
template <class T>
void extend_offsets(std::vector<T>& all, const std::vector<std::int64_t>& more) {
    const std::int64_t base = all.back();
    for (std::size_t k = 1; k < more.size(); ++k) all.push_back(static_cast<T>(base + more[k]));
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

// Many trees one after the other, as the caller holds them. Children and leaves are numbered within their
// tree. Starts and words are stored in the narrower of two types if it holds them all; starts are left out
// if all atoms have as many words.
struct Trees {
    std::span<const std::int64_t> split_start;  // splits of tree t: split_start[t] .. split_start[t+1]
    std::span<const std::int64_t> leaf_start;
    std::span<const std::int32_t> children;
    std::span<const double> threshold;
    std::span<const float> gain;  // in units of their own for each tree
    std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>> atom_start;
    std::variant<std::span<const std::int16_t>, std::span<const std::int32_t>> atom_words;

    std::int64_t n_trees() const { return static_cast<std::int64_t>(split_start.size()) - 1; }
    std::int64_t n_splits(std::int64_t tree) const {
        const auto t = static_cast<std::size_t>(tree);
        return split_start[t + 1] - split_start[t];
    }
    std::size_t n_words() const {
        return std::visit([](const auto& words) { return words.size(); }, atom_words);
    }
};

// Reads the atoms of trees; narrow words are widened into memory of its own, until the next is read.
class AtomReader {
  public:
    explicit AtomReader(const Trees& trees)
        : short_starts_(data_of<std::int32_t>(trees.atom_start)),
          long_starts_(data_of<std::int64_t>(trees.atom_start)),
          narrow_(data_of<std::int16_t>(trees.atom_words)),
          wide_(data_of<std::int32_t>(trees.atom_words)),
          n_words_(trees.n_words()),
          size_(n_words_ / std::max<std::size_t>(1, trees.threshold.size())) {}

    // Where the words of a split begin.
    std::size_t begin(std::size_t split) const {
        if (short_starts_ != nullptr) return static_cast<std::size_t>(short_starts_[split]);
        if (long_starts_ != nullptr) return static_cast<std::size_t>(long_starts_[split]);
        return split * size_;
    }

    // How many words it has.
    std::size_t size(std::size_t split) const {
        const bool same_size = short_starts_ == nullptr && long_starts_ == nullptr;
        return same_size ? size_ : begin(split + 1) - begin(split);
    }

    Words operator()(std::size_t split) {
        const std::size_t first = begin(split);
        const std::size_t size = this->size(split);
        if (narrow_ == nullptr) return {wide_ + first, size};
        if (size <= kAtOnce && first + kAtOnce <= n_words_) {  // a fixed number is copied faster
            for (std::size_t k = 0; k < kAtOnce; ++k) few_[k] = narrow_[first + k];
            return {few_.data(), size};
        }
        many_.assign(narrow_ + first, narrow_ + first + size);
        return many_;
    }

  private:
    static constexpr std::size_t kAtOnce = 8;

    // Null if the array is of the other type, or empty.
    template <class T, class Variant>
    static const T* data_of(const Variant& any) {
        const auto* array = std::get_if<std::span<const T>>(&any);
        return array != nullptr && !array->empty() ? array->data() : nullptr;
    }

    const std::int32_t* short_starts_;  // where atoms begin, if stored, in one type or the other
    const std::int64_t* long_starts_;
    const std::int16_t* narrow_;  // the words, in one type or the other
    const std::int32_t* wide_;
    std::size_t n_words_;
    std::size_t size_;  // of every atom, without starts
    std::array<std::int32_t, kAtOnce> few_;
    std::vector<std::int32_t> many_;
};

}  // namespace foliation
