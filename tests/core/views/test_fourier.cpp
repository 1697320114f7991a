// Magnitudes agree with the sums that define them, for all short lengths and for primes and powers among long
// ones.
#include <cmath>
#include <vector>

#include "core/base/rng.h"
#include "core/views/fourier.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

std::vector<double> noise(std::size_t n) {
    Rng rng(n);
    std::vector<double> x(n);
    for (double& value : x) value = rng.normal();
    return x;
}

double magnitude(const std::vector<double>& x, std::size_t k) {
    long double re = 0.0L;
    long double im = 0.0L;
    for (std::size_t t = 0; t < x.size(); ++t) {
        const auto at = static_cast<long double>(k * t % x.size()) / static_cast<long double>(x.size());
        const long double angle = 2.0L * 3.14159265358979323846264338328L * at;
        re += static_cast<long double>(x[t]) * std::cos(angle);
        im -= static_cast<long double>(x[t]) * std::sin(angle);
    }
    return static_cast<double>(std::sqrt(re * re + im * im));
}

void test_length(std::size_t n, std::size_t step) {
    const std::vector<double> x = noise(n);
    std::vector<double> memory;
    std::vector<double> found(n / 2);
    Fourier(n).magnitudes(x, memory, found.data());
    double largest = 0.0;
    for (const double value : found) largest = std::max(largest, value);
    for (std::size_t k = 1; k <= n / 2; k += step)
        CHECK(std::abs(found[k - 1] - magnitude(x, k)) <= 1e-13 * largest);
}

void test_there_and_back() {
    std::vector<double> re = noise(64);
    std::vector<double> im = noise(65);
    const std::vector<double> before = re;
    const PowerOfTwo steps(64);
    steps.forward({re.data(), im.data()});
    steps.backward({re.data(), im.data()});
    for (std::size_t j = 0; j < re.size(); ++j) CHECK(std::abs(re[j] / 64.0 - before[j]) < 1e-14);
}

}  // namespace

int main() {
    for (std::size_t n = 1; n <= 130; ++n) test_length(n, 1);
    for (const std::size_t n : {1500U, 2048U, 4099U, 8192U, 9973U, 9999U, 10000U}) test_length(n, 97);
    test_there_and_back();
}
