// How much each feature matters to the splits of a forest.
#pragma once

#include "core/base/parallel.h"
#include "core/projections/dictionary.h"
#include "core/trees/tree.h"

namespace foliation {

enum class Importance : int { count = 0, gain = 1 };

// Per feature: how many splits use it, or the gain of each split shared out by absolute weight,
// normalized within a tree and averaged over the trees that split at all.
std::vector<double> importance(const Dictionary& dictionary, const Trees& trees, Importance kind,
                               Monitor& monitor);

}  // namespace foliation
