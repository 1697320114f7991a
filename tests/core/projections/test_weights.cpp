#include "core/projections/weights.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

bool is_multiple(double weight) { return std::rint(weight * 0x1.0p20) == weight * 0x1.0p20; }

void test_draws() {
    Rng rng(1);
    bool low = false, high = false;
    for (int k = 0; k < 20000; ++k) {
        CHECK(std::abs(draw_weight(Weights::signs, rng)) == 1.0);
        const double uniform = draw_weight(Weights::uniform, rng);
        CHECK(uniform > 0.0 && uniform < 1.0 && is_multiple(uniform));
        low = low || uniform < 0.001;
        high = high || uniform > 0.999;
        const double normal = draw_weight(Weights::normal, rng);
        CHECK(normal != 0.0 && is_multiple(normal));
    }
    CHECK(low && high);
    for (const Weights weights : {Weights::ones, Weights::gaussian}) {
        const Rng before = rng;
        CHECK(draw_weight(weights, rng) == 1.0 && !drawn(weights));
        CHECK(Rng(before).next() == Rng(rng).next());  // nothing was drawn
    }
    CHECK(drawn(Weights::signs) && drawn(Weights::uniform) && drawn(Weights::normal));
}

// The smallest and the largest draw are still between 0 and 1.
void test_ends_of_uniform() {
    const auto key_of = [](std::uint64_t leading_bits) {
        for (std::uint64_t key = 0;; ++key)
            if (Rng(key).next() >> 44 == leading_bits) return key;
    };
    Rng smallest(key_of(0)), largest(key_of((1U << 20) - 1));
    CHECK(open_uniform(smallest) == 0x1.0p-20 && open_uniform(largest) == 1.0 - 0x1.0p-20);
}

void test_coarse() {
    Rng rng(2);
    for (int k = 0; k < 1000; ++k) {
        const double weight = rng.normal();
        CHECK(is_multiple(coarse(weight)) && std::abs(coarse(weight) - weight) <= 0x1.0p-20);
    }
    CHECK(coarse(0.0) == 0x1.0p-20 && coarse(1e-30) == 0x1.0p-20 && coarse(-3.0) == -3.0);
}

}  // namespace

int main() {
    test_draws();
    test_ends_of_uniform();
    test_coarse();
    for (const std::uint64_t seed :
         {0ULL, 1ULL, 0x80000000ULL, 0xffffffffULL, 0x8000000000000000ULL, ~0ULL, 0x123456789abcdef0ULL}) {
        std::vector<std::int32_t> words{7};
        push_seed(words, seed);
        CHECK(words.size() == 3 && words[0] == 7 && seed_at(words, 1) == seed);
    }
}
