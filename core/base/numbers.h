// How numbers are told apart: ties between gains, and midpoints between values.
#pragma once

namespace foliation {

// A cut must beat another by more than this share of the node's impurity, so that sums in another order
// cannot change the tree.
constexpr double kTie = 1e-10;

// A number m with a <= m < b, in the middle if rounding allows.
inline double midpoint(double a, double b) {
    const double middle = 0.5 * a + 0.5 * b;
    return middle < b ? middle : a;
}

}  // namespace foliation
