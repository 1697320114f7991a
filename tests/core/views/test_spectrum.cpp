// A spectrum does not change, not by a bit, if its series is shifted, mirrored or begun elsewhere.
#include <algorithm>

#include "core/views/spectrum.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

std::vector<double> spectrum(const std::vector<double>& x) {
    const SeriesGrid grid{1, std::ssize(x)};
    std::vector<double> memory, out(x.size() / 2);
    CHECK(Spectrum::length(grid) == std::ssize(out));
    Spectrum(grid).fill({x, {}, {}, {}}, memory, out.data());
    return out;
}

void test_invariance(std::size_t n) {
    std::vector<double> x = whole_numbers<double>(n, n, -100, 100);
    const auto expected = spectrum(x);
    std::reverse(x.begin(), x.end());
    CHECK(spectrum(x) == expected);
    std::rotate(x.begin(), x.begin() + 3, x.end());
    CHECK(spectrum(x) == expected);
    for (double& value : x) value += 1024.0;
    CHECK(spectrum(x) == expected);
    for (const int exponent : {-900, 900}) {  // squares of these numbers leave the range
        std::vector<double> scaled = x;
        for (double& value : scaled) value = std::ldexp(value, exponent);
        const auto found = spectrum(scaled);
        for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k] == std::ldexp(expected[k], exponent));
    }
}

void test_cosine(std::size_t n, std::size_t frequency) {
    std::vector<double> x(n);
    for (std::size_t t = 0; t < n; ++t)
        x[t] = 5.0 + 3.0 * std::cos(6.283185307179586 * static_cast<double>(frequency * t) /
                                    static_cast<double>(n));
    const auto found = spectrum(x);
    for (std::size_t k = 0; k < found.size(); ++k) {
        const double height =
            k + 1 == frequency ? (2 * frequency == n ? 3.0 : 1.5) * static_cast<double>(n) : 0;
        CHECK(std::abs(found[k] - height) < 1e-9);
    }
}

}  // namespace

int main() {
    for (const std::size_t n : {4U, 7U, 16U, 30U}) test_invariance(n);
    test_cosine(24, 5);
    test_cosine(24, 12);
    test_cosine(25, 12);
    CHECK(spectrum({7.0}).empty());
    CHECK(spectrum(std::vector<double>(9, 0.1)) == std::vector<double>(4, 0.0));
}
