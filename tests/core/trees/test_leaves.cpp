// Values of leaves against sums over their samples.
#include <algorithm>

#include "core/trees/leaves.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kClasses = 5, kLeaves = 8;

void test_fill(bool classification) {
    const NodeData data = make_node(1, 40, kClasses, false);
    std::vector<std::int32_t> leaf_of = whole_numbers<std::int32_t>(2, 40, 0, kLeaves - 1);
    for (std::int32_t& leaf : leaf_of) leaf = leaf == 3 ? 4 : leaf;  // nothing arrives at leaf 3
    const std::int32_t n_columns = classification ? kClasses : 1;
    const Leaves leaves = fill_leaves(classification ? data.class_targets(kClasses) : data.value_targets(),
                                      data.node(), leaf_of, kLeaves);
    CHECK(leaves.start.size() == kLeaves + 1 && leaves.weight.size() == kLeaves);
    for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
        double weight = 0.0;
        std::vector<double> sums(static_cast<std::size_t>(n_columns), 0.0);
        for (std::size_t i = 0; i < 40; ++i) {
            if (leaf_of[i] != static_cast<std::int32_t>(leaf)) continue;
            weight += data.weights[i];
            if (classification) sums[static_cast<std::size_t>(data.classes[i])] += data.weights[i];
            if (!classification) sums[0] += data.weights[i] * data.values[i];
        }
        CHECK(close(leaves.weight[leaf], weight));
        const auto begin = static_cast<std::size_t>(leaves.start[leaf]);
        const auto end = static_cast<std::size_t>(leaves.start[leaf + 1]);
        CHECK((begin == end) == (leaf == 3));
        std::size_t n_found = 0;
        for (std::size_t e = begin; e < end; ++e) {
            CHECK(e == begin || leaves.column[e - 1] < leaves.column[e]);
            const double sum = sums[static_cast<std::size_t>(leaves.column[e])];
            CHECK(close(leaves.value[e], sum / weight));
            n_found += 1;
        }
        const auto is_there = [](double sum) { return sum != 0.0; };
        CHECK(static_cast<std::ptrdiff_t>(n_found) == std::count_if(sums.begin(), sums.end(), is_there));
    }
}

void test_sums() {
    LeafSums sums(4);
    Leaves leaves;
    sums.add(3, 1.0);
    sums.add(0, 2.0);
    sums.add(3, 0.5);
    sums.push_to(leaves, 7.0, [](double sum) { return 10.0 * sum; });
    CHECK(leaves.column == std::vector({0, 3}) && leaves.value == std::vector({20.0, 15.0}));
    Leaves half;
    sums.push_to(half, 0.0, [](double sum) { return sum; });  // what was pushed is forgotten
    CHECK(half.value.empty());
    sums.add_leaf(leaves, 0, 0.5);
    sums.push_to(half, 3.0, [](double sum) { return sum; });
    CHECK(half.column == std::vector({0, 3}) && half.value == std::vector({10.0, 7.5}));
    CHECK(half.start == std::vector<std::int64_t>({0, 0, 2}) && half.weight == std::vector({0.0, 3.0}));
}

}  // namespace

int main() {
    test_fill(true);
    test_fill(false);
    test_sums();
}
