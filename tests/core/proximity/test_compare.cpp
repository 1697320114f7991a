// Every row is compared once, by whichever worker, and a stopped monitor ends the comparison.
#include <atomic>

#include "core/proximity/compare.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::size_t kRows = 300;

// The proximity of others is their number in quarters; row 0 is near to none.
struct ByNumber {
    template <class Sink>
    void offer(const LeafIds&, std::size_t row, Sink& sink) const {
        for (std::int32_t other = 4; row > 0 && other > 0; --other) sink.offer({0.25 * other, other});
    }
};

void test_all_rows_are_compared() {
    for (const int n_threads : {1, 3}) {
        Monitor monitor;
        std::vector<std::atomic<int>> n_met(kRows);
        compare_rows([] { return ByNumber(); }, 7, kRows, n_threads, monitor,
                     [&](std::size_t row, ByNumber&, int) { ++n_met[row]; });
        for (std::size_t row = 0; row < kRows; ++row) CHECK(n_met[row] == (row < 7 ? 0 : 1));
    }
}

void test_stop() {
    Monitor monitor;
    int n_met = 0;
    compare_rows([] { return ByNumber(); }, 0, kRows, 1, monitor,
                 [&](std::size_t, ByNumber&, int) {
                     if (++n_met == 10) monitor.stop();
                 });
    CHECK(n_met == 10);
}

void test_near_and_nearest() {
    Monitor monitor;
    const LeafIds rows{{}, 2, nullptr};
    const auto near = find_near([] { return ByNumber(); }, rows, {0, 2, 0.6}, 2, monitor);
    CHECK(near[0].empty() && near[1].size() == 2 && near[1][0].row == 3 && near[1][1].row == 4);
    std::vector<double> proximity(4);
    std::vector<std::int64_t> neighbor(4);
    const std::vector<std::int64_t> self{0, 4};
    write_nearest([] { return ByNumber(); }, rows, {2, 1, self, proximity.data(), neighbor.data()}, 2,
                  monitor);
    CHECK((neighbor == std::vector<std::int64_t>{1, 2, 3, 2}));
    CHECK((proximity == std::vector{0.0, 0.0, 0.75, 0.5}));
}

}  // namespace

int main() {
    test_all_rows_are_compared();
    test_stop();
    test_near_and_nearest();
}
