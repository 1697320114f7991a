// What a family of projections offers. A family is one header and one line in the variant Family
// (dictionary.h). It must have
//   kName, make(plain values)    its name, and how the bindings build it
//   draw(rng, scratch, words)    appends an atom's words; false if this node has no atom left
//   begin_node(scratch)          forgets what was drawn in the node before
//   decode(words, scratch, decoded)    a form with value() and project(); written_out() makes one
//   expand(words, scratch, out)  the atom as (ids, weights)
// It may have
//   holds(words)                 whether these are the words of an atom that it may draw. Words come from
//                                files, so expand() must be safe for all that it accepts. Without it, words
//                                are accepted if there are as many as a draw appends and each is a feature;
//                                a family with other words, or a varying number of them, needs its own.
//   whole_terms()                if all weights are 1 or -1: how many an atom may have; else 0
//   value_of(words, columns, row)    the value straight from words of any width
//   table_shape(), max_cells()   the integral table that box sums are read from (nullptr: none), and
//                                the cells of its largest atom
//   is_plain(), with_plain_boxes(table, visit)    box sums straight from words
// Trees are written out for many rows (steps.h) if a family has one of
//   feature_of(words)            atoms are single features: which one
//   signs(), n_features          words are those of SparseAtom: whether all weights are 1 or -1
//   most_corners()               box sums: table cells that one reads at most; 0 if there is no limit
#pragma once

#include <concepts>

#include "core/base/rng.h"
#include "core/projections/atoms.h"

namespace foliation {

template <class F>
concept ProjectionFamily = requires(const F family, Rng& rng, Scratch& scratch, Decoded& decoded,
                                    std::vector<std::int32_t>& drawn, Words words, Terms& terms) {
    { F::kName } -> std::convertible_to<const char*>;
    &F::make;
    { family.draw(rng, scratch, drawn) } -> std::same_as<bool>;
    family.begin_node(scratch);
    family.decode(words, scratch, decoded).value(Columns<double>{}, IntegralTable{}, std::int64_t{});
    family.expand(words, scratch, terms);
};

// Members of a family that are optional, with their defaults.
namespace family {

// Without a check of its own, a family may only store ids of features.
template <ProjectionFamily F>
bool holds(const F& family, Words words, std::int32_t n_features) {
    if constexpr (requires {
                      { family.holds(words) } -> std::same_as<bool>;
                  }) {
        return family.holds(words);
    } else {
        const bool ids = std::all_of(words.begin(), words.end(),
                                     [&](std::int32_t id) { return id >= 0 && id < n_features; });
        if (!ids || words.empty()) return false;
        Scratch scratch;  // as many words as it draws
        std::vector<std::int32_t> drawn;
        Rng rng(0);
        family.begin_node(scratch);
        return family.draw(rng, scratch, drawn) && drawn.size() == words.size();
    }
}

// nullptr if the family reads no integral table.
template <ProjectionFamily F>
const TableShape* table_shape(const F& family) {
    if constexpr (requires { family.table_shape(); }) return family.table_shape();
    return nullptr;
}

// The cells of the largest atom that a table sums.
template <ProjectionFamily F>
std::int64_t max_cells(const F& family) {
    if constexpr (requires { family.max_cells(); }) return family.max_cells();
    return 0;
}

// How many terms an atom may have if all weights are 1 or -1; 0 if they are not.
template <ProjectionFamily F>
std::int64_t whole_terms(const F& family) {
    if constexpr (requires { family.whole_terms(); }) return family.whole_terms();
    return 0;
}

}  // namespace family

}  // namespace foliation
