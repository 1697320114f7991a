#include <cmath>
#include <initializer_list>

#include "core/base/special.h"
#include "tests/core/check.h"

int main() {
    using namespace foliation;
    for (double x = 1e-12; x < 1e12; x *= 1.0137) {
        const double expected = std::log(x);
        CHECK(std::abs(natural_log(x) - expected) <= 4e-16 * (1.0 + std::abs(expected)));
    }
    for (double x = 1e-300; x < 1e300; x *= 1.37) CHECK(std::abs(rough_log(x) - natural_log(x)) <= kRoughLog);
    for (double x = 0.0; x > -690.0; x -= 0.217) CHECK(std::abs(exponential(x) / std::exp(x) - 1.0) < 1e-13);
    CHECK(exponential(0.0) == 1.0);
    CHECK(exponential(-1000.0) == 0.0);
    for (const std::int64_t n : {1, 2, 3, 8, 17, 1000, 65536})
        for (std::int64_t k = 0; k < n; ++k) {
            const long double angle = 2.0L * 3.14159265358979323846264338328L * static_cast<long double>(k) /
                                      static_cast<long double>(n);
            const Complex root = root_of_unity(k, n);
            CHECK(std::abs(static_cast<double>(std::cos(angle) - static_cast<long double>(root.re))) <
                  2.3e-16);
            CHECK(std::abs(static_cast<double>(std::sin(angle) - static_cast<long double>(root.im))) <
                  2.3e-16);
        }
    CHECK(root_of_unity(1, 4).re == 0.0 && root_of_unity(1, 4).im == 1.0);
    CHECK(root_of_unity(1, 2).re == -1.0 && root_of_unity(1, 2).im == 0.0);
    CHECK(x_log_x(0.0) == 0.0);
    CHECK(x_log_x(1.0) == 0.0);
}
