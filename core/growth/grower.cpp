#include "core/growth/grower.h"

#include <algorithm>
#include <cassert>

namespace foliation {

Grower::Grower(const Dictionary& dictionary, const PreparedRows& rows, const GrowRules& rules,
               Criterion criterion, const Monitor& monitor)
    : dictionary_(dictionary),
      prepared_(rows),
      rules_(rules),
      criterion_(std::move(criterion)),
      monitor_(monitor),
      values_(std::in_place_type<Values<double>>, rules.cut) {
    scratch_.monitor = &monitor_;
    const int bits = whole_bits(dictionary, rows);
    if (bits == 16) values_.emplace<Values<std::int16_t>>(rules.cut);
    if (bits == 32) values_.emplace<Values<std::int32_t>>(rules.cut);
}

void Grower::grow(Growth& growth, Part& part, const WorkSink& sink) {
    samples_ = &growth.samples;
    slots_ = growth.slots;
    part_ = &part;
    part.tree.atom_start.push_back(0);
    tree_weight_ = growth.weight;
    std::visit([&](auto& values) { values.cutter.begin_tree(tree_weight_); }, values_);

    frontier_ = std::move(part.nodes);
    if (frontier_.empty())
        open(Node{0, slots_.size(), 0, growth.key, 0, 0, ~0, Cut{}, {}, rules_.extra_candidates});
    while (!frontier_.empty()) {
        if (sink.idle_workers.load(std::memory_order_relaxed) > 0) offload(n_to_offload(), sink);
        Node node = next();
        const auto n_leaves = static_cast<std::int64_t>(part.tree.n_splits()) + 1;
        if (n_leaves < rules_.cut.limits.max_leaf_nodes) {
            split(std::move(node));
        } else {
            close(std::move(node));
        }
    }
}

// Leaves between the nodes count as theirs, so that nothing needs to be summed.
std::size_t Grower::n_to_offload() const {
    const auto least = static_cast<std::size_t>(rules_.least_part);
    const std::size_t begin = frontier_.back().begin;
    const std::size_t end = frontier_.front().end;
    if (rules_.best_first() || end - frontier_.back().end < least) return 0;
    std::size_t n = 1;
    while (n + 1 < frontier_.size() && end - frontier_[n].begin < frontier_[n - 1].begin - begin) ++n;
    const std::size_t middle = frontier_[n - 1].begin;
    return end - middle >= least && middle - begin >= least ? n : 0;
}

void Grower::offload(std::size_t n_nodes, const WorkSink& sink) {
    if (n_nodes == 0) return;
    auto part = std::make_unique<Part>();
    const auto end = frontier_.begin() + static_cast<std::ptrdiff_t>(n_nodes);
    for (auto node = frontier_.begin(); node != end; ++node) {
        const std::int64_t slot = node->parent_slot;
        part->starts.push_back(slot >= 0 ? Part::Start{part_, slot, 0}
                                         : part_->starts[static_cast<std::size_t>(~slot)]);
        node->parent_slot = ~(static_cast<std::int64_t>(part->starts.size()) - 1);
        part->nodes.push_back(std::move(*node));
    }
    frontier_.erase(frontier_.begin(), end);
    part->next = std::move(part_->next);
    part_->next = std::move(part);
    sink.queue(*part_->next);
}

void Grower::open(Node node) {
    if (!spare_atoms_.empty()) {
        node.atom = std::move(spare_atoms_.back());
        spare_atoms_.pop_back();
    }
    if (!cut(node)) return close(std::move(node));
    assert(node.begin < node.middle && node.middle < node.end && "both children have samples");
    node.number = n_opened_++;
    frontier_.push_back(std::move(node));
    if (rules_.best_first()) std::push_heap(frontier_.begin(), frontier_.end(), later);
}

Node Grower::next() {
    if (rules_.best_first()) std::pop_heap(frontier_.begin(), frontier_.end(), later);
    Node node = std::move(frontier_.back());
    frontier_.pop_back();
    return node;
}

void Grower::split(Node node) {
    Tree& tree = part_->tree;
    refer(node, static_cast<std::int32_t>(tree.n_splits()));
    const auto slot = static_cast<std::int64_t>(tree.children.size());
    tree.children.insert(tree.children.end(), 2, 0);
    tree.threshold.push_back(node.cut.threshold);
    tree.gain.push_back(node.cut.gain);
    tree.atom_words.insert(tree.atom_words.end(), node.atom.begin(), node.atom.end());
    tree.atom_start.push_back(static_cast<std::int64_t>(tree.atom_words.size()));
    spare_atoms_.push_back(std::move(node.atom));
    open(Node{node.middle,
              node.end,
              0,
              chain(node.key, 1),
              0,
              node.depth + 1,
              slot + 1,
              Cut{},
              {},
              node.extra_budget});
    open(Node{node.begin,
              node.middle,
              0,
              chain(node.key, 0),
              0,
              node.depth + 1,
              slot,
              Cut{},
              {},
              node.extra_budget});
}

void Grower::close(Node node) {
    refer(node, ~part_->tree.n_leaves++);
    part_->leaves.push_back({static_cast<std::uint32_t>(node.begin), static_cast<std::uint32_t>(node.end)});
    spare_atoms_.push_back(std::move(node.atom));
}

void Grower::refer(const Node& node, std::int32_t reference) {
    if (node.parent_slot >= 0) {
        part_->tree.children[static_cast<std::size_t>(node.parent_slot)] = reference;
    } else {
        part_->starts[static_cast<std::size_t>(~node.parent_slot)].reference = reference;
    }
}

}  // namespace foliation
