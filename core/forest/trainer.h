// Trains the trees of a forest: plan, grow and fill each, on threads that share large trees by work stealing.
#pragma once

#include "core/growth/grower.h"
#include "core/trees/honest_prior.h"

namespace foliation {

struct ForestRules {
    GrowRules grow;
    CriterionRules criterion;
    HonestPrior prior = HonestPrior::ancestor;
    int n_threads = 1;
};

// What trees are trained on.
struct TrainingData {
    const Dictionary& dictionary;
    const PreparedRows& rows;
    const Targets& targets;
    const Sampling& sampling;
};

struct TreeRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

struct TrainedTree {
    Tree tree;
    Leaves leaves;
};

// Which samples choose the structure of a tree, and which estimate its leaves.
RowPlan plan_tree(const TrainingData& data, std::int64_t tree, const Monitor& monitor = Monitor());

// Grows a tree that is too small to be shared, in the calling thread. `key` is that of its root.
Grown grow_tree(Grower& grower, const Samples& structure, std::uint64_t key);

// The leaves of a grown tree, by its estimation samples. An honest tree's growth has seen none of them.
Leaves fill_tree(const TrainingData& data, const RowPlan& plan, const Grown& grown, HonestPrior prior,
                 const Monitor& monitor = Monitor());

// Trees range.first .. range.first + range.count - 1. Those that are not done are empty if the monitor was
// stopped.
std::vector<TrainedTree> train_trees(const TrainingData& data, TreeRange range, const ForestRules& rules,
                                     Monitor& monitor);

}  // namespace foliation
