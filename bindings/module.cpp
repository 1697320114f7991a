#include "arrays.h"

NB_MODULE(_core, module) {
    using namespace foliation;
    namespace nb = nanobind;
#ifdef NDEBUG
    // What a program holds when it ends, such as a forest in a traceback, is no leak that a user could mend.
    // Builds with assertions still tell of it.
    nb::set_leak_warnings(false);
#endif
    bindings::translate_memory_errors();
    bindings::bind_machine(module);
    bindings::bind_projections(module);
    bindings::bind_rows(module);
    bindings::bind_sampling(module);
    bindings::bind_views(module);
    bindings::bind_targets(module);
    bindings::bind_rules(module);
    bindings::bind_trees(module);
    bindings::bind_structure(module);
    bindings::bind_forest(module);
    bindings::bind_neighbors(module);
}
