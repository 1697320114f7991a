// Affinities against the paths of both rows in every tree.
#include "core/base/rng.h"
#include "core/proximity/depth_affinity.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

//        0                 0
//      /   \             /   \          and a tree without splits
//     1     ~2         ~0     1
//   /   \                   /   \.
// ~0     ~1                2    ~3
//                        /   \.
//                      ~1     ~2
const std::vector<std::int64_t> kSplitStart{0, 2, 5, 5}, kLeafStart{0, 3, 7, 8};
const std::vector<std::int32_t> kChildren{1, ~2, ~0, ~1, ~0, 1, 2, ~3, ~1, ~2};
constexpr std::size_t kTrees = 3;

Trees trees() { return {kSplitStart, kLeafStart, kChildren, {}, {}, {}, {}}; }

struct Rows {
    std::size_t n_rows;
    std::vector<std::int32_t> leaf;
    std::vector<std::uint64_t> bits;
    Membership members;

    Rows(std::size_t n, bool in_all, Rng& rng) : n_rows(n) {
        for (std::size_t tree = 0; tree < kTrees; ++tree)
            for (std::size_t row = 0; row < n; ++row)
                leaf.push_back(static_cast<std::int32_t>(
                    rng.below(static_cast<std::uint64_t>(kLeafStart[tree + 1] - kLeafStart[tree]))));
        if (in_all) return;
        for (std::size_t row = 0; row < n; ++row) bits.push_back(rng.below(1U << kTrees));
        members = {bits, 1};
    }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    LeafIds leaf_ids() const { return {leaf, n_rows, &members}; }
};

double leaf_affinity(std::size_t tree, std::int32_t a, std::int32_t b) {
    if (a == b) return 1.0;
    const Path path = path_to_leaf(trees(), static_cast<std::int64_t>(tree), a);
    const Path other = path_to_leaf(trees(), static_cast<std::int64_t>(tree), b);
    double shared = 0.0;
    for (std::size_t k = 0; path.sides[k] == other.sides[k]; ++k) shared += 1.0;
    return shared / (0.5 * static_cast<double>(path.sides.size() + other.sides.size()));
}

double affinity(const Rows& rows, std::size_t row, const Rows& others, std::size_t other) {
    double sum = 0.0, count = 0.0;
    for (std::size_t tree = 0; tree < kTrees; ++tree) {
        if (!rows.members.has(row, tree) || !others.members.has(other, tree)) continue;
        sum += leaf_affinity(tree, rows.leaf[tree * rows.n_rows + row],
                             others.leaf[tree * others.n_rows + other]);
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.0;
}

void test_near(const Rows& rows, const Rows& others, const DepthAffinity& index, double least) {
    Monitor monitor;
    const std::size_t first = 2;
    const auto found = index.near(rows.leaf_ids(), first, rows.n_rows, least, 2, monitor);
    for (std::size_t row = first; row < rows.n_rows; ++row) {
        auto next = found[row - first].begin();
        for (std::size_t other = 0; other < others.n_rows; ++other) {
            const double expected = affinity(rows, row, others, other);
            if (expected == 0.0 || expected < least) continue;
            CHECK(next->row == static_cast<std::int32_t>(other) && next->proximity == expected);
            ++next;
        }
        CHECK(next == found[row - first].end());
    }
}

void test_nearest(const Rows& rows, const Rows& others, const DepthAffinity& index, std::int64_t left_out) {
    Monitor monitor;
    const std::size_t k = others.n_rows - 1;
    std::vector<double> found(rows.n_rows * k);
    std::vector<std::int64_t> neighbor(rows.n_rows * k);
    const std::vector<std::int64_t> self(rows.n_rows, left_out);
    index.nearest(rows.leaf_ids(), k, self, 2, monitor, found.data(), neighbor.data());
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
        std::vector<std::pair<double, std::int64_t>> all;
        for (std::size_t other = 0; other < others.n_rows; ++other)
            if (static_cast<std::int64_t>(other) != left_out)
                all.emplace_back(-affinity(rows, row, others, other), static_cast<std::int64_t>(other));
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < k; ++i)
            CHECK(-found[row * k + i] == all[i].first && neighbor[row * k + i] == all[i].second);
    }
}

}  // namespace

int main() {
    Rng rng(1);
    for (const bool in_all : {true, false}) {
        const Rows rows(150, in_all, rng), others(20, rng.below(2) == 0, rng);
        const DepthAffinity index(trees(), others.leaf_ids());
        for (const double least : {0.0, 0.4}) test_near(rows, others, index, least);
        for (const std::int64_t left_out : {-1, 7}) test_nearest(rows, others, index, left_out);
    }
}
