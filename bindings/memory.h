// Out-of-memory errors that name the operation and, if it is known, the size.
#pragma once

#include <cstddef>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace foliation::bindings {

// Becomes a MemoryError; so does any std::bad_alloc and std::length_error that names no operation.
class OutOfMemory : public std::exception {
  public:
    explicit OutOfMemory(const char* operation);
    OutOfMemory(const char* operation, double n_bytes);  // of its result

    const char* what() const noexcept override { return message_.c_str(); }

  private:
    std::string message_;
};

// Runs work(); if it runs out of memory, the error names the operation.
template <class Work>
auto named(const char* operation, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(operation);
    } catch (const std::length_error&) {
        throw OutOfMemory(operation);
    }
}

// The result of an operation, still to be filled.
template <class T>
std::vector<T> result_of(const char* operation, std::size_t n_rows, std::size_t n_columns) {
    try {
        return std::vector<T>(n_rows * n_columns);
    } catch (const std::exception&) {  // bad_alloc, or length_error
        throw OutOfMemory(operation, static_cast<double>(n_rows) * static_cast<double>(n_columns) *
                                         static_cast<double>(sizeof(T)));
    }
}

void translate_memory_errors();

}  // namespace foliation::bindings
