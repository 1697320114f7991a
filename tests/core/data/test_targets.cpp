// Classes that are numbered through all outputs need no special case: the impurity of two outputs is the mean
// of both.
#include "core/criteria/class_counts.h"
#include "core/criteria/gini.h"
#include "core/data/targets.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

double impurity(const Targets& targets, const NodeRows& node) {
    ClassCounts<Gini> criterion(targets);
    criterion.begin(node);
    return criterion.impurity();
}

}  // namespace

int main() {
    const NodeData first = make_node(1, 30, 2, true), second = make_node(2, 30, 3, true);
    std::vector<std::int32_t> both;
    for (std::size_t i = 0; i < 30; ++i) {
        both.push_back(first.classes[i]);
        both.push_back(2 + second.classes[i]);
    }
    const std::vector<std::int32_t> class_start{0, 2, 5};
    const Targets targets{both, {}, 2, 5, class_start};
    const NodeRows node = first.node();
    CHECK(close(impurity(targets, node),
                0.5 * (impurity(first.class_targets(2), node) + impurity(second.class_targets(3), node))));

    CHECK(targets.classification() && !first.value_targets().classification());
    CHECK(!Targets{}.classification());  // a geodesic forest has no targets at all
    CHECK(node.size() == 30 && NodeRows{}.size() == 0);
}
