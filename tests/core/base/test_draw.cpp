#include <map>

#include "core/base/draw.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

void test_index() {
    const std::vector<double> cumulative{0.25, 0.25, 1.0};  // the second has no probability
    CHECK(draw_index(cumulative, 0.0) == 0 && draw_index(cumulative, 0.2499) == 0);
    CHECK(draw_index(cumulative, 0.25) == 2 && draw_index(cumulative, 0.9999) == 2);
    CHECK(draw_index({0.5, 0.9999}, 0.99999) == 1);  // sums may miss one by a rounding error
    CHECK(draw_index({1.0}, 0.5) == 0);
}

// Sorting by bits and by comparing give the same, also at the ends of words.
void test_sort() {
    Rng rng(1);
    for (const std::int32_t n : {1, 63, 64, 65, 128, 5000})
        for (const std::int32_t count : {1, 31, 32, 33, 64, 127}) {
            IdScratch scratch;
            scratch.begin_set(static_cast<std::size_t>(n));
            scratch.insert(n - 1);
            scratch.ids.push_back(n - 1);
            for (std::int32_t k = 1; k < count; ++k)
                if (const std::int32_t id = rng.between(0, n - 1); scratch.insert(id))
                    scratch.ids.push_back(id);
            std::vector<std::int32_t> expected = scratch.ids;
            std::sort(expected.begin(), expected.end());
            sort_ids(n, scratch);
            CHECK(scratch.ids == expected);
        }
}

void test_subset_is_uniform() {
    Rng rng(2);
    IdScratch scratch;
    std::map<std::vector<std::int32_t>, double> counts;
    for (int k = 0; k < 10000; ++k) {
        draw_subset(rng, 5, 2, scratch);
        CHECK(scratch.ids.size() == 2 && 0 <= scratch.ids[0] && scratch.ids[0] < scratch.ids[1] &&
              scratch.ids[1] < 5);
        counts[scratch.ids] += 1.0;
    }
    CHECK(counts.size() == 10);
    double chi_square = 0.0;
    for (const auto& [subset, count] : counts) chi_square += (count - 1e3) * (count - 1e3) / 1e3;
    CHECK(chi_square < 33.7);  // 9 degrees of freedom, p = 1e-4
    draw_subset(rng, 40, 40, scratch);
    for (std::int32_t id = 0; id < 40; ++id) CHECK(scratch.ids[static_cast<std::size_t>(id)] == id);
    draw_subset(rng, 40, 0, scratch);
    CHECK(scratch.ids.empty());
}

// A set forgets the one before it, also when the counter of rounds starts again.
void test_sets() {
    IdScratch scratch;
    scratch.begin_set(4);
    CHECK(scratch.insert(3) && !scratch.insert(3));
    scratch.round = ~std::uint32_t{0};
    scratch.seen[2] = 1;
    scratch.begin_set(6);
    CHECK(scratch.insert(3) && scratch.insert(2) && scratch.insert(5) && !scratch.insert(5));
}

}  // namespace

int main() {
    test_index();
    test_sort();
    test_subset_is_uniform();
    test_sets();
}
