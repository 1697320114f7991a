// Bounds never exceed what a cut can reach, and are tried less often the less they help.
#include "core/criteria/gini.h"
#include "core/criteria/two_classes.h"
#include "core/cuts/cut_bounds.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::size_t kRows = 300;

// The largest purity of all cuts: squared class weights over weight, of both sides.
double best_purity(const NodeData& data, const std::vector<double>& values) {
    double best = 0.0;
    for (const double threshold : values) {
        double weights[2][2] = {};
        for (std::size_t i = 0; i < kRows; ++i)
            weights[values[i] <= threshold ? 0 : 1][data.classes[i]] += data.weights[i];
        double purity = 0.0;
        for (const auto& side : weights)
            if (const double total = side[0] + side[1]; total > 0.0)
                purity += (side[0] * side[0] + side[1] * side[1]) / total;
        best = std::max(best, purity);
    }
    return best;
}

struct Problem {
    NodeData data = make_node(1, kRows, 2, true);
    Targets targets = data.class_targets(2);
    TwoClasses<Gini> criterion{targets};
    std::vector<std::vector<double>> candidates;

    Problem() {
        criterion.begin(data.node());
        for (std::uint64_t k = 0; k < 5; ++k) {
            candidates.push_back(normals(k + 1, kRows));
            for (std::size_t i = 0; i < kRows; ++i)
                candidates.back()[i] += static_cast<double>(k) * data.classes[i];
        }
    }
    bool bound(CutBounds& bounds, std::size_t k) {
        const std::vector<double>& values = candidates[k];
        return bounds.bound<double>(k, values, range_of<double>(values, newest_isa()), criterion, 0.0);
    }
};

void test_bounds(Problem& problem) {
    CutBounds bounds(newest_isa());
    bounds.begin_tree();
    bounds.begin_candidates();
    double best = 0.0, before = 0.0;
    for (std::size_t k = 0; k < problem.candidates.size(); ++k) {
        CHECK(problem.bound(bounds, k));
        best = std::max(best, best_purity(problem.data, problem.candidates[k]));
        CHECK(bounds.best_purity() >= before && bounds.best_purity() <= best + 1e-9);
        before = bounds.best_purity();
    }
    // The best cut lies in a bin that is promising, unless it lies between two.
    CHECK(bounds[4].mark_promising(best - 1e-9) > 0.0 || close(before, best));
    CHECK(bounds[0].mark_promising(problem.criterion.weight() + 1.0) == 0.0);
    bounds.begin_candidates();
    CHECK(bounds.best_purity() < 0.0);
}

// After failures in a row 1, 3, 7 .. 511 candidates are skipped; one that paid ends the row.
void test_skips(Problem& problem) {
    CutBounds bounds(newest_isa());
    const auto n_skipped = [&] {
        int n = 0;
        for (bounds.begin_candidates(); !problem.bound(bounds, 0);) ++n;
        return n;
    };
    CHECK(n_skipped() == 0);
    for (const int expected : {1, 3, 7, 15, 31, 63, 127, 255, 511, 511}) {
        bounds.record(false);
        CHECK(n_skipped() == expected);
    }
    bounds.record(true);
    CHECK(n_skipped() == 0);
    bounds.record(false);
    CHECK(n_skipped() == 1);
    bounds.record(false);
    bounds.begin_tree();
    CHECK(n_skipped() == 0);
}

}  // namespace

int main() {
    Problem problem;
    test_bounds(problem);
    test_skips(problem);
    problem.data.weights[0] = 0.5;  // weights that are not whole cannot be counted
    problem.criterion.begin(problem.data.node());
    CutBounds bounds(newest_isa());
    CHECK(!problem.bound(bounds, 0));
}
