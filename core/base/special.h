// Logarithm, exponential and roots of unity from additions, multiplications and divisions alone.
// The C library's versions differ between machines in the last bit; these do not, so whatever
// decides a split or a draw uses these. Relative error below 1e-15.
#pragma once

#include <bit>
#include <cstdint>

namespace foliation {

inline constexpr double kLn2 = 0.693147180559945309417232121458;

// Natural logarithm of a positive, finite, normal number. Without a branch, so that loops run across lanes.
inline double natural_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const double biased = std::bit_cast<double>(0x4330000000000000ULL | bits >> 52) - 0x1.0p52;
    double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    const bool large = mantissa > 1.4142135623730951;
    const double exponent = biased - (large ? 1022.0 : 1023.0);
    mantissa = large ? 0.5 * mantissa : mantissa;
    const double s = (mantissa - 1.0) / (mantissa + 1.0);
    const double z = s * s;
    double sum = 0.0;  // atanh series: log(m) = 2 (s + s^3/3 + s^5/5 + ...)
    for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * z;
    return exponent * kLn2 + 2.0 * (s + s * sum);
}

// The same to within kRoughLog, in less than half the time: where something exact follows.
inline constexpr double kRoughLog = 5e-7;
inline double rough_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const double biased = std::bit_cast<double>(0x4330000000000000ULL | bits >> 52) - 0x1.0p52;
    double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    const bool large = mantissa > 1.4142135623730951;
    const double exponent = biased - (large ? 1022.0 : 1023.0);
    const double t = (large ? 0.5 * mantissa : mantissa) - 1.0;
    double sum = 0.119310544;  // log(1 + t) / t, fitted on Chebyshev's points
    sum = sum * t - 0.186807514;
    sum = sum * t + 0.204917596;
    sum = sum * t - 0.249082892;
    sum = sum * t + 0.333146738;
    sum = sum * t - 0.50001145;
    sum = sum * t + 1.00000096;
    return exponent * kLn2 + t * sum;
}

// x log x, with the limit 0 at 0.
inline double x_log_x(double x) { return x > 0.0 ? x * natural_log(x) : 0.0; }

// e^x for -700 <= x <= 0; smaller x give 0. Without a branch.
inline double exponential(double x) {
    constexpr double kShift = 0x1.8p52;  // a double this large has its whole part in its lowest bits
    const double inside = x < -700.0 ? -700.0 : x;
    const double shifted = inside / kLn2 + kShift;
    const double power = shifted - kShift;
    const double r = (inside - power * 0x1.62e42feep-1) - power * 0x1.a39ef35793c76p-33;  // ln 2 in two parts
    double sum = 1.0;
    for (int k = 14; k >= 1; --k) sum = 1.0 + sum * (r * (1.0 / k));
    const double scale = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
    return x < -700.0 ? 0.0 : sum * scale;
}

struct Complex {
    double re, im;
};

// e^(2 pi i k / n) for 0 <= k < n < 2^60, to within 2^-52. Eighths of the circle are told apart exactly.
inline Complex root_of_unity(std::int64_t k, std::int64_t n) {
    constexpr double kEighth = 0.785398163397448309615660845820;  // pi / 4
    const std::int64_t eighth = 8 * k / n;
    const std::int64_t rest = 8 * k - eighth * n;
    const std::int64_t from_axis = eighth % 2 == 0 ? rest : n - rest;
    const double x = kEighth * (static_cast<double>(from_axis) / static_cast<double>(n));
    double cosine = 1.0;
    double sine = 1.0;
    for (int j = 18; j >= 2; j -= 2) cosine = 1.0 - cosine * (x * x / (j * (j - 1)));
    for (int j = 19; j >= 3; j -= 2) sine = 1.0 - sine * (x * x / (j * (j - 1)));
    sine *= x;
    const bool upright = (eighth + 1) / 2 % 2 == 1;  // nearer to the imaginary axis than to the real one
    const double re = upright ? sine : cosine;
    const double im = upright ? cosine : sine;
    return {eighth >= 2 && eighth <= 5 ? -re : re, eighth >= 4 ? -im : im};
}

}  // namespace foliation
