// To be preloaded into Python: makes the n-th operator new fail, or all from the n-th on, and counts the
// blocks that are alive. Only what is compiled from C++ and linked to its library dynamically is concerned,
// such as our core.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr long kNever = std::numeric_limits<long>::max();
std::atomic<long> made{0}, failed{0}, live{0}, first{kNever}, last{kNever};

void* allocate(std::size_t size) noexcept {
    const long number = ++made;
    if (number >= first && number <= last) {
        ++failed;
        return nullptr;
    }
    void* block = std::malloc(size > 0 ? size : 1);
    live += block != nullptr ? 1 : 0;
    return block;
}

void* allocate_or_throw(std::size_t size) {
    if (void* block = allocate(size)) return block;
    throw std::bad_alloc();
}

void release(void* block) noexcept {
    live -= block != nullptr ? 1 : 0;
    std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }

extern "C" {

void fail_from(long n, int all) {
    made = failed = 0;
    last = all != 0 ? kNever : n;
    first = n;
}
// Returns how many have failed.
long stop_failing() {
    first = kNever;
    return failed;
}
long live_blocks() { return live; }
}
