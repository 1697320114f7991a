#include "core/projections/sparse.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

void test_poisson(double rate) {
    const PoissonCumulative all = poisson_cumulative(rate, 1 << 30);
    double sum = 0.0;
    for (std::size_t k = 0; k < all.first + all.p.size(); ++k) {
        const auto number = static_cast<double>(k);
        sum += std::exp(number * std::log(rate) - rate - std::lgamma(number + 1.0));
        CHECK(std::abs((k < all.first ? 0.0 : all.p[k - all.first]) - sum) < 1e-10);
    }
    CHECK(all.p.back() == 1.0);
}

void test_draws(Weights weights) {
    const std::vector<std::int32_t> features{2, 3, 5, 7, 11, 13, 17, 19};
    const Sparse sparse = Sparse::make(20, 2.5, weights, features);
    Rng rng(1);
    Scratch scratch;
    double n_terms = 0.0, sum = 0.0;
    for (int k = 0; k < 5000; ++k) {
        std::vector<std::int32_t> words;
        CHECK(sparse.draw(rng, scratch, words) && sparse.holds(words));
        Terms terms;
        sparse.expand(words, scratch, terms);
        CHECK(std::is_sorted(terms.ids.begin(), terms.ids.end()) && !terms.ids.empty());
        for (const std::int32_t id : terms.ids) CHECK(std::ranges::find(features, id) != features.end());
        for (const double weight : terms.weights) {
            if (weights == Weights::signs) CHECK(std::abs(weight) == 1.0);
            if (weights == Weights::uniform) CHECK(std::abs(weight) > 0.0 && std::abs(weight) < 1.0);
            sum += weight;
        }
        n_terms += static_cast<double>(terms.ids.size());
    }
    CHECK(std::abs(n_terms / 5000.0 - (2.5 + std::exp(-2.5))) < 0.1);  // one instead of none
    CHECK(std::abs(sum) < 5.0 * std::sqrt(n_terms));
}

void test_most() {
    const Sparse sparse(6, 1e4, Weights::signs);
    Rng rng(2);
    Scratch scratch;
    std::vector<std::int32_t> words;
    sparse.draw(rng, scratch, words);
    CHECK(words.size() == 6);
}

void test_holds() {
    const Sparse signs(6, 2.0, Weights::signs), normal(6, 2.0, Weights::normal);
    CHECK(signs.holds(std::vector{0, ~2, 5}));
    for (const std::vector<std::int32_t>& words :
         {std::vector<std::int32_t>{}, {6}, {~6}, {2, 1}, {2, ~2}, {0, 0}})
        CHECK(!signs.holds(words));
    const auto holds = [&](std::int32_t id, float weight) {
        return normal.holds(std::vector{id, std::bit_cast<std::int32_t>(weight)});
    };
    CHECK(holds(0, 0.5F) && holds(5, -2.0F));
    CHECK(!holds(6, 0.5F) && !holds(-1, 0.5F) && !holds(0, 0.0F) && !holds(0, NAN) && !holds(0, INFINITY));
    CHECK(!normal.holds(std::vector{0}));
}

}  // namespace

int main() {
    for (const double rate : {0.01, 0.5, 3.0, 40.0, 2000.0}) test_poisson(rate);
    for (const Weights weights : {Weights::signs, Weights::uniform, Weights::normal}) test_draws(weights);
    test_most();
    test_holds();
}
