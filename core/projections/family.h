// What a family of projections offers. To register one, add it to the variant Family (dictionary.h);
// docs/how_to_add.md shows all steps. It must have
//   kName, make(plain values)    its name, and how the bindings build it
//   draw(rng, scratch, words)    appends the words of an atom; false if the node has no atom left
//   expand(words, scratch, out)  the atom as (ids, weights)
// It may have
//   begin_node(scratch)          forgets what was drawn in the node before
//   decode(words, scratch, decoded)    an AtomForm that is faster than the list of terms of expand()
//   holds(words)                 whether these are the words of an atom that it may draw. Words come from
//                                files, so expand() must be safe for all that it accepts. Without it, words
//                                are accepted if there are as many as a draw appends and each is a feature;
//                                a family with other words, or a varying number of them, needs its own.
//   most_terms(words)            an upper bound of the terms that expand() passes, in a few steps. Words may
//                                be untrusted: the bound limits the work that a file can ask for.
//                                Without it, whole_terms(), or the number of features.
//   whole_terms()                if all weights are 1 or -1: how many an atom may have; else 0
//   value_of(words, columns, row)    the value straight from words of any width
//   table_shape(), max_cells()   the integral table that box sums are read from (nullptr: none), and
//                                the cells of its largest atom
//   boxes(words)                 the boxes that an atom sums, as labels name them
//   first_feature()              where in a row its grid begins, if that is a part of the row
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

// A decoded atom: its value on one row, and on many.
template <class A>
concept AtomForm = requires(const A form, const Columns<double>& columns, const IntegralTable& table,
                            const RowSet& rows, double* values) {
    { form.value(columns, table, std::int64_t{}) } -> std::same_as<double>;
    form.project(columns, table, rows, values);
};

template <class F>
concept DecodesToForm =
    !requires { &F::decode; } || requires(const F family, Words words, Scratch& scratch, Decoded& decoded) {
        { family.decode(words, scratch, decoded) } -> AtomForm;
    };

template <class F>
concept ProjectionFamily = requires(const F family, Rng& rng, Scratch& scratch,
                                    std::vector<std::int32_t>& drawn, Words words, Terms& terms) {
    { F::kName } -> std::convertible_to<const char*>;
    &F::make;
    { family.draw(rng, scratch, drawn) } -> std::same_as<bool>;
    family.expand(words, scratch, terms);
} && DecodesToForm<F>;

// Members of a family that are optional, with their defaults.
namespace family {

template <ProjectionFamily F>
void begin_node(const F& family, Scratch& scratch) {
    if constexpr (requires { &F::begin_node; }) family.begin_node(scratch);
}

template <ProjectionFamily F>
AtomForm auto decode(const F& family, Words words, Scratch& scratch, Decoded& decoded) {
    if constexpr (requires { &F::decode; }) {
        return family.decode(words, scratch, decoded);
    } else {
        return written_out(family, words, scratch, decoded);
    }
}

// Without a check of its own, a family may only store ids of features.
template <ProjectionFamily F>
bool holds(const F& family, Words words, std::int32_t n_features) {
    if constexpr (requires { &F::holds; }) {
        return family.holds(words);
    } else {
        const bool ids = std::all_of(words.begin(), words.end(),
                                     [&](std::int32_t id) { return id >= 0 && id < n_features; });
        if (!ids || words.empty()) return false;
        Scratch scratch;  // as many words as it draws
        std::vector<std::int32_t> drawn;
        Rng rng(0);
        family::begin_node(family, scratch);
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

// The boxes that an atom sums; none if it has no such form.
template <ProjectionFamily F>
BoxAtom boxes(const F& family, Words words) {
    if constexpr (requires { &F::boxes; }) return family.boxes(words);
    return {};
}

// Where in a row the grid of a family begins.
template <ProjectionFamily F>
std::int64_t first_feature(const F& family) {
    if constexpr (requires { &F::first_feature; }) return family.first_feature();
    return 0;
}

// How many terms an atom may have if all weights are 1 or -1; 0 if they are not.
template <ProjectionFamily F>
std::int64_t whole_terms(const F& family) {
    if constexpr (requires { family.whole_terms(); }) return family.whole_terms();
    return 0;
}

// How many terms expand() passes at most.
template <ProjectionFamily F>
std::int64_t most_terms(const F& family, Words words, std::int32_t n_features) {
    if constexpr (requires { &F::most_terms; }) return family.most_terms(words);
    const std::int64_t whole = whole_terms(family);
    return whole > 0 ? whole : n_features;
}

}  // namespace family

}  // namespace foliation
