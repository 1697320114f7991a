#include "grower.h"

#include <algorithm>
#include <numeric>

namespace foliation {

Grower::Grower(const Dictionary& dictionary, const View& view, const GrowRules& rules, Criterion criterion,
               const Monitor& monitor)
    : dictionary_(dictionary),
      view_(view),
      rules_(rules),
      criterion_(std::move(criterion)),
      monitor_(monitor),
      cutter_(rules.cut) {}

Grown Grower::grow(const PlanRows& plan, std::uint64_t key) {
    tree_ = Tree{};
    tree_.atom_start.push_back(0);
    rows_ = plan.rows;
    weights_ = plan.weights;
    plan_slots_.resize(rows_.size());
    std::iota(plan_slots_.begin(), plan_slots_.end(), 0);
    leaf_of_.assign(rows_.size(), 0);
    tree_weight_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    cutter_.begin_tree(tree_weight_);

    open(Node{0, rows_.size(), 0, key, 0, 0, -1, Cut{}, {}});
    while (!frontier_.empty()) {
        Node node = next();
        const auto n_leaves = static_cast<std::int64_t>(tree_.n_splits()) + 1;
        if (n_leaves < rules_.cut.limits.max_leaf_nodes) {
            split(std::move(node));
        } else {
            close(node);
        }
    }
    return {std::move(tree_), std::move(leaf_of_)};
}

void Grower::open(Node node) {
    const bool found = std::visit([&](auto& criterion) { return search(node, criterion); }, criterion_);
    if (!found) return close(node);
    partition(node);
    node.number = n_opened_++;
    frontier_.push_back(std::move(node));
    if (best_first()) std::push_heap(frontier_.begin(), frontier_.end(), later);
}

Grower::Node Grower::next() {
    if (best_first()) std::pop_heap(frontier_.begin(), frontier_.end(), later);
    Node node = std::move(frontier_.back());
    frontier_.pop_back();
    return node;
}

void Grower::split(Node node) {
    refer(node, static_cast<std::int32_t>(tree_.n_splits()));
    const auto slot = static_cast<std::int64_t>(tree_.children.size());
    tree_.children.insert(tree_.children.end(), 2, 0);
    tree_.threshold.push_back(node.cut.threshold);
    tree_.gain.push_back(node.cut.gain);
    tree_.atom_words.insert(tree_.atom_words.end(), node.atom.begin(), node.atom.end());
    tree_.atom_start.push_back(static_cast<std::int64_t>(tree_.atom_words.size()));
    open(Node{node.middle, node.end, 0, chain(node.key, 1), 0, node.depth + 1, slot + 1, Cut{}, {}});
    open(Node{node.begin, node.middle, 0, chain(node.key, 0), 0, node.depth + 1, slot, Cut{}, {}});
}

void Grower::close(const Node& node) {
    const std::int32_t leaf = tree_.n_leaves++;
    refer(node, ~leaf);
    for (std::size_t i = node.begin; i < node.end; ++i)
        leaf_of_[static_cast<std::size_t>(plan_slots_[i])] = leaf;
}

void Grower::refer(const Node& node, std::int32_t reference) {
    if (node.parent_slot >= 0) tree_.children[static_cast<std::size_t>(node.parent_slot)] = reference;
}

template <class C>
bool Grower::search(Node& node, C& criterion) {
    const std::size_t n = node.end - node.begin;
    const Limits& limits = rules_.cut.limits;
    if (!limits.may_split(node.depth, static_cast<std::int64_t>(n)) || monitor_.stopped()) return false;
    criterion.begin({std::span(rows_).subspan(node.begin, n), std::span(weights_).subspan(node.begin, n)});
    if (criterion.pure()) return false;

    dictionary_.begin_node(scratch_);
    values_.resize(n);
    bool varied = false;
    const std::int64_t most = rules_.n_candidates + dictionary_.n_features;
    for (std::int64_t c = 0; c < rules_.n_candidates || (!varied && c < most); ++c) {
        if (monitor_.stopped()) return false;
        varied = try_candidate(node, c, criterion) || varied;
    }
    return node.cut.found && limits.worth(node.cut.gain, Cutter::kTie * criterion.impurity(), tree_weight_);
}

// Returns whether the candidate's values differ at all.
template <class C>
bool Grower::try_candidate(Node& node, std::int64_t number, C& criterion) {
    Rng rng(chain(node.key, static_cast<std::uint64_t>(number) + 2));
    words_.clear();
    if (!dictionary_.draw(rng, scratch_, words_)) return false;
    const std::size_t n = node.end - node.begin;
    project(dictionary_, words_, view_, std::span(rows_).subspan(node.begin, n), scratch_, values_.data());
    const Range range = range_of(values_, rules_.cut.isa);
    if (range.constant()) return false;
    const double before = node.cut.gain;
    node.cut = cutter_.improve(node.cut, values_, range, criterion, rng);
    if (node.cut.gain > before) {
        node.atom.assign(words_.begin(), words_.end());
        std::swap(best_values_, values_);
        values_.resize(n);
    }
    return true;
}

// Stable: rows keep their ascending order on both sides.
void Grower::partition(Node& node) {
    const std::size_t n = node.end - node.begin;
    spare_rows_.resize(n);
    spare_slots_.resize(n);
    spare_weights_.resize(n);
    std::size_t left = node.begin;
    std::size_t right = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = node.begin + i;
        if (best_values_[i] <= node.cut.threshold) {
            rows_[left] = rows_[at];
            plan_slots_[left] = plan_slots_[at];
            weights_[left++] = weights_[at];
        } else {
            spare_rows_[right] = rows_[at];
            spare_slots_[right] = plan_slots_[at];
            spare_weights_[right++] = weights_[at];
        }
    }
    node.middle = left;
    std::copy_n(spare_rows_.begin(), right, rows_.begin() + static_cast<std::ptrdiff_t>(left));
    std::copy_n(spare_slots_.begin(), right, plan_slots_.begin() + static_cast<std::ptrdiff_t>(left));
    std::copy_n(spare_weights_.begin(), right, weights_.begin() + static_cast<std::ptrdiff_t>(left));
}

}  // namespace foliation
