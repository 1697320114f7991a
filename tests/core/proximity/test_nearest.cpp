// The nearest of many that are offered, against sorting all of them.
#include "core/proximity/nearest.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::size_t kTrees = 10;

// Offers every row that shares a tree, in any order; many are equally near.
void test(std::size_t n_rows, std::size_t k, std::int64_t left_out) {
    const auto shared = whole_numbers<std::int32_t>(n_rows + k, n_rows, 0, kTrees);
    std::vector<std::int32_t> order = first_rows(n_rows);
    Rng rng(3);
    for (std::size_t i = n_rows; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    std::vector<Near> expected;
    Nearest nearest(k, kTrees);
    nearest.begin(-1);
    nearest.offer({1.0, 0});  // is forgotten
    nearest.begin(left_out);
    for (const std::int32_t row : order) {
        const std::int32_t n_shared = shared[static_cast<std::size_t>(row)];
        if (row != left_out) expected.push_back({n_shared / 10.0, row});
        if (n_shared > 0) nearest.offer(Near{n_shared / 10.0, row});
    }
    std::sort(expected.begin(), expected.end(), [](const Near& a, const Near& b) {
        return a.proximity > b.proximity || (a.proximity == b.proximity && a.row < b.row);
    });
    CHECK(static_cast<double>(nearest.fewest()) <= 10.0 * expected[k - 1].proximity + 0.5);
    std::vector<double> proximity(k);
    std::vector<std::int64_t> neighbor(k);
    nearest.write(proximity.data(), neighbor.data());
    for (std::size_t i = 0; i < k; ++i)
        CHECK(proximity[i] == expected[i].proximity && neighbor[i] == expected[i].row);
}

}  // namespace

int main() {
    for (const std::size_t n_rows : {2U, 10U, 100U, 1000U})
        for (const std::size_t k : {std::size_t{1}, n_rows / 2, n_rows - 1})
            for (const std::int64_t left_out :
                 {std::int64_t{-1}, std::int64_t{0}, static_cast<std::int64_t>(n_rows) - 1})
                test(n_rows, k, left_out);
}
