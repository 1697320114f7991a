// Up to kMost things in place, made one by one: an array would make all of them first.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace foliation {

template <class T, std::size_t kMost>
    requires std::is_trivially_destructible_v<T>
class InPlace {
  public:
    void push_back(const T& thing) { std::construct_at(data() + size_++, thing); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t k) { return data()[k]; }
    operator std::span<const T>() { return {data(), size_}; }

  private:
    T* data() { return reinterpret_cast<T*>(memory_); }

    alignas(T) std::byte memory_[kMost * sizeof(T)];
    std::size_t size_ = 0;
};

}  // namespace foliation
