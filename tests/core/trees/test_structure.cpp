// The shape of trees against a walk from the root to every leaf.
#include "core/base/rng.h"
#include "core/trees/structure.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

// Trees grown by splitting random leaves; atoms of one to three words, few of them different.
struct RandomTrees {
    std::vector<std::int64_t> split_start{0}, leaf_start{0}, atom_start{0};
    std::vector<std::int32_t> children;
    std::vector<double> threshold;
    std::vector<std::int16_t> words;

    explicit RandomTrees(const std::vector<std::int32_t>& n_splits) {
        Rng rng(3);
        for (const std::int32_t n : n_splits) add(n, rng);
    }

    Trees trees() const {
        return {split_start, leaf_start, children, threshold, {}, std::span(atom_start), std::span(words)};
    }

  private:
    void add(std::int32_t n, Rng& rng) {
        std::vector<std::int32_t> own, ends{0};  // places of leaves among the children
        for (std::int32_t split = 0; split < n; ++split) {
            const auto chosen = static_cast<std::size_t>(rng.below(ends.size()));
            if (split > 0) own[static_cast<std::size_t>(ends[chosen])] = split;
            ends[chosen] = 2 * split;
            ends.push_back(2 * split + 1);
            own.insert(own.end(), 2, 0);
            threshold.push_back(0.0);
            for (std::uint64_t k = 1 + rng.below(3); k > 0; --k)
                words.push_back(static_cast<std::int16_t>(rng.below(3)));
            atom_start.push_back(static_cast<std::int64_t>(words.size()));
        }
        for (std::size_t leaf = 0; n > 0 && leaf < ends.size(); ++leaf)
            own[static_cast<std::size_t>(ends[leaf])] = ~static_cast<std::int32_t>(leaf);
        children.insert(children.end(), own.begin(), own.end());
        split_start.push_back(split_start.back() + n);
        leaf_start.push_back(leaf_start.back() + n + 1);
    }
};

struct Expected {
    const Trees& trees;
    std::int64_t tree;
    const NodeDepths& depths;
    std::vector<std::int32_t> splits{}, sides{}, leaves{};

    // Walks through a node and all below it, from left to right.
    void walk(std::int32_t node) {
        const auto depth = static_cast<std::int64_t>(splits.size());
        const auto t = static_cast<std::size_t>(tree);
        if (node < 0) {
            CHECK(depths.leaves[static_cast<std::size_t>(trees.leaf_start[t] + ~node)] == depth);
            const Path path = path_to_leaf(trees, tree, ~node);
            CHECK(path.splits == splits && path.sides == sides);
            return leaves.push_back(~node);
        }
        const auto split = static_cast<std::size_t>(trees.split_start[t] + node);
        CHECK(depths.splits[split] == depth);
        const std::size_t n_before = leaves.size();
        for (const std::int32_t side : {0, 1}) {
            splits.push_back(node);
            sides.push_back(side);
            walk(trees.children[2 * split + static_cast<std::size_t>(side)]);
            splits.pop_back();
            sides.pop_back();
        }
        const std::vector<OrderedLeaf> below = leaves_below(trees, tree, node);
        CHECK(below.size() == leaves.size() - n_before);
        for (std::size_t k = 0; k < below.size(); ++k) CHECK(below[k].leaf == leaves[n_before + k]);
    }
};

std::int64_t parting_depth(const Path& a, const Path& b) {
    std::size_t k = 0;
    while (a.sides[k] == b.sides[k]) ++k;
    return static_cast<std::int64_t>(k);
}

void test_partings(const Trees& trees, std::int64_t tree, std::int32_t root) {
    const std::vector<OrderedLeaf> leaves = leaves_below(trees, tree, root);
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        const Path path = path_to_leaf(trees, tree, leaves[k].leaf);
        CHECK(leaves[k].depth == static_cast<std::int32_t>(path.splits.size()));
        if (k == 0) continue;
        CHECK(leaves[k].parted == parting_depth(path_to_leaf(trees, tree, leaves[k - 1].leaf), path));
    }
}

void test_nodes(const Trees& trees) {
    const NodeDepths depths = node_depths(trees, 0, trees.n_trees());
    for (std::int64_t tree = 0; tree < trees.n_trees(); ++tree) {
        const std::int32_t root = trees.n_splits(tree) > 0 ? 0 : ~0;
        Expected{trees, tree, depths}.walk(root);
        test_partings(trees, tree, root);
    }
    const NodeDepths last = node_depths(trees, trees.n_trees() - 1, trees.n_trees());
    CHECK(std::equal(last.leaves.rbegin(), last.leaves.rend(), depths.leaves.rbegin()));
}

void test_atoms(const RandomTrees& random) {
    const Trees trees = random.trees();
    const DistinctAtoms distinct = distinct_atoms(trees);
    const auto n_atoms = static_cast<std::int64_t>(distinct.atoms.start.size()) - 1;
    CHECK(distinct.of_split.size() == trees.threshold.size() && n_atoms <= 3 + 9 + 27);
    std::int64_t n_met = 0;
    for (std::size_t split = 0; split < trees.threshold.size(); ++split) {
        const auto number = static_cast<std::size_t>(distinct.of_split[split]);
        CHECK(distinct.of_split[split] <= n_met);
        n_met = std::max(n_met, distinct.of_split[split] + 1);
        const AtomList own = atoms_of(trees, std::vector{static_cast<std::int64_t>(split)});
        const auto& start = distinct.atoms.start;
        CHECK(std::equal(own.words.begin(), own.words.end(), distinct.atoms.words.begin() + start[number],
                         distinct.atoms.words.begin() + start[number + 1]));
        CHECK(std::equal(own.words.begin(), own.words.end(), random.words.begin() + random.atom_start[split],
                         random.words.begin() + random.atom_start[split + 1]));
    }
    CHECK(n_met == n_atoms);
}

}  // namespace

int main() {
    const RandomTrees random({0, 1, 30, 0, 200});
    test_nodes(random.trees());
    test_atoms(random);
}
