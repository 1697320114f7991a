// Rows go down trees as they do step by step.
#include <limits>

#include "core/trees/route.h"
#include "tests/core/check.h"
#include "tests/core/make.h"
#include "tests/core/make_trees.h"

using namespace foliation;

namespace {

// All rows and trees at once, the words narrow or wide, with a family of its own or in a mixture.
void test_walks(const std::vector<double>& x, bool narrow, bool mixture) {
    const AxisTrees stored = three_trees();
    Trees trees = stored.trees();
    std::vector<std::int32_t> wide;
    for (const std::int32_t word : stored.words)
        wide.insert(wide.end(), mixture ? std::initializer_list<std::int32_t>{1, word}
                                        : std::initializer_list<std::int32_t>{word});
    const std::vector<std::int16_t> narrowed(wide.begin(), wide.end());
    trees.atom_words = std::span<const std::int32_t>(wide);
    if (narrow) trees.atom_words = std::span<const std::int16_t>(narrowed);
    Dictionary dictionary{{Axis{2}}, {1.0}, 2};
    if (mixture) dictionary = {{Sparse(2, 1.0, Weights::signs), Axis{2}}, {0.5, 1.0}, 2};
    const PreparedRows rows{row_major(x, 2), std::vector<IntegralTable>(dictionary.members.size())};
    std::vector<Walk> walks;
    for (std::int64_t row = 0; row < std::ssize(x) / 2; ++row)
        for (std::int64_t tree = 0; tree < 3; ++tree) walks.push_back(start(trees, tree, row));
    CHECK(walks.size() <= kMostWalks);
    Scratch scratch;
    with_evaluator(dictionary, rows, scratch, [&](const auto& value) { walk_all(trees, walks, value); });
    for (std::size_t k = 0; k < walks.size(); ++k)
        CHECK(~walks[k].at == stored.leaf_of(k % 3, x.data() + k / 3 * 2));
}

// Box sums are read from a table where rows are in its range, else summed cell by cell.
void test_boxes(double outlier) {
    const Patches patches({{5, 1, 3, false, true}}, Border::pad, Weights::ones, 0.0);
    const Dictionary dictionary{{patches}, {1.0}, 5};
    std::vector<double> x = whole_numbers<double>(1, 20, -9, 9);
    x[7] = outlier;
    PreparedRows rows = prepare_rows(dictionary, row_major(x, 5), fixed_points(dictionary, 9.0), false, 9.0);
    rows.fill(0, 4);
    CHECK(rows.tables[0].any_out_of_range() == (std::abs(outlier) > 1e10));
    Scratch scratch;
    const std::vector<std::int32_t> words{1, 3};
    with_evaluator(dictionary, rows, scratch, [&](const auto& value) {
        for (std::size_t row = 0; row < 4; ++row)
            CHECK(value(Words(words), static_cast<std::int64_t>(row)) ==
                  x[5 * row + 1] + x[5 * row + 2] + x[5 * row + 3]);
    });
}

}  // namespace

int main() {
    std::vector<double> x = normals(1, 160);
    x[0] = 0.0;  // at a threshold: left
    x[1] = -1.0;
    x[3] = std::numeric_limits<double>::quiet_NaN();  // never at most a threshold: right
    for (const bool narrow : {false, true})
        for (const bool mixture : {false, true}) test_walks(x, narrow, mixture);
    test_walks({}, true, false);
    test_boxes(3.0);
    test_boxes(1e40);
}
