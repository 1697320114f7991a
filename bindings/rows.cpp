#include <chrono>
#include <stdexcept>
#include <thread>

#include "arrays.h"
#include "core/data/scan.h"
#include "machine.h"

namespace foliation::bindings {

namespace {

template <class T>
AnyColumns columns_of(const Rows& rows) {
    return Columns<T>{rows.data<T>(), rows.stride(0), rows.stride(1)};
}

}  // namespace

Matrix matrix_of(const Rows& rows) {
    Matrix matrix;
    matrix.n_rows = static_cast<std::int64_t>(rows.shape(0));
    matrix.n_features = static_cast<std::int64_t>(rows.shape(1));
    if (rows.holds<std::uint8_t>()) {
        matrix.columns = columns_of<std::uint8_t>(rows);
    } else if (rows.holds<std::int16_t>()) {
        matrix.columns = columns_of<std::int16_t>(rows);
    } else if (rows.holds<std::int32_t>()) {
        matrix.columns = columns_of<std::int32_t>(rows);
    } else if (rows.holds<float>()) {
        matrix.columns = columns_of<float>(rows);
    } else if (rows.holds<double>()) {
        matrix.columns = columns_of<double>(rows);
    } else {
        throw std::invalid_argument("rows must be uint8, int16, int32, float32 or float64");
    }
    return matrix;
}

void Unlocked::sleep() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

bool Watch::ask(Unlocked& unlocked, std::int64_t done) {
    if (error_) return true;
    bool stop = true;
    unlocked.lock();
    try {
        stop = Unlocked::or_sleep([&] {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return !tick_.is_none() && nb::cast<bool>(tick_(done));
        });
    } catch (...) {
        error_ = std::current_exception();
    }
    unlocked.unlock();
    return stop;
}

namespace {

struct DigestedArrays {
    Scan scan;
    nb::object digests;
};

DigestedArrays give_digests(const Rows& rows, const Machine& machine) {
    const Matrix matrix = matrix_of(rows);
    DigestedScan digested = Watch("validation of X").run([&](Monitor& monitor) {
        return scan_and_digest(matrix, machine.isa, machine.n_threads, monitor);
    });
    return {digested.scan, to_numpy(std::move(digested.digests))};
}

}  // namespace

void bind_rows(nb::module_& module) {
    nb::class_<Scan>(module, "Scan")
        .def_ro("finite", &Scan::finite)
        .def_ro("whole", &Scan::whole)
        .def_ro("max_abs", &Scan::max_abs);
    nb::class_<DigestedArrays>(module, "DigestedScan")
        .def_prop_ro("scan",
                     [](const DigestedArrays& self) { return self.scan; })  // a copy: nothing to keep alive
        .def_ro("digests", &DigestedArrays::digests, nb::rv_policy::reference);
    module.def(
        "scan",
        [](const Rows& rows, const Machine& machine) {
            const Matrix matrix = matrix_of(rows);
            return Watch("validation of X").run([&](Monitor& monitor) {
                return scan(matrix, machine.isa, machine.n_threads, monitor);
            });
        },
        nb::arg("rows"), nb::arg("machine"));
    module.def("scan_and_digest", &give_digests, nb::arg("rows"), nb::arg("machine"));
    module.def("first_bad_column", [](const Rows& rows) {
        const Matrix matrix = matrix_of(rows);
        return Watch("validation of X").run_here([&](Monitor& monitor) {
            return first_bad_column(matrix, monitor);
        });
    });
}

}  // namespace foliation::bindings
