// The dictionary a forest draws from: one family, or a mixture of several with probabilities.
// A mixture's atom has the number of its member as its first word; a single family's has none.
//
// To register a family, add it to Family; family.h defines what it offers.
#pragma once

#include <variant>

#include "core/base/isa.h"
#include "core/data/prepared_rows.h"
#include "core/projections/atoms.h"
#include "core/projections/axis.h"
#include "core/projections/family.h"
#include "core/projections/kernels.h"
#include "core/projections/neighborhoods.h"
#include "core/projections/patches.h"
#include "core/projections/sparse.h"

namespace foliation {

using Family = std::variant<Axis, Sparse, Patches, Kernels, Neighborhoods, Atoms>;

namespace detail {
// One assertion for each family, so that the compiler says which one lacks what.
template <class F>
constexpr bool is_family() {
    static_assert(ProjectionFamily<F>, "a member of Family lacks what core/projections/family.h asks for");
    return true;
}
template <class... Families>
constexpr bool are_families(const std::variant<Families...>*) {
    return (is_family<Families>() && ...);
}
static_assert(are_families(static_cast<const Family*>(nullptr)));
}  // namespace detail

// The integral table that a member reads, nullptr if none; and the cells of its largest atom.
const TableShape* table_shape(const Family& any);
std::int64_t max_cells(const Family& any);

struct Dictionary {
    std::vector<Family> members;
    std::vector<double> cumulative;  // probabilities of the members, summed
    std::int32_t n_features = 0;

    bool is_mixture() const { return members.size() > 1; }
    const Family& member(Words words) const {
        return members[is_mixture() ? static_cast<std::size_t>(words[0]) : 0];
    }

    void begin_node(Scratch& scratch) const;
    bool draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const;
    // Whether these words, from wherever they come, are those of an atom that may be drawn.
    bool holds(Words words) const;
    // How many terms expand() passes at most; an atom has no more.
    std::int64_t most_terms(Words words) const;
    // The atom as (ids, weights), ids ascending and distinct, no weight zero.
    Terms expand(Words words, Scratch& scratch) const;
    // The boxes that an atom sums, found from its words alone; none if it has no such form.
    BoxAtom boxes(Words words) const;
    // Where in a row the grid of each member begins.
    std::vector<std::int64_t> first_features() const;
};

// Atoms written out: the terms of atom k are terms[start[k] .. start[k+1]), as of expand().
struct ExpandedAtoms {
    std::vector<std::int64_t> start{0};
    Terms terms;
};
// The words of atom k are words[start[k] .. start[k+1]).
ExpandedAtoms expand_all(const Dictionary& dictionary, std::span<const std::int64_t> start, Words words,
                         const Monitor& monitor);
// How many terms all of them may have, as a double: no integer overflows.
double most_terms(const Dictionary& dictionary, std::span<const std::int64_t> start, Words words);

// Atoms that differ in no more than their sign are one: the number of each atom's, and the first atom of
// each. Atoms are written out one at a time and known by a hash of 128 bits.
struct UnsignedAtoms {
    std::vector<std::int64_t> of_atom, first;
};
UnsignedAtoms unsigned_atoms(const Dictionary& dictionary, std::span<const std::int64_t> start, Words words,
                             const Monitor& monitor);

// The scale of each member's table for training rows up to max_abs in size.
std::vector<FixedPoint> fixed_points(const Dictionary& dictionary, double max_abs);

// Rows with a table for each member that reads one, still to be filled. `whole` and `max_abs` are of these
// rows, `fixed` holds the scale of each member. Refers to the dictionary.
PreparedRows prepare_rows(const Dictionary& dictionary, const Matrix& matrix,
                          std::span<const FixedPoint> fixed, bool whole, double max_abs);

// How many bits hold all projections of the rows, if these are whole numbers: 16 or 32; 0 if none do.
int whole_bits(const Dictionary& dictionary, const PreparedRows& rows);

// Atoms drawn together: the words of atom k are words[start[k] .. start[k+1]), none if none was left.
struct Drawn {
    std::vector<std::int32_t> words;
    std::vector<std::size_t> start{0};

    void clear() {
        words.clear();
        start.resize(1);
    }
    std::size_t size() const { return start.size() - 1; }
    Words operator[](std::size_t k) const { return Words(words).subspan(start[k], start[k + 1] - start[k]); }
};

constexpr std::size_t kMostTogether = 64;

// values[k * rows.size() + i] = the value of atom k on rows[i], for at most kMostTogether atoms. V is
// double, or int16 or int32 if whole_bits() is 16 or 32. Rows are taken a few at a time, so that they are
// fetched once for all atoms.
template <class V>
void project(const Dictionary& dictionary, const Drawn& atoms, const PreparedRows& prepared,
             std::span<const std::int32_t> rows, Scratch& scratch, V* values);

}  // namespace foliation
