// Predictions of trees written by hand, against leaf values added up row by row.
#include "core/forest/predict.h"
#include "tests/core/check.h"
#include "tests/core/make.h"
#include "tests/core/make_trees.h"

using namespace foliation;

namespace {

constexpr std::size_t kRows = 60;

struct Problem {
    AxisTrees stored = three_trees();
    Trees trees = stored.trees();
    Dictionary dictionary{{Axis{2}}, {1.0}, 2};
    std::vector<double> x = normals(1, 2 * kRows);
    Matrix matrix = row_major(x, 2);
    std::vector<FixedPoint> fixed = fixed_points(dictionary, 10.0);
    Router router{dictionary, fixed, trees, newest_isa(), 2};
    // Leaves 1 and 4 are empty; 4 is the only one of the second tree.
    std::vector<std::int64_t> start{0, 2, 2, 3, 5, 5, 6, 7};
    std::vector<std::int32_t> column{0, 1, 1, 0, 1, 0, 1};
    std::vector<double> value{0.5, 0.5, 1.0, 0.25, 0.75, 1.0, 1.0};

    LeafValues values(Combine combine) const { return {start, column, value, 2, combine}; }
    // Over the trees that take part: sums of both columns, and how many trees have a prediction.
    template <class TakesPart>
    std::array<double, 3> sums(std::size_t row, const TakesPart& takes_part) const {
        std::array<double, 3> all{};
        for (std::size_t tree = 0; tree < 3; ++tree) {
            if (!takes_part(tree)) continue;
            const auto leaf =
                static_cast<std::size_t>(stored.leaf_start[tree] + stored.leaf_of(tree, x.data() + 2 * row));
            for (auto e = static_cast<std::size_t>(start[leaf]);
                 e < static_cast<std::size_t>(start[leaf + 1]); ++e)
                all[static_cast<std::size_t>(column[e])] += value[e];
            all[2] += start[leaf] < start[leaf + 1] ? 1.0 : 0.0;
        }
        return all;
    }
};

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void test_means_and_sums(const Problem& problem) {
    Monitor monitor;
    std::vector<double> means(2 * kRows), sums(2 * kRows);
    predict_forest(problem.router, problem.values(Combine::mean), problem.matrix, means.data(), monitor);
    predict_forest(problem.router, problem.values(Combine::sum), problem.matrix, sums.data(), monitor);
    for (std::size_t row = 0; row < kRows; ++row) {
        const auto expected = problem.sums(row, [](std::size_t) { return true; });
        for (std::size_t k = 0; k < 2; ++k)
            CHECK(sums[2 * row + k] == expected[k] && means[2 * row + k] == expected[k] / expected[2]);
    }
}

// A mean over no tree is NaN.
void test_out_of_bag(const Problem& problem) {
    const Sampling sampling(5, kRows, kRows, true, {});
    Monitor monitor;
    std::vector<double> means(2 * kRows);
    predict_out_of_bag(problem.router, problem.values(Combine::mean), problem.matrix, sampling, means.data(),
                       monitor);
    std::size_t n_without = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        const auto expected = problem.sums(row, [&](std::size_t tree) {
            return draw_counts(sampling, static_cast<std::int64_t>(tree))[row] == 0;
        });
        for (std::size_t k = 0; k < 2; ++k) CHECK(same(means[2 * row + k], expected[k] / expected[2]));
        n_without += expected[2] == 0.0 ? 1 : 0;
    }
    CHECK(n_without > 0 && n_without < kRows);
}

}  // namespace

int main() {
    Problem problem;
    test_means_and_sums(problem);
    test_out_of_bag(problem);
    Monitor monitor;
    std::vector<std::int32_t> leaves(3 * kRows, -1);
    apply_forest(problem.router, problem.matrix, leaves.data(), monitor);
    for (std::size_t k = 0; k < leaves.size(); ++k)
        CHECK(leaves[k] == problem.stored.leaf_of(k / kRows, problem.x.data() + 2 * (k % kRows)));
    // Leaves of one value each are added up in a shorter way.
    problem.start = {0, 1, 2, 3, 4, 5, 6, 7};
    test_means_and_sums(problem);
}
