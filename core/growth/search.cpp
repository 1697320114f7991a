// How a grower finds the cut of a node and partitions its samples by it.
#include <algorithm>
#include <array>
#include <cassert>

#include "core/growth/grower.h"

namespace foliation {

namespace {

// Few enough that their values stay in the cache, but enough to be worth fetching a row, and not so many that
// large nodes take much memory.
std::size_t candidates_together(std::size_t n_rows) {
    constexpr std::size_t kCached = std::size_t{1} << 15;
    constexpr std::size_t kMost = std::size_t{1} << 22;
    const std::size_t least = std::clamp(kMost / n_rows, std::size_t{4}, std::size_t{32});
    return std::clamp(kCached / n_rows, least, kMostTogether);
}

constexpr std::size_t kFewRows = 32;                   // among which a perfect cut is often found early
constexpr std::size_t kEnoughRows = 256;               // to show two clusters of values
constexpr std::uint64_t kRowsKey = ~std::uint64_t{0};  // of the draw of these rows: no child, no candidate

// Whether no cut can beat the node's: none gains more than the node's impurity. For clusters this is not
// known.
template <class C>
bool perfect(const Cut& best, const C& criterion) {
    if constexpr (requires { criterion.cluster_level(); }) return false;
    return best.gain + kTie * criterion.impurity() >= criterion.impurity();
}

}  // namespace

template <class C, class V>
bool Grower::search(Node& node, C& criterion, Values<V>& values) {
    const std::size_t n = node.end - node.begin;
    const Limits& limits = rules_.cut.limits;
    if (!limits.may_split(node.depth, static_cast<std::int64_t>(n)) || monitor_.stopped()) return false;
    bool found = false;
    if constexpr (ReadsValues<C, V>)
        found = n > kEnoughRows && rules_.cut.splitter == Splitter::automatic &&
                find_cut_by_some(node, criterion, values);
    if (!found) {
        take_rows(node);
        found = find_cut(node, criterion, values);
    }
    return found && limits.worth(node.cut.gain, kTie * criterion.impurity(), tree_weight_);
}

void Grower::take_rows(const Node& node) {
    const std::size_t n = node.end - node.begin;
    rows_.resize(n);
    weights_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto slot = static_cast<std::size_t>(slots_[node.begin + i]);
        rows_[i] = samples_->rows[slot];
        weights_[i] = samples_->weights[slot];
    }
}

// One at random from each of kEnoughRows runs of equal length.
void Grower::take_some_rows(const Node& node) {
    const std::size_t n = node.end - node.begin;
    rows_.resize(kEnoughRows);
    weights_.resize(kEnoughRows);
    Rng rng(chain(node.key, kRowsKey));
    for (std::size_t i = 0; i < kEnoughRows; ++i) {
        const std::size_t first = i * n / kEnoughRows;
        const std::size_t end = (i + 1) * n / kEnoughRows;
        const auto slot = static_cast<std::size_t>(
            slots_[node.begin + first + static_cast<std::size_t>(rng.below(end - first))]);
        rows_[i] = samples_->rows[slot];
        weights_[i] = samples_->weights[slot];
    }
}

template <class C, class V>
bool Grower::find_cut_by_some(Node& node, C& criterion, Values<V>& values) {
    const std::size_t n = node.end - node.begin;
    const double share = static_cast<double>(kEnoughRows) / static_cast<double>(n);
    take_some_rows(node);
    values.cutter.begin_node(share);
    const bool found = find_cut(node, criterion, values) && project_all(node, values);
    values.cutter.begin_node(1.0);
    node.cut.gain /= share;
    if (!found) node.cut = Cut{};
    return found;
}

template <class V>
bool Grower::project_all(const Node& node, Values<V>& values) {
    take_rows(node);
    drawn_.clear();
    drawn_.words = node.atom;
    drawn_.start.push_back(drawn_.words.size());
    values.best.resize(rows_.size());
    project(dictionary_, drawn_, prepared_, rows_, scratch_, values.best.data());
    std::int64_t n_left = 0;
    double left = 0.0, all = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool is_left = goes_left(static_cast<double>(values.best[i]), node.cut.threshold);
        n_left += is_left ? 1 : 0;
        left += is_left ? weights_[i] : 0.0;
        all += weights_[i];
    }
    const Limits& limits = rules_.cut.limits;
    return limits.legal(n_left, static_cast<std::int64_t>(rows_.size()) - n_left, left, all - left,
                        limits.min_weight_fraction_leaf * tree_weight_);
}

template <class C, class V>
bool Grower::find_cut(Node& node, C& criterion, Values<V>& values) {
    criterion.begin({rows_, weights_});
    if (criterion.pure()) return false;

    dictionary_.begin_node(scratch_);
    const std::size_t n = rows_.size();
    const std::size_t block = candidates_together(n);
    const std::size_t first = n < kFewRows ? 4 : block;
    bool varied = false;
    std::int64_t tried = 0;
    while (tried < rules_.n_candidates && !monitor_.stopped() && !perfect(node.cut, criterion)) {
        const auto count =
            std::min(tried == 0 ? first : block, static_cast<std::size_t>(rules_.n_candidates - tried));
        varied = try_candidates(node, tried, count, criterion, values) || varied;
        tried += static_cast<std::int64_t>(count);
    }
    const std::int64_t most = rules_.n_candidates + dictionary_.n_features;
    for (; !varied && tried < most && !monitor_.stopped(); ++tried)
        varied = try_candidates(node, tried, 1, criterion, values);
    if constexpr (ReadsValues<C, V>)
        if (varied) try_extra_candidates(node, tried, criterion, values);
    return node.cut.found && !monitor_.stopped();
}

template <class C, class V>
void Grower::try_extra_candidates(Node& node, std::int64_t tried, C& criterion, Values<V>& values) {
    const double level = criterion.cluster_level() + kTie * criterion.weight();
    const auto clustered = [&] { return node.cut.gain > level; };
    for (std::int64_t left = node.extra_budget; left > 0 && !clustered() && !monitor_.stopped(); ++tried) {
        try_candidates(node, tried, 1, criterion, values);
        if (drawn_[0].empty()) break;
        left -= std::max<std::int64_t>(1, std::ssize(dictionary_.expand(drawn_[0], scratch_).ids));
    }
    if (!clustered()) node.extra_budget = 0;
}

void Grower::draw(std::uint64_t key, std::int64_t first, std::size_t count) {
    drawn_.clear();
    rngs_.clear();
    for (std::size_t k = 0; k < count; ++k) {
        Rng rng(chain(key, static_cast<std::uint64_t>(first) + k + 2));
        if (!dictionary_.draw(rng, scratch_, drawn_.words)) drawn_.words.resize(drawn_.start.back());
        drawn_.start.push_back(drawn_.words.size());
        rngs_.push_back(rng);
    }
}

template <class C, class V>
bool Grower::try_candidates(Node& node, std::int64_t first, std::size_t count, C& criterion,
                            Values<V>& values) {
    draw(node.key, first, count);
    const std::size_t n = rows_.size();
    values.drawn.resize(n * count);
    project(dictionary_, drawn_, prepared_, rows_, scratch_, values.drawn.data());
    const auto own = [&](std::size_t k) { return std::span<const V>(values.drawn.data() + k * n, n); };
    std::array<Range<V>, kMostTogether> ranges;
    values.cutter.begin_candidates();
    std::size_t n_bounded = 0;
    for (bool more = n >= ValueBins::kFewest; more && n_bounded < count; ++n_bounded) {
        if (drawn_[n_bounded].empty()) continue;
        const Range<V> range = ranges[n_bounded] = range_of(own(n_bounded), rules_.cut.isa);
        if (!range.constant()) more = values.cutter.bound(n_bounded, own(n_bounded), range, criterion);
    }
    std::size_t winner = count;
    bool varied = false;
    for (std::size_t k = 0; k < count && !monitor_.stopped() && !perfect(node.cut, criterion); ++k) {
        if (drawn_[k].empty()) continue;
        if (k >= n_bounded) ranges[k] = range_of(own(k), rules_.cut.isa);
        if (ranges[k].constant()) continue;
        varied = true;
        const double before = node.cut.gain;
        node.cut = values.cutter.improve(node.cut, k, own(k), ranges[k], criterion, rngs_[k]);
        if (node.cut.gain > before) winner = k;
    }
    if (winner == count) return varied;
    const Words atom = drawn_[winner];
    node.atom.assign(atom.begin(), atom.end());
    values.best.resize(n);
    std::copy_n(values.drawn.begin() + static_cast<std::ptrdiff_t>(winner * n), n, values.best.begin());
    return varied;
}

// Stable: samples keep their ascending order on both sides. Writes to both sides and keeps one: no branch.
//
//   slots_   [ L L L | . . . . . | not yet read ]      read from the front, so left never passes what is read
//                    ^left       ^i
//   spare_   [ R R R R R | . . . ]                     copied behind the last left slot at the end
//                        ^right
template <class V>
void Grower::partition(Node& node, const std::vector<V>& values) {
    assert(values.size() == node.end - node.begin && node.end <= slots_.size());
    if (spare_.size() < values.size()) spare_.resize(values.size());
    std::int32_t* left = slots_.data() + node.begin;
    std::int32_t* right = spare_.data();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int32_t slot = slots_[node.begin + i];
        const bool is_left = goes_left(static_cast<double>(values[i]), node.cut.threshold);
        *left = slot;
        *right = slot;
        left += is_left ? 1 : 0;
        right += is_left ? 0 : 1;
    }
    node.middle = static_cast<std::size_t>(left - slots_.data());
    assert(node.middle - node.begin + static_cast<std::size_t>(right - spare_.data()) == values.size());
    std::copy(spare_.data(), right, left);
}

bool Grower::cut(Node& node) {
    return std::visit(
        [&](auto& criterion, auto& values) {
            if (!search(node, criterion, values)) return false;
            partition(node, values.best);
            return true;
        },
        criterion_, values_);
}

}  // namespace foliation
