// Which cut replaces another.
#include <limits>

#include "core/cuts/best_cut.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

// A node of weight 10 whose left side has a weight and a gain.
struct Gains {
    struct Left {
        double weight = 0.0;
        double gain = 0.0;
    };
    double weight() const { return 10.0; }
    double impurity() const { return 1.0; }
    double gain(const Left& left) const { return left.gain; }
    bool cannot_beat(const Left& left, double bound) const { return !(left.gain > bound); }
};

void test_goes_left() {
    CHECK(goes_left(1.0, 1.0) && goes_left(0.5, 1.0) && !goes_left(1.5, 1.0));
    CHECK(!goes_left(std::numeric_limits<double>::quiet_NaN(), 1.0));
    CHECK(goes_left(std::int32_t{-3}, -3) && !goes_left(std::int32_t{-2}, -3));
}

void test_only_a_larger_gain_replaces() {
    BestCut best{Limits{}};
    best.begin(Cut{}, 4, 1.0);
    best.consider(Gains(), {5.0, 0.2}, 2, [] { return 7.0; });
    CHECK(best.cut().found && best.cut().threshold == 7.0 && best.cut().gain == 0.2);
    best.consider(Gains(), {5.0, 0.2 + 0.5 * kTie}, 2, [] { return 8.0; });  // a rounding error
    CHECK(best.cut().threshold == 7.0);
    best.consider(Gains(), {5.0, 0.2 + 2.0 * kTie}, 2, [] { return 9.0; });
    CHECK(best.cut().threshold == 9.0);
}

void test_limits_hold() {
    Limits limits;
    limits.min_samples_leaf = 2;
    limits.min_weight_fraction_leaf = 0.1;
    BestCut best(limits);
    best.begin_tree(20.0);
    best.begin(Cut{}, 4, 1.0);
    CHECK(best.least_weight(Gains()) == 2.0);
    best.consider(Gains(), {5.0, 1.0}, 1, [] { return 1.0; });
    best.consider(Gains(), {5.0, 1.0}, 3, [] { return 1.0; });
    best.consider(Gains(), {1.9, 1.0}, 2, [] { return 1.0; });
    best.consider(Gains(), {8.1, 1.0}, 2, [] { return 1.0; });
    CHECK(!best.cut().found);
    best.consider(Gains(), {2.0, 1.0}, 2, [] { return 1.0; });
    CHECK(best.cut().found);
}

}  // namespace

int main() {
    test_goes_left();
    test_only_a_larger_gain_replaces();
    test_limits_hold();
}
