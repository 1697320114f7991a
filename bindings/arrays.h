// Borders between NumPy arrays and the core's spans and vectors, and between its monitor and Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <exception>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/data/matrix.h"

// Vectors of numbers come from NumPy arrays of exactly that type, by one copy.
template <class T>
    requires std::is_arithmetic_v<T>
struct nanobind::detail::type_caster<std::vector<T, std::allocator<T>>> {
    NB_TYPE_CASTER(std::vector<T>, const_name("numpy.ndarray"))

    bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
        using Array = ndarray<const T, ndim<1>, c_contig, device::cpu>;
        make_caster<Array> array;
        if (!array.from_python(source, static_cast<std::uint8_t>(flags & ~cast_flags::convert), cleanup))
            return false;
        const Array& found = array.value;
        value.assign(found.data(), found.data() + found.shape(0));
        return true;
    }
};

namespace foliation::bindings {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const In<T>& array) {
    return {array.data(), array.shape(0)};
}

// Hands a vector to NumPy without a copy.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::vector<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n});
}

Matrix matrix_of(const Rows& rows);

// Runs work(monitor) without the interpreter's lock. While it runs, signals are checked and
// tick(number of trees done) is called if it is not None; a true answer stops the work, and so does
// an exception, which is thrown again once all threads have ended.
class Watch {
  public:
    explicit Watch(nb::object tick) : tick_(std::move(tick)) {}

    template <class Work>
    auto run(const Work& work) {
        Monitor monitor([this](std::int64_t done) { return ask(done); });
        const nb::gil_scoped_release released;
        if constexpr (std::is_void_v<decltype(work(monitor))>) {
            work(monitor);
            rethrow();
        } else {
            auto result = work(monitor);
            rethrow();
            return result;
        }
    }

  private:
    bool ask(std::int64_t done);
    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

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
