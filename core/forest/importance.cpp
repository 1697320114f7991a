#include "core/forest/importance.h"

#include <algorithm>
#include <cmath>

namespace foliation {

namespace {

// Per feature: how many of a tree's splits use it, or its share of the tree's gain. Empty if the tree
// has no gain to share.
std::vector<double> tree_importance(const Dictionary& dictionary, const Trees& trees, Importance kind,
                                    std::int64_t tree) {
    std::vector<double> sums(static_cast<std::size_t>(dictionary.n_features), 0.0);
    AtomReader atom(trees);
    Scratch scratch;
    double total = 0.0;
    const auto t = static_cast<std::size_t>(tree);
    const auto end = static_cast<std::size_t>(trees.split_start[t + 1]);
    for (auto s = static_cast<std::size_t>(trees.split_start[t]); s < end; ++s) {
        const Terms terms = dictionary.expand(atom(s), scratch);
        const double gain = std::max(0.0, static_cast<double>(trees.gain[s]));
        double size = 0.0;
        for (const double w : terms.weights) size += std::abs(w);
        for (std::size_t k = 0; k < terms.ids.size(); ++k)
            sums[static_cast<std::size_t>(terms.ids[k])] +=
                kind == Importance::count ? 1.0 : gain * std::abs(terms.weights[k]) / size;
        total += gain;
    }
    if (kind == Importance::count) return sums;
    if (!(total > 0.0)) return {};
    for (double& sum : sums) sum /= total;
    return sums;
}

}  // namespace

std::vector<double> importance(const Dictionary& dictionary, const Trees& trees, Importance kind,
                               Monitor& monitor) {
    std::vector<double> all(static_cast<std::size_t>(dictionary.n_features), 0.0);
    double n_counted = 0.0;
    for_each_task(trees.n_trees(), 1, monitor, [&](std::int64_t tree, int) {
        const std::vector<double> found = tree_importance(dictionary, trees, kind, tree);
        if (found.empty()) return;
        for (std::size_t id = 0; id < all.size(); ++id) all[id] += found[id];
        n_counted += 1.0;
    });
    if (kind == Importance::gain && n_counted > 0.0)
        for (double& value : all) value /= n_counted;
    return all;
}

}  // namespace foliation
