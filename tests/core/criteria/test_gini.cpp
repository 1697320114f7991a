#include "core/criteria/gini.h"
#include "tests/core/check.h"
#include "tests/core/criteria/impurities.h"
#include "tests/core/make.h"

using foliation::Gini;

namespace {

double total(const std::vector<double>& weights) {
    double squares = 0.0;
    for (const double w : weights) squares += Gini().term(w);
    return Gini().total(std::accumulate(weights.begin(), weights.end(), 0.0), squares, 1.0);
}

// A cut is ruled out if its purity is smaller by more than a rounding error, and never if it passes.
void test_cannot_beat() {
    foliation::Rng rng(1);
    for (int k = 0; k < 1000; ++k) {
        const double left = 1.0 + 100.0 * rng.uniform(), right = 1.0 + 100.0 * rng.uniform();
        const Gini::Side a{left, left * left * rng.uniform()}, b{right, right * right * rng.uniform()};
        const double purity = a.squares / left + b.squares / right;
        CHECK(!Gini().cannot_beat(a, b, purity * (1.0 - 1e-13), left + right));
        CHECK(Gini().cannot_beat(a, b, purity + 1e-9, left + right));
    }
}

}  // namespace

int main() {
    for (const std::vector<double>& weights :
         {std::vector<double>{1.0, 1.0}, {3.0, 0.0}, {2.0, 5.0, 0.25}, {1e6, 1.0, 1.0, 1.0}})
        CHECK(close(total(weights), gini_of(weights), 1e-10));
    CHECK(total({0.0, 0.0}) == 0.0 && total({7.0, 0.0}) == 0.0 && total({2.0, 2.0}) == 2.0);
    CHECK(Gini().change(3.0, 2.0) == 25.0 - 9.0 && Gini().change(0.0, 2.0) == 4.0);
    test_cannot_beat();
}
