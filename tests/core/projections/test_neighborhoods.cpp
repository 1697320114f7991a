// Neighborhoods of a graph against distances by relaxation.
#include <algorithm>

#include "core/projections/neighborhoods.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kSide = 4, kFeatures = kSide * kSide + 1, kFar = 100;

bool adjacent(std::int32_t a, std::int32_t b) {  // a grid, and a last feature by itself
    if (std::max(a, b) == kFeatures - 1) return false;
    return std::abs(a / kSide - b / kSide) + std::abs(a % kSide - b % kSide) == 1;
}

Neighborhoods make(std::int32_t lo, std::int32_t hi, bool connected_part, Weights weights) {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> neighbors;
    for (std::int32_t a = 0; a < kFeatures; ++a) {
        for (std::int32_t b = 0; b < kFeatures; ++b)
            if (adjacent(a, b)) neighbors.push_back(b);
        start.push_back(std::ssize(neighbors));
    }
    return Neighborhoods::make(start, neighbors, {lo, hi}, connected_part, weights);
}

// Hops from the seed, through these features only.
std::vector<std::int32_t> distances(std::int32_t seed, const std::vector<std::int32_t>& ids) {
    std::vector<std::int32_t> hops(kFeatures, kFar);
    hops[static_cast<std::size_t>(seed)] = 0;
    for (std::int32_t round = 0; round < kFeatures; ++round)
        for (const std::int32_t a : ids)
            for (const std::int32_t b : ids)
                if (adjacent(a, b))
                    hops[static_cast<std::size_t>(a)] =
                        std::min(hops[static_cast<std::size_t>(a)], hops[static_cast<std::size_t>(b)] + 1);
    return hops;
}

void test_hops() {
    const Neighborhoods family = make(0, 3, false, Weights::ones);
    const auto all = first_rows(kFeatures);
    Scratch scratch;
    for (std::int32_t seed = 0; seed < kFeatures; ++seed)
        for (std::int32_t n_hops = 0; n_hops <= 3; ++n_hops) {
            Terms terms;
            const std::vector<std::int32_t> words{seed, n_hops};
            CHECK(family.holds(words));
            family.expand(words, scratch, terms);
            std::sort(terms.ids.begin(), terms.ids.end());
            CHECK(family.most_terms(words) >= std::ssize(terms.ids));
            const auto hops = distances(seed, all);
            std::vector<std::int32_t> expected;
            for (const std::int32_t id : all)
                if (hops[static_cast<std::size_t>(id)] <= n_hops) expected.push_back(id);
            CHECK(terms.ids == expected);
            CHECK(terms.weights == std::vector<double>(expected.size(), 1.0));
        }
}

// Parts are connected, as large as they should be, and weighted by the ways within them.
void test_parts() {
    const Neighborhoods family = make(1, 9, true, Weights::gaussian);
    Rng rng(1);
    Scratch scratch;
    for (int k = 0; k < 300; ++k) {
        std::vector<std::int32_t> words;
        CHECK(family.draw(rng, scratch, words) && family.holds(words));
        Terms terms, again;
        family.expand(words, scratch, terms);
        family.expand(words, scratch, again);
        CHECK(terms.ids == again.ids && terms.weights == again.weights);
        CHECK(family.most_terms(words) >= std::ssize(terms.ids));
        CHECK(std::ssize(terms.ids) == (words[0] == kFeatures - 1 ? 1 : words[1]));
        const auto hops = distances(words[0], terms.ids);
        for (std::size_t t = 0; t < terms.ids.size(); ++t) {
            const std::int32_t distance = hops[static_cast<std::size_t>(terms.ids[t])];
            CHECK(distance < kFar);
            CHECK(std::abs(terms.weights[t] - std::exp(-0.5 * distance * distance)) <= 0x1.0p-20);
        }
    }
}

// No more than the edges that lead from what is reached, nor than all of them.
void test_most_terms() {
    constexpr std::int64_t kEdges = 2 * 2 * kSide * (kSide - 1);
    const Neighborhoods hops = make(0, 1 << 30, false, Weights::ones);
    const auto most = [&](std::int32_t n) { return hops.most_terms(std::vector{0, n}); };
    CHECK(most(0) == 1 && most(1) == 1 + 4 && most(2) == 1 + 4 + 16 && most(1 << 30) == 1 + kEdges);
    const Neighborhoods part = make(1, 9, true, Weights::ones);
    CHECK(part.most_terms(std::vector{0, 2, 0, 0}) == 1 + 8);
    CHECK(part.most_terms(std::vector{0, 17, 0, 0}) == 1 + kEdges);
    const Neighborhoods pairs = Neighborhoods::make({0, 1, 2}, {1, 0}, {1, 1 << 30}, false, Weights::ones);
    CHECK(pairs.most_terms(std::vector{0, 1 << 30}) == 2);
}

// All of a path from its end is far away by hops; the ways of a part are found in one pass.
void test_a_long_path() {
    constexpr std::int32_t kLong = 200'000;
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> neighbors;
    for (std::int32_t id = 0; id < kLong; ++id) {
        if (id > 0) neighbors.push_back(id - 1);
        if (id + 1 < kLong) neighbors.push_back(id + 1);
        start.push_back(std::ssize(neighbors));
    }
    const auto path = Neighborhoods::make(start, neighbors, {kLong, kLong}, true, Weights::gaussian);
    Scratch scratch;
    Terms terms;
    path.expand(std::vector{kLong / 2, kLong, 3, 4}, scratch, terms);
    CHECK(terms.ids.size() == kLong);
    for (std::size_t t = 0; t < terms.ids.size(); ++t)
        CHECK((terms.weights[t] > 0.5) == (std::abs(terms.ids[t] - kLong / 2) <= 1));
}

}  // namespace

int main() {
    test_hops();
    test_parts();
    test_most_terms();
    test_a_long_path();
    const Neighborhoods family = make(1, 2, false, Weights::ones);
    CHECK(!family.has_seed() && make(1, 2, false, Weights::signs).has_seed());
    for (const std::vector<std::int32_t>& words :
         {std::vector<std::int32_t>{0}, {0, 0}, {0, 3}, {-1, 1}, {kFeatures, 1}, {0, 1, 5, 5}})
        CHECK(!family.holds(words));
}
