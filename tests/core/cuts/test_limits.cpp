#include "core/cuts/limits.h"
#include "tests/core/check.h"

using foliation::Limits;

namespace {

void test_may_split() {
    Limits limits;
    CHECK(limits.may_split(1000000, 2) && !limits.may_split(0, 1));
    limits.max_depth = 3;
    CHECK(limits.may_split(2, 2) && !limits.may_split(3, 2));
    limits.min_samples_split = 10;
    CHECK(limits.may_split(0, 10) && !limits.may_split(0, 9));
    limits.min_samples_leaf = 6;
    CHECK(limits.may_split(0, 12) && !limits.may_split(0, 11));
}

void test_legal() {
    Limits limits;
    CHECK(limits.legal(1, 1, 0.1, 0.1, 0.0));
    CHECK(!limits.legal(1, 1, 0.0, 1.0, 0.0) && !limits.legal(1, 1, 1.0, 0.0, 0.0));  // no weight
    CHECK(!limits.legal(0, 1, 1.0, 1.0, 0.0) && !limits.legal(1, 0, 1.0, 1.0, 0.0));
    CHECK(limits.legal(1, 1, 2.0, 2.0, 2.0) && !limits.legal(1, 1, 1.9, 2.0, 2.0));
    CHECK(!limits.legal(1, 1, 2.0, 1.9, 2.0));
    limits.min_samples_leaf = 5;
    CHECK(limits.legal(5, 5, 1.0, 1.0, 0.0) && !limits.legal(4, 5, 1.0, 1.0, 0.0));
    CHECK(!limits.legal(5, 4, 1.0, 1.0, 0.0));
}

// A side that weighs exactly the least share is legal, whatever its product is rounded to.
void test_balance() {
    for (int n = 2; n <= 300; ++n)
        for (int k = 1; 2 * k <= n; ++k) {
            Limits limits;
            limits.min_balance = static_cast<double>(k) / n;
            const double least = limits.least_weight(1e9, n);
            CHECK(limits.legal(k, n - k, k, n - k, least));
            if (k > 1) CHECK(!limits.legal(k - 1, n - k + 1, k - 1, n - k + 1, least));
        }
    Limits both;
    both.min_balance = 0.1;
    both.min_weight_fraction_leaf = 0.25;
    CHECK(both.least_weight(8.0, 4.0) == 2.0 && both.least_weight(8.0, 400.0) > 39.9);
}

void test_worth() {
    Limits limits;
    CHECK(limits.worth(-1.0, 0.0, 100.0));  // any cut will do
    limits.min_impurity_decrease = 0.01;
    CHECK(limits.worth(1.0, 0.0, 100.0) && !limits.worth(0.99, 0.0, 100.0) &&
          limits.worth(0.99, 0.02, 100.0));
}

}  // namespace

int main() {
    test_may_split();
    test_legal();
    test_balance();
    test_worth();
}
