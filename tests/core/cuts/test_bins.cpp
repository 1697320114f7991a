// Sums of bins against sums over their rows, whether weights are counted or added.
#include "core/criteria/class_counts.h"
#include "core/criteria/gini.h"
#include "core/cuts/bins.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

void check_bin(const Bins& bins, std::size_t bin, const NodeData& data,
               const std::vector<std::int16_t>& bin_of, std::size_t n_classes) {
    std::vector<double> expected(n_classes, 0.0);
    bool empty = true;
    for (std::size_t i = 0; i < bin_of.size(); ++i) {
        if (static_cast<std::size_t>(bin_of[i]) != bin) continue;
        expected[static_cast<std::size_t>(data.classes[i])] += data.weights[i];
        empty = false;
    }
    CHECK(bins.empty(bin) == empty);
    for (std::size_t c = 0; c < n_classes; ++c) CHECK(close(bins[bin][c], expected[c]));
}

void test_fill(std::size_t n, std::size_t n_bins, std::int32_t n_classes, bool whole_weights) {
    const NodeData data = make_node(n, n, n_classes, whole_weights);
    const auto bin_of = whole_numbers<std::int16_t>(n + 1, n, 0, static_cast<std::int32_t>(n_bins) - 1);
    const Targets targets = data.class_targets(n_classes);
    ClassCounts<Gini> criterion(targets);
    criterion.begin(data.node());
    CHECK((criterion.whole_rows() != nullptr) == (whole_weights && n >= WholeRows::kFewest));
    Bins bins(newest_isa());
    bins.fill(n, n_bins, criterion, [&](std::size_t i) { return static_cast<std::size_t>(bin_of[i]); }, true);
    std::size_t n_rows = 0;
    for (std::size_t bin = 0; bin < n_bins; ++bin) {
        check_bin(bins, bin, data, bin_of, static_cast<std::size_t>(n_classes));
        CHECK((bins.n_rows(bin) == 0) == bins.empty(bin));
        n_rows += bins.n_rows(bin);
    }
    CHECK(n_rows == n);
}

// The same by comparing all rows with all values, on every instruction set.
void test_fill_few(std::size_t n, std::size_t n_bins, std::int32_t lo) {
    const NodeData data = make_node(n, n, 2, true);
    const auto bin_of = whole_numbers<std::int16_t>(n, n, 0, static_cast<std::int32_t>(n_bins) - 1);
    std::vector<std::int16_t> values;
    for (const std::int16_t bin : bin_of) values.push_back(static_cast<std::int16_t>(lo + bin));
    WholeRows rows;
    rows.read(data.classes, data.weights, std::accumulate(data.weights.begin(), data.weights.end(), 0.0));
    for (int isa = 0; isa <= static_cast<int>(newest_isa()); ++isa) {
        Bins bins(static_cast<Isa>(isa));
        CHECK(bins.fill_few(values, static_cast<std::int16_t>(lo), n_bins, rows));
        for (std::size_t bin = 0; bin < n_bins; ++bin) check_bin(bins, bin, data, bin_of, 2);
        CHECK(!bins.fill_few(values, static_cast<std::int16_t>(lo), 25, rows));
        WholeRows heavy = rows;
        heavy.total = 32768.0;
        CHECK(!bins.fill_few(values, static_cast<std::int16_t>(lo), n_bins, heavy));
    }
}

}  // namespace

int main() {
    for (const std::size_t n : {1U, 3U, 63U, 64U, 201U})
        for (const std::size_t n_bins : {1U, 7U, 400U})  // the last in one copy, not in several
            for (const bool whole_weights : {false, true}) test_fill(n, n_bins, 3, whole_weights);
    for (const std::size_t n : {64U, 65U, 79U, 500U})
        for (const std::size_t n_bins : {1U, 2U, 5U, 24U})
            for (const std::int32_t lo : {-32768, -3, 32768 - static_cast<std::int32_t>(n_bins)})
                test_fill_few(n, n_bins, lo);
}
