// Instruction sets: one source, compiled more than once, chosen by number at run time.
// A kernel is a struct with an always-inlined run(); run_on() holds one copy of it per set. The bits
// are the same on all of them: no contraction, no reassociation, vectors run across rows.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace foliation {

enum class Isa : int { baseline = 0, avx2 = 1, avx512 = 2 };
constexpr const char* kIsaNames[] = {"baseline", "avx2", "avx512"};

#if defined(__x86_64__) && defined(__GNUC__)
#define FOLIATION_X86 1
#define FOLIATION_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define FOLIATION_TARGET_AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,bmi,bmi2,lzcnt,popcnt")))
#else
#define FOLIATION_X86 0
#define FOLIATION_TARGET_AVX2
#define FOLIATION_TARGET_AVX512
#endif
#define FOLIATION_INLINE inline __attribute__((always_inline))

// The newest instruction set this machine runs.
inline Isa newest_isa() {
#if FOLIATION_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        return Isa::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return Isa::avx2;
#endif
    return Isa::baseline;
}

// The newest instruction set, or the one that the environment variable FOLIATION_ISA names.
inline Isa chosen_isa() {
    const char* const name = std::getenv("FOLIATION_ISA");
    const int newest = static_cast<int>(newest_isa());
    if (name == nullptr || *name == '\0') return newest_isa();
    for (int isa = 0; isa < 3; ++isa) {
        if (std::string(name) != kIsaNames[isa]) continue;
        if (isa <= newest) return static_cast<Isa>(isa);
        throw std::invalid_argument("FOLIATION_ISA='" + std::string(name) + "': this machine runs " +
                                    kIsaNames[newest] + " at most");
    }
    throw std::invalid_argument("FOLIATION_ISA='" + std::string(name) +
                                "': expected one of baseline, avx2, avx512");
}

// Calls body(args...) compiled for `isa`; body must be a struct with a static always-inlined run().
template <class Body, class... Args>
void run_baseline(Args... args) {
    Body::run(args...);
}
template <class Body, class... Args>
FOLIATION_TARGET_AVX2 void run_avx2(Args... args) {
    Body::run(args...);
}
template <class Body, class... Args>
FOLIATION_TARGET_AVX512 void run_avx512(Args... args) {
    Body::run(args...);
}
template <class Body, class... Args>
void run_on(Isa isa, Args... args) {
    if (isa == Isa::avx512) return run_avx512<Body>(args...);
    if (isa == Isa::avx2) return run_avx2<Body>(args...);
    run_baseline<Body>(args...);
}

}  // namespace foliation
