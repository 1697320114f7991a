// Vectors handed to NumPy without a copy. An object of Python owns a vector and exports its memory through
// the buffer protocol; where there is no memory for such an object, there is an exception and the vector is
// freed.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace foliation::bindings {

namespace nb = nanobind;

// Memory, and how it is laid out: C-contiguous, of one or two dimensions.
struct Exported {
    std::unique_ptr<void, void (*)(void*)> owner;
    void* data;
    char kind;  // as in formats of buffers
    Py_ssize_t itemsize;
    std::array<Py_ssize_t, 2> shape;
    int n_dimensions;
};
nb::object export_to_numpy(Exported memory);

template <class T>
constexpr char format_of() {
    if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? 'f' : 'd';
    constexpr char kSigned = sizeof(T) == 2              ? 'h'
                             : sizeof(T) == sizeof(int)  ? 'i'
                             : sizeof(T) == sizeof(long) ? 'l'
                                                         : 'q';
    return std::is_signed_v<T> ? kSigned : static_cast<char>(kSigned - 'a' + 'A');
}

template <class T>
nb::object to_numpy(std::vector<T>&& values, std::array<std::size_t, 2> shape, int n_dimensions = 2) {
    auto* kept = new std::vector<T>(std::move(values));
    return export_to_numpy({{kept, [](void* vector) { delete static_cast<std::vector<T>*>(vector); }},
                            kept->data(),
                            format_of<T>(),
                            sizeof(T),
                            {static_cast<Py_ssize_t>(shape[0]), static_cast<Py_ssize_t>(shape[1])},
                            n_dimensions});
}

template <class T>
nb::object to_numpy(std::vector<T>&& values) {
    const std::size_t n = values.size();
    return to_numpy(std::move(values), {n, 1}, 1);
}

// nanobind's make_tuple does not look whether there is memory for the tuple.
template <class... Objects>
nb::tuple tuple_of(const Objects&... objects) {
    auto tuple = nb::steal<nb::tuple>(PyTuple_Pack(sizeof...(objects), objects.ptr()...));
    if (!tuple.is_valid()) throw nb::python_error();
    return tuple;
}

}  // namespace foliation::bindings
