// Cuts whose purity passes a bound, against all cuts worked out one by one.
#include <algorithm>

#include "core/criteria/few_rows.h"
#include "tests/core/criteria/check_gains.h"

using namespace foliation;

namespace {

struct Purity {
    double weight = 0.0, squares = 0.0, squares_beyond = 0.0, purity = 0.0;
};

template <class V>
Purity behind(const NodeData& data, const std::vector<V>& values, V threshold, std::size_t n_classes) {
    Slots left, right;
    for (std::size_t i = 0; i < values.size(); ++i) (values[i] <= threshold ? left : right).push_back(i);
    Purity found;
    double beyond = 0.0;
    for (const double w : class_weights(data, left, n_classes)) found.weight += w, found.squares += w * w;
    for (const double w : class_weights(data, right, n_classes)) beyond += w, found.squares_beyond += w * w;
    found.purity = beyond > 0.0 ? found.squares / found.weight + found.squares_beyond / beyond : 0.0;
    return found;
}

template <class V>
void test(std::size_t n, std::int32_t n_classes, V lo, V hi) {
    const NodeData data = make_node(n, n, n_classes, true);
    const std::vector<V> values = whole_numbers<V>(n + 1, n, lo, hi);
    FewRows rows;
    const auto k_classes = static_cast<std::size_t>(n_classes);
    Slots all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    rows.read(data.classes, data.weights, class_weights(data, all, k_classes));
    CHECK(!rows.empty());
    std::vector<double> purities;
    for (const V value : values) purities.push_back(behind(data, values, value, k_classes).purity);
    std::vector<double> sorted = purities;
    std::sort(sorted.rbegin(), sorted.rend());
    for (const std::size_t rank : {std::size_t{0}, std::min<std::size_t>(4, n - 1), n - 1}) {
        const double bound = sorted[rank] - 1e-7;
        const auto expected = static_cast<std::size_t>(
            std::count_if(purities.begin(), purities.end(), [&](double p) { return p > 0.0 && p > bound; }));
        for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
            std::array<FewRows::Cut, FewRows::kMostCuts> cuts;
            CHECK(rows.find_cuts<V>(values, lo, bound, static_cast<Isa>(isa), cuts) == expected);
            for (std::size_t k = 0; k < expected && expected <= cuts.size(); ++k) {
                const Purity own = behind(data, values, values[cuts[k].slot], k_classes);
                CHECK(cuts[k].weight == own.weight && cuts[k].squares == own.squares);
                CHECK(cuts[k].squares_beyond == own.squares_beyond && own.purity > bound);
                CHECK(k == 0 || values[cuts[k - 1].slot] <= values[cuts[k].slot]);
            }
        }
    }
}

bool readable(std::size_t n, double last_weight) {
    NodeData data = make_node(1, n, 2, true);
    data.weights.assign(n, 1.0);
    data.weights.back() = last_weight;
    Slots all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    FewRows rows;
    rows.read(data.classes, data.weights, class_weights(data, all, 2));
    return !rows.empty();
}

}  // namespace

int main() {
    for (const std::size_t n : {2U, 3U, 15U, 16U, 17U, 80U, 96U})
        for (const std::int32_t n_classes : {2, 5, 100}) {
            test<std::int16_t>(n, n_classes, -20, 20);
            test<std::int16_t>(n, n_classes, -32768, 32767);
            test<std::int32_t>(n, n_classes, 1 << 20, (1 << 20) + 65535);
        }
    CHECK(readable(96, 1.0) && !readable(97, 1.0));
    CHECK(readable(10, 246.0) && !readable(10, 247.0) && !readable(10, 1.5));
}
