// Sums are exact and rounded once: in any order, next to any larger numbers that cancel, at ties to even.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/exact_sum.h"
#include "core/base/rng.h"
#include "tests/core/check.h"

using foliation::ExactSum;
using foliation::Rng;

namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon();  // from 1 to the next number

double sum_of(const std::vector<double>& numbers) {
    ExactSum sum;
    for (const double x : numbers) sum.add(x);
    return sum.rounded();
}

// The sum of whole numbers times powers of two that fit into 64 bits, by integers.
void agrees_with_integers(Rng& rng) {
    std::vector<double> numbers;
    std::int64_t total = 0;
    const std::int32_t n = rng.between(1, 20);
    for (std::int32_t k = 0; k < n; ++k) {
        const std::int32_t shift = rng.between(0, 28);
        const std::int64_t number = std::int64_t{rng.between(-(1 << 28), 1 << 28)} << shift;
        numbers.push_back(std::ldexp(static_cast<double>(number), -20));
        total += number;
    }
    CHECK(sum_of(numbers) == std::ldexp(static_cast<double>(total), -20));  // the conversion rounds once
}

void order_does_not_matter(Rng& rng) {
    std::vector<double> numbers;
    for (int k = 0; k < 12; ++k) {
        const double x = std::ldexp(rng.normal(), rng.between(-400, 400));
        numbers.push_back(x);
        if (k % 3 == 0) numbers.push_back(-x);
    }
    const double expected = sum_of(numbers);
    for (int k = 0; k < 5; ++k) {
        for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[rng.below(i)]);
        CHECK(sum_of(numbers) == expected);
    }
}

}  // namespace

int main() {
    CHECK(sum_of({}) == 0.0 && sum_of({0.0, -0.0}) == 0.0 && sum_of({1.5}) == 1.5);
    CHECK(sum_of({1e200, 0.3, 1e17, -1e200, -1e17}) == 0.3);
    CHECK(sum_of({1e290, -1e290, std::numeric_limits<double>::denorm_min()}) > 0.0);

    CHECK(sum_of({1.0, 0.5 * kUnit}) == 1.0);  // a tie
    CHECK(sum_of({1.0 + kUnit, 0.5 * kUnit}) == 1.0 + 2.0 * kUnit);
    CHECK(sum_of({1.0, 0.5 * kUnit, 1e-300}) == 1.0 + kUnit);  // no tie
    CHECK(sum_of({1.0 + kUnit, 0.5 * kUnit, -1e-300}) == 1.0 + kUnit);
    CHECK(sum_of({-1.0, -0.5 * kUnit, -1e-300}) == -1.0 - kUnit);

    ExactSum sum;
    sum.add(1e17);
    sum.clear();
    sum.add(2.0);
    CHECK(sum.rounded() == 2.0);

    Rng rng(3);
    for (int k = 0; k < 2000; ++k) agrees_with_integers(rng);
    for (int k = 0; k < 500; ++k) order_does_not_matter(rng);
}
