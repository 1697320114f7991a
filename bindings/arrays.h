// Borders between NumPy arrays and the core's spans and vectors, and between its monitor and Python.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "core/base/parallel.h"
#include "core/data/matrix.h"
#include "input.h"
#include "memory.h"
#include "output.h"

namespace foliation::bindings {

Matrix matrix_of(const Rows& rows);

// While it lives, its thread runs without the interpreter's lock, and takes it again nowhere but here.
//
// CPython before 3.14 ends a daemon thread that asks for the lock while the interpreter ends, also within
// Python code: it unwinds the stack, and the first noexcept function on the way would end the process. As
// with newer CPythons, such a thread sleeps until the process has ended.
class Unlocked {
  public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    ~Unlocked() { lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

    // Runs work(), which may ask for the lock.
    template <class Work>
    static auto or_sleep(const Work& work) {
#ifdef __GLIBCXX__
        try {
            return work();
        } catch (const abi::__forced_unwind&) {
            sleep();
        }
#else
        return work();
#endif
    }
    void lock() {
        or_sleep([&] { PyEval_RestoreThread(state_); });
    }
    void unlock() { state_ = PyEval_SaveThread(); }

  private:
    [[noreturn]] static void sleep();

    PyThreadState* state_;
};

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
        Unlocked unlocked;
        Monitor monitor([&, this](std::int64_t done) { return ask(unlocked, done); });
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
    bool ask(Unlocked& unlocked, std::int64_t done);
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
