#include "targets.h"

namespace foliation::bindings {

void bind_targets(nb::module_& module) {
    nb::class_<TargetArrays>(module, "Targets")
        .def(
            "__init__",
            [](TargetArrays* self, In<std::int32_t> classes, In<double> values, In<std::int32_t> class_start,
               std::int32_t n_outputs, std::int32_t n_columns) {
                new (self) TargetArrays{std::move(classes), std::move(values), std::move(class_start),
                                        n_outputs, n_columns};
            },
            nb::kw_only(), nb::arg("classes"), nb::arg("values"), nb::arg("class_start"),
            nb::arg("n_outputs"), nb::arg("n_columns"));
}

}  // namespace foliation::bindings
