// Merged terms are the same vector, with each feature once.
#include "core/projections/atoms.h"
#include "core/projections/terms.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

Terms merged_terms(std::vector<std::int32_t> ids, std::vector<double> weights) {
    return merged({std::move(ids), std::move(weights)}, Scratch());
}

void test_weights_of_a_feature_are_added() {
    const Terms terms = merged_terms({3, 1, 3, 1, 0}, {1.0, 2.0, -1.0, 3.0, 0.5});
    CHECK(terms.ids == std::vector({0, 1}) && terms.weights == std::vector({0.5, 5.0}));
}

void test_a_sum_stays_as_it_is() {
    const Terms terms = merged_terms({1, 4, 7}, {0.5, -1.0, 2.0});
    CHECK(terms.ids == std::vector({1, 4, 7}) && terms.weights == std::vector({0.5, -1.0, 2.0}));
    CHECK(merged_terms({}, {}).ids.empty());
    CHECK(merged_terms({1, 4}, {0.0, 1.0}).ids == std::vector({4}));
}

// More terms than are sorted together, against a sum by features.
void test_many_terms() {
    constexpr std::int32_t kTerms = 3 * kCheckedTogether + 17, kIds = 50'000;
    std::vector<std::int32_t> ids;
    std::vector<double> weights, sums(kIds, 0.0);
    Rng rng(1);
    for (std::int32_t k = 0; k < kTerms; ++k) {
        ids.push_back(static_cast<std::int32_t>(rng.below(kIds)));
        weights.push_back(rng.uniform() - 0.5);
        sums[static_cast<std::size_t>(ids.back())] += weights.back();
    }
    const Terms terms = merged_terms(ids, weights);
    CHECK(std::is_sorted(terms.ids.begin(), terms.ids.end()));
    for (std::size_t t = 0; t < terms.ids.size(); ++t)
        CHECK(terms.weights[t] == sums[static_cast<std::size_t>(terms.ids[t])]);
    CHECK(std::ssize(terms.ids) == kIds - std::count(sums.begin(), sums.end(), 0.0));
}

}  // namespace

int main() {
    test_weights_of_a_feature_are_added();
    test_a_sum_stays_as_it_is();
    test_many_terms();
}
