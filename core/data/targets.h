// What a supervised forest predicts. Classes are numbered through all outputs (the classes of output 1
// follow those of output 0), so that several outputs need no special case.
#pragma once

#include <cstdint>
#include <span>

namespace foliation {

struct Targets {
    std::span<const std::int32_t> classes;  // rows x outputs, empty in regression
    std::span<const double> values;         // rows x outputs, empty in classification
    std::int32_t n_outputs = 1;
    std::int32_t n_columns = 1;                 // all classes of all outputs, or the outputs themselves
    std::span<const std::int32_t> class_start;  // classes of output o: class_start[o] .. class_start[o+1]

    bool classification() const { return !classes.empty(); }
};

// The rows of one node, in its order, with their weights.
struct NodeRows {
    std::span<const std::int32_t> rows;
    std::span<const double> weights;

    std::size_t size() const { return rows.size(); }
};

}  // namespace foliation
