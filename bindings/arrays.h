// Borders between NumPy arrays and the core's spans and vectors, and between its monitor and Python.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "core/base/parallel.h"
#include "core/data/matrix.h"
#include "input.h"
#include "memory.h"
#include "output.h"

namespace foliation::bindings {

Matrix matrix_of(const Rows& rows);

// Runs work(monitor) without the interpreter's lock. While it runs, signals are checked and
// tick(number of trees done) is called if it is not None; a true answer stops the work, and so does
// an exception, which is thrown again once all threads have ended. The operation is what users read if memory
// runs out.
class Watch {
  public:
    explicit Watch(const char* operation, nb::object tick = nb::none())
        : operation_(operation), tick_(std::move(tick)) {}

    template <class Work>
    auto run(const Work& work) {
        Monitor monitor([this](std::int64_t done) { return ask(done); });
        const nb::gil_scoped_release released;
        return named(operation_, [&] {
            if constexpr (std::is_void_v<decltype(work(monitor))>) {
                work(monitor);
                rethrow();
            } else {
                auto result = work(monitor);
                rethrow();
                return result;
            }
        });
    }

    // The same for work of the calling thread, which checks the monitor.
    template <class Work>
    auto run_here(const Work& work) {
        return run([&](Monitor& monitor) {
            decltype(work(monitor)) result{};
            foliation::run_here(monitor, [&] { result = work(monitor); });
            return result;
        });
    }

  private:
    bool ask(std::int64_t done);
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

    const char* operation_;
    nb::object tick_;
    std::exception_ptr error_;
};

void bind_machine(nb::module_& module);
void bind_projections(nb::module_& module);
void bind_rows(nb::module_& module);
void bind_sampling(nb::module_& module);
void bind_views(nb::module_& module);
void bind_targets(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_structure(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_neighbors(nb::module_& module);

}  // namespace foliation::bindings
