// Whether arrays from outside, such as those of a file, are those of a forest. All that reads trees trusts
// them: children in range, atoms that the dictionary may draw, values where the offsets of leaves point.
#pragma once

#include "core/base/parallel.h"
#include "core/projections/dictionary.h"
#include "core/trees/leaves.h"
#include "core/trees/tree.h"

namespace foliation {

struct ForestArrays {
    Trees trees;
    std::span<const double> gain_unit;
    LeafValues values;
    std::span<const double> leaf_weight;
};

// What leaves hold: shares of the classes of each output, or (class_start empty) any finite values.
struct LeafColumns {
    std::int32_t n_columns = 0;
    std::span<const std::int32_t> class_start;
};

// Throws std::invalid_argument with the first violation.
void check_forest(const Dictionary& dictionary, const ForestArrays& forest, const LeafColumns& columns,
                  const Monitor& monitor = Monitor());

// How many terms the atoms of all splits may have, as a double: no integer overflows.
double most_terms(const Dictionary& dictionary, const Trees& trees, const Monitor& monitor = Monitor());

}  // namespace foliation
