#include <vector>

#include "core/base/rng.h"
#include "tests/core/check.h"

using foliation::Rng;

namespace {

// Draws are part of what a seed promises: these values may change only with a new major version.
void test_known_values() {
    Rng rng(42);
    CHECK(rng.next() == 0xbdd732262feb6e95ULL);
    CHECK(foliation::chain(1, 2) != foliation::chain(2, 1));
}

void test_below_is_uniform() {
    Rng rng(7);
    std::vector<double> counts(10, 0.0);
    for (int k = 0; k < 100000; ++k) counts[rng.below(10)] += 1.0;
    double chi_square = 0.0;
    for (const double c : counts) chi_square += (c - 1e4) * (c - 1e4) / 1e4;
    CHECK(chi_square < 33.7);  // 9 degrees of freedom, p = 1e-4
}

void test_ranges() {
    Rng rng(8);
    bool low = false;
    bool high = false;
    for (int k = 0; k < 1000; ++k) {
        const int value = rng.between(-3, 4);
        CHECK(value >= -3 && value <= 4);
        low = low || value == -3;
        high = high || value == 4;
        const double u = rng.uniform();
        CHECK(u >= 0.0 && u < 1.0);
    }
    CHECK(low && high);
    CHECK(rng.below(1) == 0);
}

void test_normal_moments() {
    Rng rng(9);
    double sum = 0.0;
    double squares = 0.0;
    const int n = 200000;
    for (int k = 0; k < n; ++k) {
        const double z = rng.normal();
        sum += z;
        squares += z * z;
    }
    CHECK(std::abs(sum / n) < 4.0 / std::sqrt(n));
    CHECK(std::abs(squares / n - 1.0) < 4.0 * std::sqrt(2.0 / n));
}

}  // namespace

int main() {
    test_known_values();
    test_below_is_uniform();
    test_ranges();
    test_normal_moments();
}
