// Allocations that fail on purpose, and what is alive: every operator new of the program is counted, in all
// threads. To be included once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>

enum class Failing { one, all_from };

struct Allocations {
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    std::atomic<std::int64_t> made{0};  // since armed
    std::atomic<std::int64_t> failed{0};
    std::atomic<std::int64_t> live_blocks{0}, live_bytes{0};
    std::atomic<std::int64_t> first{kNever}, last{kNever};  // those that fail, numbered from 1

    // The n-th allocation from now on fails, or it and all that follow.
    void arm(std::int64_t n, Failing failing) {
        made = failed = 0;
        first = n;
        last = failing == Failing::one ? n : kNever;
    }
    void disarm() { first = kNever; }

    bool next_fails() {
        const std::int64_t number = ++made;
        const bool fails = number >= first && number <= last;
        failed += fails ? 1 : 0;
        return fails;
    }
};
inline Allocations allocations;

namespace detail {

// A block is preceded by its size.
constexpr std::size_t kHead = alignof(std::max_align_t);

inline void* allocate(std::size_t size) noexcept {
    if (allocations.next_fails()) return nullptr;
    auto* block = static_cast<std::byte*>(std::malloc(kHead + size));
    if (block == nullptr) return nullptr;
    *reinterpret_cast<std::size_t*>(block) = size;
    ++allocations.live_blocks;
    allocations.live_bytes += static_cast<std::int64_t>(size);
    return block + kHead;
}

inline void release(void* p) noexcept {
    if (p == nullptr) return;
    std::byte* block = static_cast<std::byte*>(p) - kHead;
    --allocations.live_blocks;
    allocations.live_bytes -= static_cast<std::int64_t>(*reinterpret_cast<std::size_t*>(block));
    std::free(block);
}

inline void* allocate_or_throw(std::size_t size) {
    if (void* p = allocate(size)) return p;
    throw std::bad_alloc();
}

}  // namespace detail

// Types that need a larger alignment are not allocated by the core; should one be, its blocks are not
// counted.
void* operator new(std::size_t size) { return detail::allocate_or_throw(size); }
void* operator new[](std::size_t size) { return detail::allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return detail::allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return detail::allocate(size); }
void operator delete(void* p) noexcept { detail::release(p); }
void operator delete[](void* p) noexcept { detail::release(p); }
void operator delete(void* p, std::size_t) noexcept { detail::release(p); }
void operator delete[](void* p, std::size_t) noexcept { detail::release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { detail::release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { detail::release(p); }
