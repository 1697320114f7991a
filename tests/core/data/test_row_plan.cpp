#include <set>

#include "core/data/row_plan.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int64_t kRows = 40;
constexpr std::int64_t kTrees = 70;  // more than a word of bits

std::int64_t sum(const std::vector<std::int32_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

void test_counts() {
    std::vector<double> weights(kRows, 1.0);
    weights[3] = 0.0;
    weights[4] = 20.0;
    std::int64_t heavy = 0;
    for (std::int64_t tree = 0; tree < kTrees; ++tree) {
        const auto drawn = draw_counts(Sampling(1, kRows, 30, true, weights), tree);
        CHECK(sum(drawn) == 30 && drawn[3] == 0);
        heavy += drawn[4];
        const auto subset = draw_counts(Sampling(1, kRows, 30, false, weights), tree);
        CHECK(sum(subset) == 30 && subset[3] == 0);
        CHECK(*std::max_element(subset.begin(), subset.end()) == 1);
        CHECK(sum(draw_counts(Sampling(1, kRows, 30, false, {}), tree)) == 30);
    }
    const double expected = 30.0 * kTrees * 20.0 / (kRows - 2 + 20.0);
    CHECK(std::abs(static_cast<double>(heavy) - expected) < 5.0 * std::sqrt(expected));
}

// Groups are drawn as wholes, and no group lies on both sides of an honest tree.
void test_groups() {
    std::vector<std::int32_t> group;
    for (std::int32_t row = 0; row < kRows; ++row) group.push_back(row % 7);
    Sampling sampling(2, kRows, 7, true, {}, group);
    sampling.structure_share = 0.5;
    for (std::int64_t tree = 0; tree < kTrees; ++tree) {
        const auto counts = draw_counts(sampling, tree);
        for (std::size_t row = 7; row < kRows; ++row) CHECK(counts[row] == counts[row - 7]);
        const RowPlan plan = draw_rows(sampling, tree, {});
        std::set<std::int32_t> structure, estimation;
        for (const std::int32_t row : plan.structure.rows) structure.insert(row % 7);
        for (const std::int32_t row : plan.estimation.rows) estimation.insert(row % 7);
        CHECK(!structure.empty() && !estimation.empty());
        for (const std::int32_t g : structure) CHECK(!estimation.contains(g));
    }
}

// Structure and estimation samples part the rows that were drawn, or all rows.
void test_honesty(bool out_of_bag) {
    Sampling sampling(3, kRows, kRows, true, {});
    sampling.structure_share = out_of_bag ? 1.0 : 0.3;
    sampling.estimate_out_of_bag = out_of_bag;
    for (std::int64_t tree = 0; tree < kTrees; ++tree) {
        const auto counts = draw_counts(sampling, tree);
        const RowPlan plan = draw_rows(sampling, tree, {});
        std::vector<double> weight(kRows, 0.0);
        for (const Samples* part : {&plan.structure, &plan.estimation}) {
            CHECK(std::is_sorted(part->rows.begin(), part->rows.end()));
            for (std::size_t i = 0; i < part->rows.size(); ++i)
                weight[static_cast<std::size_t>(part->rows[i])] += part->weights[i];
        }
        CHECK(plan.honest());
        const std::size_t n_all = plan.structure.rows.size() + plan.estimation.rows.size();
        for (std::size_t row = 0; row < kRows; ++row)
            CHECK(weight[row] == (out_of_bag ? std::max(1, counts[row]) : counts[row]));
        if (out_of_bag) CHECK(n_all == kRows);
        if (!out_of_bag)
            CHECK(std::abs(static_cast<double>(plan.structure.rows.size()) -
                           0.3 * static_cast<double>(n_all)) <= 0.5);
    }
}

// One draw is not enough for both sides of an honest tree.
void test_least() {
    Sampling sampling(4, kRows, 1, true, {});
    sampling.structure_share = 0.5;
    for (std::int64_t tree = 0; tree < kTrees; ++tree) {
        const RowPlan plan = draw_rows(sampling, tree, {});
        CHECK(plan.structure.rows.size() == 1 && plan.estimation.rows.size() == 1);
    }
    Sampling alone(4, 1, 1, true, {});
    alone.structure_share = 0.5;
    CHECK(!draw_rows(alone, 0, {}).honest() && draw_rows(alone, 0, {}).structure.rows.size() == 1);
}

void test_balanced() {
    const NodeData data = make_node(5, kRows, 3, true);
    Sampling sampling(5, kRows, kRows, true, {});
    sampling.balanced_subsample = true;
    const RowPlan plan = draw_rows(sampling, 0, data.class_targets(3));
    std::vector<double> of_class(3, 0.0);
    for (std::size_t i = 0; i < plan.structure.rows.size(); ++i)
        of_class[static_cast<std::size_t>(data.classes[static_cast<std::size_t>(plan.structure.rows[i])])] +=
            plan.structure.weights[i];
    for (const double weight : of_class) CHECK(close(weight, kRows / 3.0));
    CHECK(error_of([&] { draw_rows(sampling, 0, data.class_targets(2)); }) == "a class is out of range");
}

// Draws of any kind end once the monitor is stopped.
void test_stopped() {
    constexpr std::int64_t kMany = 1 << 30;
    Monitor monitor;
    monitor.stop();
    for (const bool bootstrap : {false, true}) {
        const Sampling sampling(5, kRows, bootstrap ? kMany : kRows, bootstrap, {});
        CHECK(is_left([&] { draw_counts(sampling, 0, monitor); }));
        CHECK(is_left([&] { draw_rows(sampling, 0, {}, monitor); }));
        membership(sampling, kTrees, true, 2, monitor);
    }
}

void test_membership() {
    const Sampling sampling(6, kRows, kRows, true, {});
    Monitor monitor;
    const auto drawn = membership(sampling, kTrees, false, 1, monitor);
    const auto left_out = membership(sampling, kTrees, true, 2, monitor);
    CHECK(drawn == membership(sampling, kTrees, false, 3, monitor));
    const Membership members{drawn, 2}, others{left_out, 2};
    for (std::int64_t tree = 0; tree < kTrees; ++tree) {
        const auto counts = draw_counts(sampling, tree);
        for (std::size_t row = 0; row < kRows; ++row) {
            CHECK(members.has(row, static_cast<std::size_t>(tree)) == (counts[row] > 0));
            CHECK(others.has(row, static_cast<std::size_t>(tree)) == (counts[row] == 0));
        }
    }
    CHECK(Membership{}.has(5, 1000));
}

}  // namespace

int main() {
    test_counts();
    test_stopped();
    test_groups();
    test_honesty(false);
    test_honesty(true);
    test_least();
    test_balanced();
    test_membership();
}
