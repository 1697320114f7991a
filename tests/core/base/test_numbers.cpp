// A midpoint parts its two numbers: a <= midpoint < b, whatever their size.
#include <limits>

#include "core/base/numbers.h"
#include "core/base/rng.h"
#include "tests/core/check.h"

using foliation::midpoint;

namespace {

void check_parts(double a, double b) {
    const double middle = midpoint(a, b);
    CHECK(a <= middle && middle < b);
}

}  // namespace

int main() {
    using Limits = std::numeric_limits<double>;
    CHECK(midpoint(1.0, 3.0) == 2.0);
    CHECK(midpoint(-3.0, 4.0) == 0.5);
    CHECK(midpoint(Limits::lowest(), Limits::max()) == 0.0);
    CHECK(midpoint(0.5 * Limits::max(), Limits::max()) == 0.75 * Limits::max());
    foliation::Rng rng(4);
    for (int k = 0; k < 1000; ++k) {
        const double x = std::ldexp(rng.normal(), rng.between(-1070, 1020));
        check_parts(x, std::nextafter(x, Limits::infinity()));  // nothing lies between
        check_parts(x, x + std::abs(x) * rng.uniform() + Limits::min());
        check_parts(-std::abs(x), Limits::max());
    }
    for (int a = -20; a < 20; ++a)  // steps of the smallest number, whose halves are rounded
        for (int b = a + 1; b <= 20; ++b) check_parts(a * Limits::denorm_min(), b * Limits::denorm_min());
}
