// The targets of a fit, in arrays that NumPy owns: class codes numbered through all outputs, or values.
#pragma once

#include "arrays.h"
#include "core/data/targets.h"

namespace foliation::bindings {

struct TargetArrays {
    In<std::int32_t> classes;      // rows x outputs; empty in regression
    In<double> values;             // rows x outputs; empty in classification
    In<std::int32_t> class_start;  // first code of each output, then the number of codes
    std::int32_t n_outputs = 0;
    std::int32_t n_columns = 0;

    Targets view() const {
        return {span_of(classes), span_of(values), n_outputs, n_columns, span_of(class_start)};
    }
};

}  // namespace foliation::bindings
