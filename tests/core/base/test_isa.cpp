// All instruction sets of this machine give the same bits: products are rounded before they are added.
#include <vector>

#include "core/base/isa.h"
#include "core/base/rng.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

struct MultiplyAdd {
    static FOLIATION_INLINE void run(const double* a, const double* b, std::size_t n, double* sums) {
        for (std::size_t i = 0; i < n; ++i) sums[i] = sums[i] + a[i] * b[i];
    }
};

struct CountCalls {
    static FOLIATION_INLINE void run(int* n_calls) { ++*n_calls; }
};

bool is_refused(const char* name) {
    setenv("FOLIATION_ISA", name, 1);
    try {
        chosen_isa();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

// The environment chooses among the sets of this machine.
void check_choice() {
    unsetenv("FOLIATION_ISA");
    CHECK(chosen_isa() == newest_isa());
    for (int isa = 0; isa < 3; ++isa) {
        const bool runs_here = isa <= static_cast<int>(newest_isa());
        CHECK(is_refused(kIsaNames[isa]) != runs_here);
        if (runs_here) CHECK(chosen_isa() == static_cast<Isa>(isa));
    }
    CHECK(is_refused("sse9"));
    CHECK(!is_refused(""));
    unsetenv("FOLIATION_ISA");
}

}  // namespace

int main() {
    check_choice();
    Rng rng(3);
    const std::size_t n = 1003;
    std::vector<double> a(n), b(n), expected(n);
    std::size_t n_rounded = 0;  // products that are not exact: what a fused operation would tell
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = rng.normal();
        b[i] = rng.normal();
        volatile double product = a[i] * b[i];
        volatile double sum = 1.0 + product;
        expected[i] = sum;
        n_rounded += std::fma(a[i], b[i], 1.0) != sum ? 1 : 0;
    }
    CHECK(n_rounded > 10);
    int n_calls = 0;
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
        std::vector<double> sums(n, 1.0);
        run_on<MultiplyAdd>(static_cast<Isa>(isa), static_cast<const double*>(a.data()),
                            static_cast<const double*>(b.data()), n, sums.data());
        CHECK(sums == expected);
        run_on<CountCalls>(static_cast<Isa>(isa), &n_calls);
        CHECK(n_calls == isa + 1);
    }
}
