// The only growth loop: samples in, tree out, or a part of it.
//
// A node is searched for its best cut and its samples are partitioned as soon as it exists. It then waits in
// the frontier until it becomes a split: depth first, or by gain if the number of leaves is limited. Since
// draws depend on the node's path alone, the order changes no split. In depth-first order the last nodes of
// the frontier are offloaded when a worker is idle (see growth.h).
#pragma once

#include "core/base/parallel.h"
#include "core/criteria/criterion.h"
#include "core/cuts/cut.h"
#include "core/growth/growth.h"
#include "core/projections/dictionary.h"

namespace foliation {

struct GrowRules {
    CutRules cut;
    std::int64_t n_candidates = 1;
    std::int64_t extra_candidates = 0;  // budget of a node without clusters, in features that they read
    std::int64_t least_part = 1000;     // samples that are worth offloading

    bool best_first() const { return cut.limits.max_leaf_nodes < std::numeric_limits<std::int64_t>::max(); }
};

// Where a grower offloads parts of a tree.
struct WorkSink {
    const std::atomic<std::int64_t>& idle_workers;  // minus queued parts; if positive, offload one
    std::function<void(Part&)> queue;               // has the part grown by any worker
};

class Grower {
  public:
    Grower(const Dictionary& dictionary, const PreparedRows& rows, const GrowRules& rules,
           Criterion criterion, const Monitor& monitor);

    void grow(Growth& growth, Part& part, const WorkSink& sink);

  private:
    void open(Node node);
    void split(Node node);
    void close(Node node);
    void refer(const Node& node, std::int32_t reference);
    Node next();
    // How many nodes at the bottom of the frontier to offload: those that halve the samples best, none if
    // either half is small.
    std::size_t n_to_offload() const;
    void offload(std::size_t n_nodes, const WorkSink& sink);
    // Best-first order of the heap: the largest gain, then the node that was opened first.
    static bool later(const Node& a, const Node& b) {
        return a.cut.gain < b.cut.gain || (a.cut.gain == b.cut.gain && a.number > b.number);
    }

    // What depends on the type of projected values: whole numbers or doubles.
    template <class V>
    struct Values {
        explicit Values(const CutRules& rules) : cutter(rules) {}
        Cutter<V> cutter;
        std::vector<V> drawn;  // of the current candidates, one after the other
        std::vector<V> best;   // of the best so far
    };

    // Finds the cut of a node and partitions its samples by it; false if it has none. This and all below:
    // search.cpp.
    bool cut(Node& node);
    template <class C, class V>
    bool search(Node& node, C& criterion, Values<V>& values);
    // The best cut of the current samples.
    template <class C, class V>
    bool find_cut(Node& node, C& criterion, Values<V>& values);
    // The same by some samples of a large node, for criteria of values; false if their cut is not legal for
    // all.
    template <class C, class V>
    bool find_cut_by_some(Node& node, C& criterion, Values<V>& values);
    // Extra candidates for a node without clusters, one by one until one shows some or the budget is used up.
    // Then the children get no extra candidates.
    template <class C, class V>
    void try_extra_candidates(Node& node, std::int64_t tried, C& criterion, Values<V>& values);
    void take_rows(const Node& node);
    void take_some_rows(const Node& node);
    // The values of all samples on the node's atom, if its cut is legal for them.
    template <class V>
    bool project_all(const Node& node, Values<V>& values);
    // Draws, projects and cuts `count` candidates; returns whether any has values that differ.
    template <class C, class V>
    bool try_candidates(Node& node, std::int64_t first, std::size_t count, C& criterion, Values<V>& values);
    void draw(std::uint64_t key, std::int64_t first, std::size_t count);
    template <class V>
    void partition(Node& node, const std::vector<V>& values);

    const Dictionary& dictionary_;
    const PreparedRows& prepared_;
    const GrowRules& rules_;
    Criterion criterion_;
    const Monitor& monitor_;
    std::variant<Values<std::int16_t>, Values<std::int32_t>, Values<double>> values_;
    Scratch scratch_;

    std::int64_t n_opened_ = 0;
    double tree_weight_ = 0.0;
    const Samples* samples_ = nullptr;
    std::span<std::int32_t> slots_;  // positions in samples_, in the order of the nodes
    Part* part_ = nullptr;
    std::vector<std::int32_t> spare_;
    std::vector<std::int32_t> rows_;  // of the current node
    std::vector<double> weights_;
    std::vector<Node> frontier_;
    Drawn drawn_;
    std::vector<Rng> rngs_;                               // one per drawn candidate, after its draw
    std::vector<std::vector<std::int32_t>> spare_atoms_;  // memory of nodes that are done
};

}  // namespace foliation
