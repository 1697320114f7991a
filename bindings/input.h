// Arrays that Python passes in, as the core may read them: numbers of one type, aligned, at whole strides.
//
// They come through the buffer protocol, which allocates nothing of ours, so that short memory raises an
// exception. A conversion of arguments must not throw, so an invalid array raises its error at the first
// read.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace foliation::bindings {

namespace nb = nanobind;

// Memory of an array, held as long as this lives.
class Buffer {
  public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept
        : view_(std::exchange(other.view_, Py_buffer{})), out_of_memory_(other.out_of_memory_) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(view_, other.view_);
        std::swap(out_of_memory_, other.out_of_memory_);
        return *this;
    }
    ~Buffer() { PyBuffer_Release(&view_); }

    // False if it has no buffer with as many dimensions.
    bool acquire(nb::handle source, int n_dimensions) noexcept;

    // Whether it holds numbers of this type, in this machine's byte order.
    template <class T>
    bool holds() const noexcept {
        constexpr char kKind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
        return out_of_memory_ || (view_.itemsize == sizeof(T) && kind() == kKind);
    }
    bool c_contiguous() const noexcept;

    std::size_t shape(std::size_t axis) const {
        check();
        return static_cast<std::size_t>(view_.shape[axis]);
    }
    std::size_t size() const {
        check();
        return static_cast<std::size_t>(view_.len / view_.itemsize);
    }
    // In elements.
    std::int64_t stride(std::size_t axis) const {
        check();
        return view_.strides[axis] / view_.itemsize;
    }
    template <class T>
    const T* data() const {
        check();
        return static_cast<const T*>(view_.buf);
    }

  private:
    char kind() const noexcept;  // of its numbers: f, i or u; blank if they are something else
    void check() const {
        if (out_of_memory_) throw std::bad_alloc();
        if (!aligned())
            throw std::invalid_argument(
                "an array is not aligned: expected one that numpy.require would return with "
                "requirements='A'");
    }
    bool aligned() const noexcept;

    Py_buffer view_{};
    bool out_of_memory_ = false;
};

// C-contiguous numbers of exactly this type.
template <class T, int kDimensions = 1>
class In : public Buffer {
  public:
    bool acquire(nb::handle source) noexcept {
        return Buffer::acquire(source, kDimensions) && this->template holds<T>() && c_contiguous();
    }
    const T* data() const { return Buffer::data<T>(); }
};

// Two dimensions, any strides, numbers of any type.
class Rows : public Buffer {
  public:
    bool acquire(nb::handle source) noexcept { return Buffer::acquire(source, 2); }
};

template <class T>
std::span<const T> span_of(const In<T>& array) {
    return {array.data(), array.size()};
}

// Items of a list.
template <class T>
std::vector<T> items_of(const nb::list& list) {
    std::vector<T> items;
    for (const nb::handle item : list) items.push_back(nb::cast<T>(item));
    return items;
}

}  // namespace foliation::bindings

namespace nanobind::detail {

template <class Array>
struct input_caster {
    NB_TYPE_CASTER(Array, const_name("numpy.ndarray"))

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept { return value.acquire(source); }
};

template <class T, int kDimensions>
struct type_caster<foliation::bindings::In<T, kDimensions>>
    : input_caster<foliation::bindings::In<T, kDimensions>> {};
template <>
struct type_caster<foliation::bindings::Rows> : input_caster<foliation::bindings::Rows> {};

// Vectors of numbers come from arrays of exactly that type, by one copy.
template <class T>
    requires std::is_arithmetic_v<T>
struct type_caster<std::vector<T, std::allocator<T>>> {
    static constexpr auto Name = const_name("numpy.ndarray");
    template <class>
    using Cast = std::vector<T>;
    template <class>
    static constexpr bool can_cast() {
        return true;
    }

    bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept { return array.acquire(source); }
    explicit operator std::vector<T>() const { return {array.data(), array.data() + array.size()}; }

    foliation::bindings::In<T> array;
};

}  // namespace nanobind::detail
