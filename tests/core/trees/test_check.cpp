// A forest of arrays passes, and every way of breaking one of them is told.
#include <limits>

#include "core/trees/check.h"
#include "tests/core/check.h"
#include "tests/core/make.h"
#include "tests/core/make_trees.h"

using namespace foliation;

namespace {

struct Arrays {
    AxisTrees trees = three_trees();  // 7 leaves
    std::vector<double> gain_unit{1.0, 1.0, 4.0};
    std::vector<double> leaf_weight{1, 2, 3, 4, 5, 6, 0};
    std::vector<std::int64_t> start{0, 1, 3, 4, 5, 6, 7, 7};  // the last leaf is empty
    std::vector<std::int32_t> column{0, 0, 1, 1, 0, 1, 0};
    std::vector<double> value{1.0, 0.25, 0.75, 1.0, 1.0, 1.0, 1.0};

    std::string error(bool classification = true) const {
        const Dictionary dictionary{{Axis{2}}, {1.0}, 2};
        const std::vector<std::int32_t> class_start{0, 2};
        LeafColumns columns{2, {}};
        if (classification) columns.class_start = class_start;
        return error_of([&] {
            check_forest(dictionary, {trees.trees(), gain_unit, {start, column, value, 2}, leaf_weight},
                         columns);
        });
    }
};

// The error once something is changed.
template <class Change>
std::string broken(const Change& change) {
    Arrays arrays;
    change(arrays);
    return arrays.error();
}

void test_structure() {
    CHECK(broken([](Arrays& a) { a.trees.children[0] = 0; }) ==
          "a child is not one of the later splits in tree 0");
    CHECK(broken([](Arrays& a) { a.trees.children[0] = 3; }) ==
          "a child is not one of the later splits in tree 0");
    CHECK(broken([](Arrays& a) { a.trees.children[0] = 2; }) == "two splits share a child in tree 0");
    CHECK(broken([](Arrays& a) { a.trees.children[7] = ~2; }) == "a child is no leaf in tree 2");
    CHECK(broken([](Arrays& a) { a.trees.children[7] = ~0; }) == "two splits share a child in tree 2");
    CHECK(broken([](Arrays& a) { a.trees.children.pop_back(); }) ==
          "there are not two children for each split");
    CHECK(broken([](Arrays& a) { a.trees.split_start = {0, 3, 2, 4}; }) == "offsets of splits do not fit");
    CHECK(broken([](Arrays& a) { a.trees.leaf_start = {0, 4, 5, 6}; }) == "offsets of leaves do not fit");
    CHECK(broken([](Arrays& a) { a.trees.leaf_start = {0, 3, 5, 7}; }) ==
          "leaves are not one more than splits in tree 0");
    CHECK(broken([](Arrays& a) { a.trees.split_start.clear(); }) == "there are no offsets of splits");
    CHECK(broken([](Arrays& a) { a.trees.words.pop_back(); }) == "atoms are not of one size");
    CHECK(broken([](Arrays& a) { a.trees.words[3] = 2; }) ==
          "an atom that the projections cannot draw in tree 2");
}

void test_offsets() {
    const auto offsets = [](std::vector<std::int64_t> start) {
        return broken([&](Arrays& a) { a.trees.leaf_start = start; });
    };
    for (const auto& start : std::vector<std::vector<std::int64_t>>{
             {}, {0}, {0, 4, 5}, {0, 4, 5, 7, 7}, {1, 4, 5, 7}, {-1, 4, 5, 7}, {0, -1, 5, 7}, {0, 4, 3, 7}})
        CHECK(offsets(start) == "offsets of leaves do not fit");
    CHECK(broken([](Arrays& a) { a.start[0] = 1; }) == "offsets of values do not fit");
    CHECK(broken([](Arrays& a) { a.start.pop_back(); }) == "offsets of values do not fit");
}

void test_sizes() {
    CHECK(broken([](Arrays& a) { a.trees.gain.pop_back(); }) == "there is not one gain for each split");
    CHECK(broken([](Arrays& a) { a.gain_unit.pop_back(); }) ==
          "there is not one unit of gains for each tree");
    CHECK(broken([](Arrays& a) { a.column.pop_back(); }) == "values and their columns differ in number");
    CHECK(broken([](Arrays& a) { a.value.push_back(1.0); }) == "values and their columns differ in number");
}

// Trees of a single leaf have no atoms.
void test_trees_without_splits() {
    Arrays arrays;
    arrays.trees = AxisTrees();
    arrays.trees.add({});
    arrays.gain_unit = {1.0};
    arrays.leaf_weight = {1.0};
    arrays.start = {0, 1};
    arrays.column = {0};
    arrays.value = {1.0};
    CHECK(arrays.error().empty());
    arrays.trees.words.push_back(0);
    CHECK(arrays.error() == "atoms are not of one size");
}

void test_one_split() {
    Arrays arrays;
    arrays.trees = AxisTrees();
    arrays.trees.add({{1, 0.5, ~0, ~1, 2.0F}});
    arrays.gain_unit = {1.0};
    arrays.leaf_weight = {1.0, 2.0};
    arrays.start = {0, 1, 2};
    arrays.column = {0, 1};
    arrays.value = {1.0, 1.0};
    CHECK(arrays.error().empty());
}

void test_numbers() {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    CHECK(broken([](Arrays& a) { a.trees.threshold[3] = kNaN; }) == "a threshold is not finite in tree 2");
    CHECK(broken([](Arrays& a) { a.trees.gain[0] = INFINITY; }) == "a gain is not finite in tree 0");
    for (const double unit : {0.0, -1.0, std::numeric_limits<double>::infinity()})
        CHECK(broken([unit](Arrays& a) { a.gain_unit[1] = unit; }) ==
              "the unit of gains is no positive number in tree 1");
    CHECK(broken([](Arrays& a) { a.leaf_weight[4] = -1.0; }) ==
          "the weight of a leaf is not a finite number from 0 on in tree 1");
    CHECK(broken([](Arrays& a) { a.column[2] = 0; }) ==
          "a column of a leaf's values is out of range in tree 0");
    CHECK(broken([](Arrays& a) { a.column[6] = 2; }) ==
          "a column of a leaf's values is out of range in tree 2");
    CHECK(broken([](Arrays& a) { a.value[0] = kNaN; }) == "a value of a leaf is not finite in tree 0");
    CHECK(broken([](Arrays& a) { a.value[0] = -1.0; }) == "a share of a leaf is negative in tree 0");
    CHECK(broken([](Arrays& a) {
              a.value[1] = 0.0;
              a.value[2] = 1.0;
          }).empty());  // a share may be zero
    CHECK(broken([](Arrays& a) { a.value[1] = 0.5; }) == "shares of a leaf do not add up to one in tree 0");
    CHECK(broken([](Arrays& a) { a.start[7] = 6; }) == "offsets of values do not fit");
}

}  // namespace

int main() {
    CHECK(Arrays().error().empty());
    Arrays numbers;
    numbers.value = {-5.0, 3.0, 1e300, 0.0, 7.0, 2.0, 2.0};  // any, unless they are shares
    CHECK(numbers.error(false).empty() && !numbers.error(true).empty());
    test_structure();
    test_offsets();
    test_sizes();
    test_trees_without_splits();
    test_one_split();
    test_numbers();
    const Arrays arrays;
    CHECK(most_terms({{Axis{2}}, {1.0}, 2}, arrays.trees.trees()) ==
          static_cast<double>(arrays.trees.trees().threshold.size()));
}
