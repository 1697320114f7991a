#include <cmath>

#include "check.h"
#include "core/special.h"

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
    CHECK(x_log_x(0.0) == 0.0);
    CHECK(x_log_x(1.0) == 0.0);
}
