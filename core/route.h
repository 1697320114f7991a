// Sending rows down trees, with the same evaluator that grew them.
#pragma once

#include "projections/dictionary.h"
#include "tree.h"

namespace foliation {

// Sends a row to its leaf; `value(words, row)` evaluates an atom.
template <class Value>
std::int32_t leaf_of(const Trees& trees, std::int64_t tree, std::int64_t row, const Value& value) {
    const std::int64_t base = trees.split_start[static_cast<std::size_t>(tree)];
    std::int32_t at = trees.n_splits(tree) > 0 ? 0 : ~0;
    while (at >= 0) {
        const auto split = static_cast<std::size_t>(base + at);
        const bool right = !(value(trees.atom(base + at), row) <= trees.threshold[split]);
        at = trees.children[2 * split + (right ? 1 : 0)];
    }
    return ~at;
}

// Calls visit(value) with an evaluator whose family and number type are fixed.
template <class Visit>
void with_evaluator(const Dictionary& dictionary, const View& view, Scratch& scratch, const Visit& visit) {
    scratch.decoded.resize(1);
    Decoded& decoded = scratch.decoded[0];
    std::visit(
        [&](const auto& columns, const auto& first) {
            if (!dictionary.is_mixture()) {
                visit([&](Words words, std::int64_t row) {
                    return first.decode(words, scratch, decoded).value(columns, view.tables[0], row);
                });
                return;
            }
            visit([&](Words words, std::int64_t row) {
                const auto& table = view.tables[static_cast<std::size_t>(words[0])];
                return std::visit(
                    [&](const auto& family) {
                        return family.decode(words.subspan(1), scratch, decoded).value(columns, table, row);
                    },
                    dictionary.member(words));
            });
        },
        view.matrix.columns, dictionary.members[0]);
}

}  // namespace foliation
