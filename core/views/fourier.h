// The discrete Fourier transform of real series of one length, whatever it is, in O(n log n).
//
// Powers of two are halved again and again; other lengths become a convolution of such a length (Bluestein,
// "A linear filtering approach to the computation of discrete Fourier transform", 1970). A series of even
// length is transformed as half as many complex numbers. All sums and products have one order, and roots of
// unity are our own, so that the bits are the same on every machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace foliation {

// Complex numbers, their parts apart, so that loops run across lanes.
struct Parts {
    double* re;
    double* im;
};

// The transform of a power of two of complex numbers, in place.
class PowerOfTwo {
  public:
    explicit PowerOfTwo(std::size_t size);  // a power of two
    std::size_t size() const { return size_; }
    // From natural to bit-reversed order.
    void forward(Parts x) const;
    // Back from bit-reversed to natural order, times the size.
    void backward(Parts x) const;

  private:
    std::size_t size_;
    std::vector<double> re_, im_;  // roots: those of a step with `half` pairs begin at `half`
};

class Fourier {
  public:
    explicit Fourier(std::size_t n);
    // |F_k| for k = 1 .. n / 2.
    void magnitudes(std::span<const double> x, std::vector<double>& memory, double* out) const;

  private:
    void transform(Parts z) const;
    void convolve(Parts z) const;

    std::size_t n_;
    std::size_t length_;  // complex numbers that are transformed: half of n, or n if it is odd
    PowerOfTwo steps_;
    std::vector<std::size_t> order_;           // where each frequency is found after the transform
    std::vector<double> chirp_re_, chirp_im_;  // e^(-pi i j^2 / length); none for powers of two
    std::vector<double> kernel_re_, kernel_im_;
    std::vector<double> turn_re_, turn_im_;  // e^(-2 pi i k / n) for even n
};

}  // namespace foliation
