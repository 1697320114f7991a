// Which samples choose the structure of a tree and which estimate the values of its leaves, and with what
// weights: a pure function of (seed, tree). In an honest forest the two are disjoint; otherwise they are the
// same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/rng.h"
#include "core/data/targets.h"

namespace foliation {

// Tells the draws of a tree apart.
enum class Purpose : std::uint64_t { rows = 1, nodes = 2, honesty = 3 };

inline std::uint64_t tree_key(std::uint64_t seed, std::int64_t tree, Purpose purpose) {
    return chain(chain(seed, static_cast<std::uint64_t>(tree)), static_cast<std::uint64_t>(purpose));
}

struct Sampling {
    std::uint64_t seed = 0;
    std::int64_t n_rows = 0;
    std::int64_t n_draws = 0;          // rows, or groups, drawn for each tree
    bool bootstrap = true;             // with replacement; otherwise without
    bool balanced_subsample = false;   // weigh classes by their shares among the drawn rows
    double structure_share = 1.0;      // of a tree's distinct rows; below 1 the others are estimation samples
    bool estimate_out_of_bag = false;  // rows that were not drawn are the estimation samples
    std::vector<double> weights;       // per row; empty: all one
    std::vector<double> cumulative;    // of the weights, normalized; empty if all are one
    std::vector<std::int32_t> group;   // of each row, numbered from 0; empty: every row by itself
    std::int64_t n_groups = 0;
    std::vector<std::int32_t> eligible;  // rows, or groups, that have a weight; empty: all

    Sampling(std::uint64_t s, std::int64_t rows, std::int64_t draws, bool with_replacement,
             std::vector<double> w, std::vector<std::int32_t> groups = {});

    bool grouped() const { return !group.empty(); }
    // Whether rows are drawn in proportion to their weights, and count as often as drawn. Otherwise all are
    // equally likely and carry their weights: estimation samples out of the bag must not be the light rows.
    bool drawn_by_weight() const {
        return !weights.empty() && bootstrap && !grouped() && !estimate_out_of_bag;
    }
};

struct Samples {
    std::vector<std::int32_t> rows;  // distinct, ascending, each with a positive weight
    std::vector<double> weights;
};

struct RowPlan {
    Samples structure;
    Samples estimation;  // empty unless honest: then the structure samples also estimate
    bool honest() const { return !estimation.rows.empty(); }
};

// In which trees rows take part: a bit per tree, n_words words per row. Empty: all rows in all trees.
struct Membership {
    std::span<const std::uint64_t> bits;
    std::size_t n_words = 0;

    bool all() const { return bits.empty(); }
    bool has(std::size_t row, std::size_t tree) const {
        return all() || (bits[row * n_words + tree / 64] >> tree % 64 & 1) != 0;
    }
};

// With replacement, rows are drawn in proportion to their weights and count as often as drawn.
// Without, all are equally likely and keep their weights; rows of weight zero take no part. Groups are drawn
// instead of rows if there are any: all equally likely, with all of their rows, which keep their weights. An
// honest tree that estimates from its sample draws at least two different rows, or groups.
// Draws throw Stopped once the monitor is stopped.
std::vector<std::int32_t> draw_counts(const Sampling& sampling, std::int64_t tree,
                                      const Monitor& monitor = Monitor());  // per row
// A bit per tree, in whole words for each row: whether the tree drew it, or did not.
std::vector<std::uint64_t> membership(const Sampling& sampling, std::int64_t n_trees, bool out_of_bag,
                                      int n_threads, Monitor& monitor);
RowPlan draw_rows(const Sampling& sampling, std::int64_t tree, const Targets& targets,
                  const Monitor& monitor = Monitor());

}  // namespace foliation
