// Neighbors by shared leaves against comparing all pairs.
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/rng.h"
#include "core/proximity/neighbors.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

struct Case {
    std::size_t n_rows, n_trees, n_leaves, k;
};

struct Rows {
    std::vector<std::int32_t> leaf;
    std::vector<std::uint64_t> bits;
    Membership members;
    Case size;

    Rows(const Case& c, bool in_all, Rng& rng) : size(c) {
        for (std::size_t i = 0; i < c.n_rows * c.n_trees; ++i)
            leaf.push_back(static_cast<std::int32_t>(rng.below(c.n_leaves)));
        if (in_all) return;
        members.n_words = (c.n_trees + 63) / 64;
        bits.assign(c.n_rows * members.n_words, 0);
        for (std::size_t row = 0; row < c.n_rows; ++row)
            for (std::size_t tree = 0; tree < c.n_trees; ++tree)
                bits[row * members.n_words + tree / 64] |= rng.below(2) << tree % 64;
        members.bits = bits;
    }

    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    LeafIds leaf_ids() const { return {leaf, size.n_rows, &members}; }

    double proximity(std::size_t a, std::size_t b) const {
        std::size_t shared = 0, together = 0;
        for (std::size_t tree = 0; tree < size.n_trees; ++tree) {
            if (!members.has(a, tree) || !members.has(b, tree)) continue;
            ++together;
            shared += leaf[tree * size.n_rows + a] == leaf[tree * size.n_rows + b];
        }
        return together == 0 ? 0.0 : static_cast<double>(shared) / static_cast<double>(together);
    }
};

void test_nearest(const Rows& rows, const LeafIndex& index, bool apart, int n_threads) {
    const Case& c = rows.size;
    Monitor monitor;
    std::vector<double> proximity(c.n_rows * c.k);
    std::vector<std::int64_t> neighbor(c.n_rows * c.k);
    std::vector<std::int64_t> self(c.n_rows, -1);
    if (apart) std::iota(self.begin(), self.end(), std::int64_t{0});
    index.nearest(rows.leaf_ids(), c.k, self, n_threads, monitor, proximity.data(), neighbor.data());
    for (std::size_t row = 0; row < c.n_rows; ++row) {
        std::vector<std::pair<double, std::size_t>> all;  // farthest last, then by number
        for (std::size_t other = 0; other < c.n_rows; ++other)
            if (!apart || other != row) all.emplace_back(-rows.proximity(row, other), other);
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < c.k; ++i) {
            CHECK(-proximity[row * c.k + i] == all[i].first);
            CHECK(neighbor[row * c.k + i] == static_cast<std::int64_t>(all[i].second));
        }
    }
}

void test_near(const Rows& rows, const LeafIndex& index, double least) {
    Monitor monitor;
    const std::size_t first = rows.size.n_rows / 3;
    const auto found = index.near(rows.leaf_ids(), first, rows.size.n_rows, least, 2, monitor);
    for (std::size_t row = first; row < rows.size.n_rows; ++row) {
        auto next = found[row - first].begin();
        for (std::size_t other = 0; other < rows.size.n_rows; ++other) {
            const double proximity = rows.proximity(row, other);
            if (proximity == 0.0 || proximity < least) continue;
            CHECK(next->row == static_cast<std::int32_t>(other) && next->proximity == proximity);
            ++next;
        }
        CHECK(next == found[row - first].end());
    }
}

void test(const Case& c, bool in_all, Rng& rng) {
    const Rows rows(c, in_all, rng);
    std::vector<std::int64_t> leaf_start{0};
    for (std::size_t tree = 0; tree < c.n_trees; ++tree)
        leaf_start.push_back(leaf_start.back() + static_cast<std::int64_t>(c.n_leaves));
    Monitor monitor;
    const LeafIndex index(rows.leaf_ids(), leaf_start, 2, monitor);
    double n_pairs = 0.0;
    for (std::size_t tree = 0; tree < c.n_trees; ++tree)
        for (std::size_t a = 0; a < c.n_rows; ++a)
            for (std::size_t b = 0; b < c.n_rows; ++b)
                n_pairs += rows.members.has(a, tree) && rows.members.has(b, tree) &&
                           rows.leaf[tree * c.n_rows + a] == rows.leaf[tree * c.n_rows + b];
    CHECK(index.n_pairs(rows.leaf_ids()) == n_pairs);
    for (const bool apart : {true, false})
        for (const int n_threads : {1, 3}) test_nearest(rows, index, apart, n_threads);
    for (const double least : {0.0, 0.2}) test_near(rows, index, least);
}

}  // namespace

int main() {
    Rng rng(1);
    for (const bool in_all : {true, false}) {
        test({2, 1, 1, 1}, in_all, rng);
        test({60, 7, 20, 59}, in_all, rng);     // more neighbors than a row meets
        test({150, 70, 12, 3}, in_all, rng);    // more than one word of trees
        test({200, 300, 40, 10}, in_all, rng);  // counts beyond a byte
    }
}
