// Thresholds ascend and part the values; each value is in the bin behind the thresholds below it.
#include "core/cuts/thresholds.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

template <class V>
void test(const std::vector<V>& values) {
    const Range<V> range = range_of<V>(values, newest_isa());
    Thresholds<V> thresholds(newest_isa());
    Rng rng(1);
    CHECK(thresholds.sample(values, range, rng));
    CHECK(thresholds.size() > 100 && thresholds.size() < Thresholds<V>::kBins);
    CHECK(thresholds[0] >= static_cast<double>(range.lo));
    CHECK(thresholds[thresholds.size() - 1] < static_cast<double>(range.hi));
    for (std::size_t k = 1; k < thresholds.size(); ++k) CHECK(thresholds[k - 1] < thresholds[k]);
    thresholds.find_bins(values, range);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::size_t n_below = 0;
        for (std::size_t k = 0; k < thresholds.size(); ++k)
            n_below += thresholds[k] < static_cast<double>(values[i]) ? 1 : 0;
        CHECK(thresholds.bins()[i] == n_below);
    }
}

// Numbers of very different size share a cell with many thresholds, or leave no finite range.
std::vector<double> spread(double exponent) {
    std::vector<double> values = normals(2, 3000);
    for (double& value : values) value = std::exp(exponent * value);
    return values;
}

template <class V>
bool enough(std::size_t n, std::int32_t n_distinct) {
    std::vector<V> values = whole_numbers<V>(3, n, 0, n_distinct - 1);
    Thresholds<V> thresholds(newest_isa());
    Rng rng(1);
    return thresholds.sample(values, range_of<V>(values, newest_isa()), rng);
}

}  // namespace

int main() {
    test(whole_numbers<std::int16_t>(1, 5000, -20000, 20000));
    test(whole_numbers<std::int32_t>(1, 800, -2000000000, 100));
    test(normals(1, 5000));
    for (const double exponent : {1.0, 3.0, 30.0}) test(spread(exponent));
    std::vector<double> huge = normals(4, 2000);
    for (double& value : huge) value *= 4e307;
    huge[0] = -1.7e308;
    huge[1] = 1.7e308;
    test(huge);
    CHECK(!enough<std::int16_t>(5000, 200) && enough<std::int16_t>(5000, 2000));
    CHECK(!enough<double>(100, 5000) && enough<double>(900, 5000));
}
