#include "machine.h"

#include <algorithm>

#include "arrays.h"

namespace foliation::bindings {

void bind_machine(nb::module_& module) {
    nb::enum_<Isa>(module, "Isa")
        .value("baseline", Isa::baseline)
        .value("avx2", Isa::avx2)
        .value("avx512", Isa::avx512);
    module.def("newest_isa", &newest_isa);
    nb::class_<Machine>(module, "Machine")
        .def(
            "__init__",
            [](Machine* self, std::int64_t n_threads) {
                new (self)
                    Machine{chosen_isa(), static_cast<int>(std::clamp<std::int64_t>(n_threads, 1, 1024))};
            },
            nb::arg("n_threads"))
        .def_ro("isa", &Machine::isa)
        .def_ro("n_threads", &Machine::n_threads);
}

}  // namespace foliation::bindings
