#include "arrays.h"
#include "core/base/isa.h"

NB_MODULE(_core, module) {
    using namespace foliation;
    module.def("newest_isa", [] { return static_cast<int>(newest_isa()); });
    bindings::bind_projections(module);
    bindings::bind_rows(module);
    bindings::bind_views(module);
    bindings::bind_forest(module);
    bindings::bind_neighbors(module);
}
