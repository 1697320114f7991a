#include "core/criteria/entropy.h"
#include "tests/core/check.h"
#include "tests/core/criteria/impurities.h"
#include "tests/core/make.h"

using foliation::Entropy;

namespace {

double total(const Entropy& entropy, const std::vector<double>& weights) {
    double logs = 0.0;
    for (const double w : weights) logs += entropy.term(w);
    return entropy.total(std::accumulate(weights.begin(), weights.end(), 0.0), logs, 1.0);
}

}  // namespace

int main() {
    const Entropy without;
    Entropy with;
    with.prepare(10.0);
    with.prepare(200000.0);  // more than the table holds
    with.prepare(3.0);
    for (const double weight : {0.0, 1.0, 2.0, 10.0, 10.5, 0.125, 65536.0, 65537.0, 200000.0})
        CHECK(with.term(weight) == without.term(weight));
    for (const std::vector<double>& weights :
         {std::vector<double>{1.0, 1.0}, {3.0, 0.0}, {2.0, 5.0, 0.25}, {199990.0, 9.0, 1.0}})
        for (const Entropy& entropy : {without, with})
            CHECK(close(total(entropy, weights), entropy_of(weights), 1e-10));
    CHECK(close(total(with, {4.0, 4.0}), 8.0));  // one bit for each
    CHECK(total(with, {7.0, 0.0}) == 0.0 && total(with, {0.0, 0.0}) == 0.0);
    CHECK(close(with.term(5.0) - with.term(3.0), 5.0 * std::log(5.0) - 3.0 * std::log(3.0)));
}
