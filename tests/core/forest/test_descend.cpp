// Every row reaches one leaf of every tree, tree after tree, in blocks of any size.
#include <mutex>

#include "core/forest/descend.h"
#include "tests/core/check.h"
#include "tests/core/make.h"
#include "tests/core/make_trees.h"

using namespace foliation;

namespace {

void test(const AxisTrees& stored, std::size_t n_rows, int n_threads) {
    const std::vector<double> x = normals(n_rows, 2 * n_rows);
    const Dictionary dictionary{{Axis{2}}, {1.0}, 2};
    const Trees trees = stored.trees();
    const std::vector<FixedPoint> fixed = fixed_points(dictionary, 10.0);
    const Router router{dictionary, fixed, trees, newest_isa(), n_threads};
    std::vector<std::int64_t> n_reached(n_rows, 0);
    std::mutex mutex;
    Monitor monitor;
    descend(router, row_major(x, 2), monitor, [&](const ReachedLeaves& reached) {
        const std::lock_guard lock(mutex);
        for (std::int64_t row = 0; row < reached.n_rows; ++row)
            for (std::int64_t tree = 0; tree < reached.n_trees; ++tree) {
                const auto at = static_cast<std::size_t>(reached.first_row + row);
                CHECK(n_reached[at]++ == reached.first_tree + tree);
                CHECK(reached.leaf[row * reached.n_trees + tree] ==
                      stored.leaf_of(static_cast<std::size_t>(reached.first_tree + tree), x.data() + 2 * at));
            }
    });
    CHECK(n_reached == std::vector<std::int64_t>(n_rows, trees.n_trees()));
}

// A chain of splits along the first feature.
AxisTrees with_chain(std::int32_t length) {
    AxisTrees trees = three_trees();
    std::vector<AxisSplit> splits;
    for (std::int32_t s = 0; s < length; ++s)
        splits.push_back({0, -2.0 + 4.0 * s / length, ~s, s + 1 < length ? s + 1 : ~length});
    trees.add(splits);
    return trees;
}

void test_are_many() {
    const AxisTrees stored = with_chain(96);  // 100 splits in 4 trees
    const Dictionary dictionary{{Axis{2}}, {1.0}, 2};
    const Trees trees = stored.trees();
    const Router router{dictionary, {}, trees};
    const std::vector<double> x(200);
    CHECK(!are_many(router, row_major(x, 2).from_row(0, 12)) &&
          are_many(router, row_major(x, 2).from_row(0, 13)));
}

}  // namespace

int main() {
    for (const std::size_t n_rows : {1U, 7U, 8U, 100U, 1100U})
        for (const int n_threads : {1, 3}) {
            test(three_trees(), n_rows, n_threads);
            test(with_chain(500), n_rows, n_threads);
        }
    AxisTrees many;  // more than a row goes down at a time
    for (int k = 0; k < 300; ++k) many.add({{k % 2, 0.01 * k - 1.5, ~0, ~1}});
    test(many, 3, 1);
    test_are_many();
}
