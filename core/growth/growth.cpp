#include "core/growth/growth.h"

#include <cassert>
#include <numeric>

namespace foliation {

namespace {

void append(Tree& tree, const Tree& part) {
    const auto n_splits = static_cast<std::int32_t>(tree.n_splits());
    for (const std::int32_t child : part.children)
        tree.children.push_back(child >= 0 ? child + n_splits : child - tree.n_leaves);
    extend(tree.threshold, part.threshold);
    extend(tree.gain, part.gain);
    extend_offsets(tree.atom_start, part.atom_start);
    extend(tree.atom_words, part.atom_words);
    tree.n_leaves += part.n_leaves;
}

}  // namespace

Growth::Growth(const Samples& s, std::uint64_t k)
    : samples(s),
      key(k),
      weight(std::accumulate(s.weights.begin(), s.weights.end(), 0.0)),
      slots(s.rows.size()) {
    std::iota(slots.begin(), slots.end(), 0);
    root.starts.push_back({nullptr, 0, 0});
}

Grown stitch(Growth& growth) {
    Tree tree = std::move(growth.root.tree);
    std::vector<Part::Leaf> leaves = std::move(growth.root.leaves);
    for (Part* part = growth.root.next.get(); part != nullptr; part = part->next.get()) {
        part->first_split = static_cast<std::int32_t>(tree.n_splits());
        for (const Part::Start& start : part->starts) {
            assert(start.reference >= 0 && "offloaded nodes have a cut");
            tree.children[2 * static_cast<std::size_t>(start.owner->first_split) +
                          static_cast<std::size_t>(start.parent_slot)] = part->first_split + start.reference;
        }
        append(tree, part->tree);
        extend(leaves, part->leaves);
        part->tree = Tree{};
    }
    assert(leaves.size() == tree.n_splits() + 1 && leaves.size() == static_cast<std::size_t>(tree.n_leaves));
    std::vector<std::int32_t> leaf_of(growth.slots.size());
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
        for (std::size_t i = leaves[leaf].begin; i < leaves[leaf].end; ++i)
            leaf_of[static_cast<std::size_t>(growth.slots[i])] = static_cast<std::int32_t>(leaf);
    return {std::move(tree), std::move(leaf_of)};
}

}  // namespace foliation
