#include "core/forest/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foliation {

namespace {

template <class T>
bool fits(std::int64_t x) {
    return x >= std::numeric_limits<T>::min() && x <= std::numeric_limits<T>::max();
}

// The power of two below a number of any size.
double power_below(double number) { return std::ldexp(1.0, std::ilogb(number)); }

// That below the largest gain, or 1 if no gain is positive; below the least one if single precision could not
// hold it otherwise.
double unit_of(const std::vector<double>& gains) {
    if (gains.empty()) return 1.0;
    const auto [least, most] = std::minmax_element(gains.begin(), gains.end());
    const double unit = *most > 0.0 && std::isfinite(*most) ? power_below(*most) : 1.0;
    return -*least / unit < std::numeric_limits<float>::max() ? unit : power_below(-*least);
}

// An empty forest whose types hold the starts and words of these trees; without starts if all atoms have one
// size.
Forest forest_for(const std::vector<TrainedTree>& trained) {
    std::int64_t n_words = 0;
    std::int64_t size = -1;
    bool one_size = true;
    bool narrow = true;
    for (const TrainedTree& one : trained) {
        const std::vector<std::int64_t>& start = one.tree.atom_start;
        const std::vector<std::int32_t>& words = one.tree.atom_words;
        for (std::size_t s = 0; s < one.tree.n_splits(); ++s) {
            if (size < 0) size = start[s + 1] - start[s];
            one_size = one_size && start[s + 1] - start[s] == size;
        }
        narrow = narrow && std::all_of(words.begin(), words.end(), fits<std::int16_t>);
        n_words += static_cast<std::int64_t>(words.size());
    }
    Forest forest;
    if (!narrow) forest.atom_words.emplace<1>();
    if (!fits<std::int32_t>(n_words)) forest.atom_start.emplace<1>();
    if (!one_size) std::visit([](auto& start) { start.push_back(0); }, forest.atom_start);
    return forest;
}

}  // namespace

void Forest::append(const Tree& tree, const Leaves& leaves) {
    split_start.push_back(split_start.back() + static_cast<std::int64_t>(tree.n_splits()));
    leaf_start.push_back(leaf_start.back() + tree.n_leaves);
    extend(children, tree.children);
    extend(threshold, tree.threshold);
    gain_unit.push_back(unit_of(tree.gain));
    for (const double g : tree.gain) gain.push_back(static_cast<float>(g / gain_unit.back()));
    std::visit(
        [&](auto& start) {
            if (!start.empty()) extend_offsets(start, tree.atom_start);
        },
        atom_start);
    std::visit([&](auto& words) { extend(words, tree.atom_words); }, atom_words);
    extend_offsets(value_start, leaves.start);
    extend(value_column, leaves.column);
    extend(value, leaves.value);
    extend(leaf_weight, leaves.weight);
}

Trees Forest::trees() const {
    Trees trees{split_start, leaf_start, children, threshold, gain, {}, {}};
    std::visit([&](const auto& start) { trees.atom_start = std::span(start); }, atom_start);
    std::visit([&](const auto& words) { trees.atom_words = std::span(words); }, atom_words);
    return trees;
}

Forest fit_forest(const TrainingData& data, TreeRange range, const ForestRules& rules, Monitor& monitor) {
    std::vector<TrainedTree> trained = train_trees(data, range, rules, monitor);
    Forest forest = forest_for(trained);
    for (TrainedTree& one : trained) {
        forest.append(one.tree, one.leaves);
        one = TrainedTree{};
    }
    return forest;
}

}  // namespace foliation
