// Sending rows down trees, with the same evaluator that grew them.
#pragma once

#include <array>
#include <cassert>
#include <functional>

#include "core/cuts/best_cut.h"
#include "core/projections/dictionary.h"
#include "core/trees/tree.h"

namespace foliation {

// A row on its way down a tree.
struct Walk {
    std::int64_t first_split = 0;  // of the tree
    std::int32_t row = 0;
    std::int32_t at = 0;  // a split, or ~leaf once it has arrived
};

constexpr std::size_t kMostWalks = 256;

// Starts a row at the root.
inline Walk start(const Trees& trees, std::int64_t tree, std::int64_t row) {
    return {trees.split_start[static_cast<std::size_t>(tree)], static_cast<std::int32_t>(row),
            trees.n_splits(tree) > 0 ? 0 : ~0};
}

// Takes all walks to their leaves, level by level: in a level no step waits for another, and none
// branches on the data. `value(words, row)` evaluates an atom, its words as wide as they are stored.
template <class Value>
void walk_all(const Trees& trees, std::span<Walk> walks, const Value& value) {
    const AtomReader atom(trees);
    assert(walks.size() <= kMostWalks);
    std::array<std::uint32_t, kMostWalks> active;
    std::size_t n_active = 0;
    for (std::size_t i = 0; i < walks.size(); ++i) {
        active[n_active] = static_cast<std::uint32_t>(i);
        n_active += walks[i].at >= 0 ? 1 : 0;
    }
    std::visit(
        [&](const auto words) {
            while (n_active > 0) {
                std::size_t n_left = 0;
                for (std::size_t k = 0; k < n_active; ++k) {
                    const std::uint32_t i = active[k];
                    Walk& walk = walks[i];
                    const auto split = static_cast<std::size_t>(walk.first_split + walk.at);
                    const auto own = words.subspan(atom.begin(split), atom.size(split));
                    const bool right = !goes_left(value(own, walk.row), trees.threshold[split]);
                    walk.at = trees.children[2 * split + (right ? 1 : 0)];
                    active[n_left] = i;
                    n_left += walk.at >= 0 ? 1 : 0;
                }
                n_active = n_left;
            }
        },
        trees.atom_words);
}

// The words in 32 bits.
inline Words widened(Words words, std::vector<std::int32_t>&) { return words; }
inline Words widened(std::span<const std::int16_t> words, std::vector<std::int32_t>& wide) {
    wide.assign(words.begin(), words.end());
    return wide;
}

// Calls visit(value) with an evaluator that reads words as they are stored, for a family that has one; false
// otherwise.
template <class F, class Visit>
bool with_direct_evaluator(const F& family, const PreparedRows& prepared, const Visit& visit) {
    if constexpr (requires { family.is_plain(); }) {
        if (!family.is_plain() || prepared.tables[0].any_out_of_range()) return false;
        family.with_plain_boxes(prepared.tables[0], visit);
        return true;
    } else if constexpr (requires { family.value_of(Words(), Columns<double>(), std::int64_t{}); }) {
        std::visit(
            [&](const auto& columns) {
                visit(
                    [&](const auto words, std::int64_t row) { return family.value_of(words, columns, row); });
            },
            prepared.matrix.columns);
        return true;
    }
    return false;
}

// Calls visit(value) with an evaluator whose number type is fixed, and its family if it has a direct one.
template <class Visit>
void with_evaluator(const Dictionary& dictionary, const PreparedRows& prepared, Scratch& scratch,
                    const Visit& visit) {
    const bool mixture = dictionary.is_mixture();
    if (!mixture &&
        std::visit([&](const auto& family) { return with_direct_evaluator(family, prepared, visit); },
                   dictionary.members[0]))
        return;
    scratch.decoded.resize(1);
    Decoded& decoded = scratch.decoded[0];
    std::visit(
        [&](const auto& columns) {
            visit([&](const auto stored, std::int64_t row) {
                const Words words = widened(stored, scratch.words);
                const auto& table = prepared.tables[mixture ? static_cast<std::size_t>(words[0]) : 0];
                return std::visit(
                    [&](const auto& family) {
                        return family::decode(family, words.subspan(mixture ? 1 : 0), scratch, decoded)
                            .value(columns, table, row);
                    },
                    dictionary.member(words));
            });
        },
        prepared.matrix.columns);
}

// Calls use(walk), where walk(walks) takes up to kMostWalks walks to their leaves. Compiled once for all
// callers.
using WalkAll = std::function<void(std::span<Walk>)>;
void with_walker(const Dictionary& dictionary, const PreparedRows& prepared, const Trees& trees,
                 Scratch& scratch, const std::function<void(const WalkAll&)>& use);

}  // namespace foliation
