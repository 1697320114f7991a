#include "input.h"

namespace foliation::bindings {

bool Buffer::acquire(nb::handle source, int n_dimensions) noexcept {
    if (PyObject_GetBuffer(source.ptr(), &view_, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
        out_of_memory_ = PyErr_ExceptionMatches(PyExc_MemoryError) != 0;
        PyErr_Clear();
        return out_of_memory_;
    }
    return view_.ndim == n_dimensions && view_.itemsize > 0;
}

char Buffer::kind() const noexcept {
    std::string_view format(view_.format != nullptr ? view_.format : "B");
    constexpr std::string_view kNative = std::endian::native == std::endian::little ? "@=^<" : "@=^>";
    if (!format.empty() && kNative.find(format.front()) != std::string_view::npos) format.remove_prefix(1);
    if (format.size() != 1) return ' ';
    const auto is_one_of = [&](std::string_view codes) {
        return codes.find(format) != std::string_view::npos;
    };
    return is_one_of("fd") ? 'f' : is_one_of("bhilq") ? 'i' : is_one_of("BHILQ") ? 'u' : ' ';
}

bool Buffer::c_contiguous() const noexcept {
    if (out_of_memory_ || view_.len == 0) return true;
    Py_ssize_t expected = view_.itemsize;
    for (int axis = view_.ndim - 1; axis >= 0; --axis) {
        if (view_.shape[axis] > 1 && view_.strides[axis] != expected) return false;
        expected *= view_.shape[axis];
    }
    return true;
}

// All types of the core are aligned to their size.
bool Buffer::aligned() const noexcept {
    if (view_.len == 0) return true;
    const auto on_grid = [&](std::int64_t bytes) { return bytes % view_.itemsize == 0; };
    return on_grid(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(view_.buf) % 64)) &&
           std::all_of(view_.strides, view_.strides + view_.ndim, on_grid);
}

}  // namespace foliation::bindings
