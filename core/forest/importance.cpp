#include "core/forest/importance.h"

#include <algorithm>
#include <cmath>

namespace foliation {

namespace {

// The importances of one tree: the sums of features that are not zero, in no order.
struct TreeSums {
    std::vector<double> sums;
    std::vector<std::int32_t> touched;

    explicit TreeSums(std::int32_t n_features) : sums(static_cast<std::size_t>(n_features), 0.0) {}

    void add(std::int32_t id, double share) {
        if (share == 0.0) return;
        double& sum = sums[static_cast<std::size_t>(id)];
        if (sum == 0.0) touched.push_back(id);
        sum += share;
    }
    // Adds the sums, over a scale, to those of all trees, and forgets them.
    void move_to(std::vector<double>& all, double scale) {
        for (const std::int32_t id : touched) {
            double& sum = sums[static_cast<std::size_t>(id)];
            all[static_cast<std::size_t>(id)] += sum / scale;
            sum = 0.0;
        }
        touched.clear();
    }
};

// Per feature: how many of a tree's splits use it, or how much of its gain it has. Returns the tree's gain.
double add_tree(const Dictionary& dictionary, const Trees& trees, Importance kind, std::int64_t tree,
                Scratch& scratch, TreeSums& sums) {
    AtomReader atom(trees);
    double total = 0.0;
    const auto t = static_cast<std::size_t>(tree);
    const auto end = static_cast<std::size_t>(trees.split_start[t + 1]);
    for (auto s = static_cast<std::size_t>(trees.split_start[t]); s < end; ++s) {
        scratch.check();
        const Terms terms = dictionary.expand(atom(s), scratch);
        const double gain = std::max(0.0, static_cast<double>(trees.gain[s]));
        double size = 0.0;
        for (const double w : terms.weights) size += std::abs(w);
        for (std::size_t k = 0; k < terms.ids.size(); ++k)
            sums.add(terms.ids[k],
                     kind == Importance::count ? 1.0 : gain * std::abs(terms.weights[k]) / size);
        total += gain;
    }
    return total;
}

}  // namespace

std::vector<double> importance(const Dictionary& dictionary, const Trees& trees, Importance kind,
                               Monitor& monitor) {
    std::vector<double> all(static_cast<std::size_t>(dictionary.n_features), 0.0);
    double n_counted = 0.0;
    run_here(monitor, [&] {
        TreeSums sums(dictionary.n_features);
        Scratch scratch;
        scratch.monitor = &monitor;
        for (std::int64_t tree = 0; tree < trees.n_trees(); ++tree) {
            const double total = add_tree(dictionary, trees, kind, tree, scratch, sums);
            const bool counts = kind == Importance::count || total > 0.0;
            sums.move_to(all, kind == Importance::gain && counts ? total : 1.0);
            if (counts) n_counted += 1.0;
        }
    });
    if (kind == Importance::gain && n_counted > 0.0)
        for (double& value : all) value /= n_counted;
    return all;
}

}  // namespace foliation
