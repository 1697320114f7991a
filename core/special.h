// Logarithm and exponential from additions, multiplications and divisions alone.
// The C library's versions differ between machines in the last bit; these do not, so whatever
// decides a split or a draw uses these. Relative error below 1e-15.
#pragma once

#include <bit>
#include <cstdint>

namespace foliation {

inline constexpr double kLn2 = 0.693147180559945309417232121458;

// Natural logarithm of a positive, finite, normal number.
inline double natural_log(double x) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    std::int64_t exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
    double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        exponent += 1;
    }
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    const double z = s * s;
    double sum = 0.0;  // atanh series: log(m) = 2 (s + s^3/3 + s^5/5 + ...)
    for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * z;
    return static_cast<double>(exponent) * kLn2 + 2.0 * (s + s * sum);
}

// x log x, with the limit 0 at 0.
inline double x_log_x(double x) { return x > 0.0 ? x * natural_log(x) : 0.0; }

// e^x for -700 <= x <= 0; smaller x give 0.
inline double exponential(double x) {
    if (x < -700.0) return 0.0;
    const auto power = static_cast<std::int64_t>(x / kLn2 - 0.5);
    const double r = x - static_cast<double>(power) * kLn2;
    double sum = 1.0;
    for (int k = 18; k >= 1; --k) sum = 1.0 + sum * r / k;
    return sum * std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
}

}  // namespace foliation
