// A sum of doubles without a rounding error, rounded once when it is read: in any order, the same bits.
//
// What rounding drops from a sum of two numbers is a number too. So the sum is kept as numbers of different
// magnitudes, smallest first, that do not overlap (Shewchuk, Adaptive Precision Floating-Point Arithmetic,
// 1997). No partial sum may overflow.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace foliation {

class ExactSum {
  public:
    void clear() { parts_.clear(); }

    void add(double x) {
        std::size_t kept = 0;
        for (double part : parts_) {  // kept <= the part's own place: what is read was not yet overwritten
            if (std::abs(x) < std::abs(part)) std::swap(x, part);
            const double sum = x + part;
            const double dropped = part - (sum - x);
            if (dropped != 0.0) parts_[kept++] = dropped;
            x = sum;
        }
        parts_.resize(kept);
        if (x != 0.0) parts_.push_back(x);
    }

    // The nearest double; of two as near, the even one.
    double rounded() const {
        double sum = 0.0;
        double dropped = 0.0;
        std::size_t left = parts_.size();
        while (left > 0 && dropped == 0.0) {
            const double part = parts_[--left];
            const double before = std::exchange(sum, sum + part);
            dropped = part - (sum - before);
        }
        // If half a unit was dropped, the parts below decide which way: with it, or against it as rounded.
        const bool same_way = left > 0 && (parts_[left - 1] < 0.0) == (dropped < 0.0);
        const double further = sum + 2.0 * dropped;
        return same_way && further - sum == 2.0 * dropped ? further : sum;
    }

  private:
    std::vector<double> parts_;
};

}  // namespace foliation
