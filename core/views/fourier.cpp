#include "core/views/fourier.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "core/base/special.h"

namespace foliation {

namespace {

// e^(-2 pi i k / n).
Complex turn(std::size_t k, std::size_t n) {
    const Complex root = root_of_unity(static_cast<std::int64_t>(k % n), static_cast<std::int64_t>(n));
    return {root.re, -root.im};
}

std::size_t halves(std::size_t n) { return n % 2 == 0 ? n / 2 : n; }

// Room for a convolution without overlap, unless the length itself will do.
std::size_t power_for(std::size_t length) {
    return std::has_single_bit(length) ? length : std::bit_ceil(2 * length - 1);
}

// Halves a step: sums to the front, turned differences to the back.
void split_pairs(Parts front, Parts back, const double* re, const double* im, std::size_t half) {
    double* __restrict a = front.re;
    double* __restrict b = front.im;
    double* __restrict c = back.re;
    double* __restrict d = back.im;
    for (std::size_t j = 0; j < half; ++j) {
        const double x = a[j] - c[j];
        const double y = b[j] - d[j];
        a[j] = a[j] + c[j];
        b[j] = b[j] + d[j];
        c[j] = x * re[j] - y * im[j];
        d[j] = x * im[j] + y * re[j];
    }
}

// Undoes it, times two.
void join_pairs(Parts front, Parts back, const double* re, const double* im, std::size_t half) {
    double* __restrict a = front.re;
    double* __restrict b = front.im;
    double* __restrict c = back.re;
    double* __restrict d = back.im;
    for (std::size_t j = 0; j < half; ++j) {
        const double x = c[j] * re[j] + d[j] * im[j];
        const double y = d[j] * re[j] - c[j] * im[j];
        c[j] = a[j] - x;
        d[j] = b[j] - y;
        a[j] = a[j] + x;
        b[j] = b[j] + y;
    }
}

void multiply(Parts z, const std::vector<double>& re, const std::vector<double>& im) {
    for (std::size_t j = 0; j < re.size(); ++j) {
        const double x = z.re[j];
        const double y = z.im[j];
        z.re[j] = x * re[j] - y * im[j];
        z.im[j] = x * im[j] + y * re[j];
    }
}

}  // namespace

PowerOfTwo::PowerOfTwo(std::size_t size) : size_(size), re_(size), im_(size) {
    for (std::size_t half = size / 2; half >= 1; half /= 2)
        for (std::size_t j = 0; j < half; ++j) {
            const Complex root = turn(j, 2 * half);
            re_[half + j] = root.re;
            im_[half + j] = root.im;
        }
}

void PowerOfTwo::forward(Parts x) const {
    for (std::size_t half = size_ / 2; half >= 1; half /= 2)
        for (std::size_t at = 0; at < size_; at += 2 * half)
            split_pairs({x.re + at, x.im + at}, {x.re + at + half, x.im + at + half}, &re_[half], &im_[half],
                        half);
}

void PowerOfTwo::backward(Parts x) const {
    for (std::size_t half = 1; half < size_; half *= 2)
        for (std::size_t at = 0; at < size_; at += 2 * half)
            join_pairs({x.re + at, x.im + at}, {x.re + at + half, x.im + at + half}, &re_[half], &im_[half],
                       half);
}

Fourier::Fourier(std::size_t n) : n_(n), length_(halves(n)), steps_(power_for(length_)), order_(length_) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (std::size_t k = 0; n % 2 == 0 && k <= length_; ++k) {
        const Complex root = turn(k, n);
        turn_re_.push_back(root.re);
        turn_im_.push_back(root.im);
    }
    const std::size_t m = steps_.size();
    if (m == length_) {
        for (std::size_t k = 1; k < m; ++k) order_[k] = order_[k / 2] / 2 + (k % 2 == 1 ? m / 2 : 0);
        return;
    }
    kernel_re_.resize(m);
    kernel_im_.resize(m);
    for (std::size_t j = 0; j < length_; ++j) {
        const Complex root = turn(j * j, 2 * length_);
        chirp_re_.push_back(root.re);
        chirp_im_.push_back(root.im);
        for (const std::size_t at : {j, (m - j) % m}) {
            kernel_re_[at] = root.re / static_cast<double>(m);
            kernel_im_[at] = -root.im / static_cast<double>(m);
        }
    }
    steps_.forward({kernel_re_.data(), kernel_im_.data()});
}

// j k = (j^2 + k^2 - (k - j)^2) / 2, so that a transform is a convolution with a chirp between two products
// with it.
void Fourier::convolve(Parts z) const {
    multiply(z, chirp_re_, chirp_im_);
    steps_.forward(z);
    multiply(z, kernel_re_, kernel_im_);
    steps_.backward(z);
    multiply(z, chirp_re_, chirp_im_);
}

void Fourier::transform(Parts z) const { return chirp_re_.empty() ? steps_.forward(z) : convolve(z); }

void Fourier::magnitudes(std::span<const double> x, std::vector<double>& memory, double* out) const {
    const bool even = n_ % 2 == 0;
    memory.assign(2 * steps_.size(), 0.0);
    const Parts z{memory.data(), memory.data() + steps_.size()};
    for (std::size_t j = 0; j < length_; ++j) {
        z.re[j] = even ? x[2 * j] : x[j];
        if (even) z.im[j] = x[2 * j + 1];
    }
    transform(z);
    for (std::size_t k = 1; k <= n_ / 2; ++k) {
        const std::size_t at = order_[k % length_];
        double re = z.re[at];
        double im = z.im[at];
        if (even) {  // the transforms of the even and of the odd places, apart
            const std::size_t mirror = order_[length_ - k];
            const double odd_re = 0.5 * (im + z.im[mirror]);
            const double odd_im = 0.5 * (z.re[mirror] - re);
            re = 0.5 * (re + z.re[mirror]) + (turn_re_[k] * odd_re - turn_im_[k] * odd_im);
            im = 0.5 * (im - z.im[mirror]) + (turn_re_[k] * odd_im + turn_im_[k] * odd_re);
        }
        out[k - 1] = std::sqrt(re * re + im * im);
    }
}

}  // namespace foliation
