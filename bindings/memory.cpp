#include "memory.h"

#include <nanobind/nanobind.h>

#include <array>
#include <cstdio>

namespace foliation::bindings {

namespace {

std::string in_words(double n_bytes) {
    constexpr std::array kUnits{"bytes", "KB", "MB", "GB"};
    std::size_t unit = 0;
    for (; n_bytes >= 1000.0 && unit + 1 < kUnits.size(); ++unit) n_bytes /= 1000.0;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), unit < 3 ? "%.0f %s" : "%.1f %s", n_bytes, kUnits.at(unit));
    return text.data();
}

}  // namespace

OutOfMemory::OutOfMemory(const char* operation)
    : message_(std::string(operation) + " needs more memory than is free") {}

OutOfMemory::OutOfMemory(const char* operation, double n_bytes)
    : message_(std::string(operation) + " needs " + in_words(n_bytes) +
               " for its result, more memory than is free") {}

void translate_memory_errors() {
    nanobind::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const OutOfMemory& named) {
            PyErr_SetString(PyExc_MemoryError, named.what());
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError, OutOfMemory("the core of foliation").what());
        } catch (const std::length_error&) {
            PyErr_SetString(PyExc_MemoryError, OutOfMemory("the core of foliation").what());
        }
    });
}

}  // namespace foliation::bindings
