// Which instructions and how many threads a call may use.
#pragma once

#include "core/base/isa.h"

namespace foliation::bindings {

struct Machine {
    Isa isa = Isa::baseline;
    int n_threads = 1;
};

}  // namespace foliation::bindings
