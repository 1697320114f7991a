#include "core/trees/structure.h"

#include <cassert>
#include <string_view>
#include <unordered_map>

namespace foliation {

namespace {

std::span<const std::int32_t> children_of(const Trees& trees, std::int64_t tree) {
    const auto first = static_cast<std::size_t>(trees.split_start[static_cast<std::size_t>(tree)]);
    return trees.children.subspan(2 * first, 2 * static_cast<std::size_t>(trees.n_splits(tree)));
}

// A split comes before its children, so its own depth is known when theirs are written.
void add_depths(const Trees& trees, std::int64_t tree, NodeDepths& depths) {
    const std::span<const std::int32_t> children = children_of(trees, tree);
    const std::size_t n_splits = children.size() / 2;
    depths.splits.resize(depths.splits.size() + n_splits, 0);
    depths.leaves.resize(depths.leaves.size() + n_splits + 1, 0);
    std::int64_t* splits = depths.splits.data() + depths.splits.size() - n_splits;
    std::int64_t* leaves = depths.leaves.data() + depths.leaves.size() - n_splits - 1;
    for (std::size_t k = 0; k < children.size(); ++k) {
        const std::int32_t child = children[k];
        assert(child < 0 || static_cast<std::size_t>(child) > k / 2);
        (child >= 0 ? splits[child] : leaves[~child]) = splits[k / 2] + 1;
    }
}

}  // namespace

NodeDepths node_depths(const Trees& trees, std::int64_t first, std::int64_t last, const Monitor& monitor) {
    NodeDepths depths;
    for (std::int64_t tree = first; tree < last; ++tree) {
        monitor.check();
        add_depths(trees, tree, depths);
    }
    return depths;
}

// A split comes before its children: the way up meets parents from the last split to the first.
Path path_to_leaf(const Trees& trees, std::int64_t tree, std::int32_t leaf) {
    const std::span<const std::int32_t> children = children_of(trees, tree);
    Path path;
    std::int32_t node = ~leaf;
    for (std::size_t k = children.size(); k-- > 0;) {
        if (children[k] != node) continue;
        node = static_cast<std::int32_t>(k / 2);
        path.splits.push_back(node);
        path.sides.push_back(static_cast<std::int32_t>(k % 2));
    }
    assert(children.empty() || node == 0);
    std::reverse(path.splits.begin(), path.splits.end());
    std::reverse(path.sides.begin(), path.sides.end());
    return path;
}

std::vector<OrderedLeaf> leaves_below(const Trees& trees, std::int64_t tree, std::int32_t node) {
    const std::span<const std::int32_t> children = children_of(trees, tree);
    std::vector<OrderedLeaf> leaves;
    std::vector<OrderedLeaf> todo{{node, 0, 0}};  // nodes in place of leaves
    while (!todo.empty()) {
        const OrderedLeaf next = todo.back();
        todo.pop_back();
        if (next.leaf < 0) {
            leaves.push_back({~next.leaf, next.depth, next.parted});
            continue;
        }
        const std::int32_t* child = children.data() + 2 * static_cast<std::size_t>(next.leaf);
        todo.push_back({child[1], next.depth + 1, next.depth});
        todo.push_back({child[0], next.depth + 1, next.parted});
    }
    return leaves;
}

AtomList atoms_of(const Trees& trees, std::span<const std::int64_t> splits) {
    AtomReader atom(trees);
    AtomList atoms;
    for (const std::int64_t split : splits) atoms.add(atom(static_cast<std::size_t>(split)));
    return atoms;
}

// Words are compared as they are stored, and widened only for those that are kept.
DistinctAtoms distinct_atoms(const Trees& trees, const Monitor& monitor) {
    AtomReader atom(trees);
    DistinctAtoms distinct;
    std::unordered_map<std::string_view, std::int64_t> known;
    std::visit(
        [&](const auto words) {
            for (std::size_t split = 0; split < trees.threshold.size(); ++split) {
                monitor.check();
                const auto bytes = std::as_bytes(words.subspan(atom.begin(split), atom.size(split)));
                const std::string_view key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                const auto [entry, is_new] = known.emplace(key, static_cast<std::int64_t>(known.size()));
                if (is_new) distinct.atoms.add(atom(split));
                distinct.of_split.push_back(entry->second);
            }
        },
        trees.atom_words);
    return distinct;
}

}  // namespace foliation
