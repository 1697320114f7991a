// The only growth loop: rows in, tree out, or a part of it.
//
// A node is searched and its rows partitioned as soon as it exists; it then waits in the frontier
// until it is its turn to become a split. The turn is depth first, or by gain when the number of
// leaves is limited. Since draws depend on the node's path alone, the order changes no split.
// Depth first, nodes that come last are given away when somebody is there to take them (see growth.h).
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
    std::int64_t patience = 0;       // features that further candidates of a node without clusters may read
    std::int64_t least_part = 1000;  // rows worth the trouble of giving them away

    bool best_first() const { return cut.limits.max_leaf_nodes < std::numeric_limits<std::int64_t>::max(); }
};

// Who would take a part of a tree.
struct Takers {
    const std::atomic<std::int64_t>& hungry;  // above 0: somebody has nothing to do
    std::function<void(Part&)> take;          // sees to it that the part is grown
};

class Grower {
  public:
    Grower(const Dictionary& dictionary, const View& view, const GrowRules& rules, Criterion criterion,
           const Monitor& monitor);

    void grow(Growth& growth, Part& part, const Takers& takers);

  private:
    void open(Node node);
    void split(Node node);
    void close(Node node);
    void refer(const Node& node, std::int32_t reference);
    Node next();
    // How many nodes at the bottom of the frontier to give away: those that halve the rows best, none if
    // either half is small.
    std::size_t n_to_give() const;
    void give(std::size_t n_nodes, const Takers& takers);
    // Best-first order of the heap: the largest gain, then the node that was opened first.
    static bool later(const Node& a, const Node& b) {
        return a.cut.gain < b.cut.gain || (a.cut.gain == b.cut.gain && a.number > b.number);
    }

    // What depends on the type of projected values: whole numbers or doubles.
    template <class V>
    struct Values {
        explicit Values(const CutRules& rules) : cutter(rules) {}
        Cutter<V> cutter;
        std::vector<V> drawn;  // of the candidates at hand, one after the other
        std::vector<V> best;   // of the best so far
    };

    // Finds the cut of a node and parts its rows by it; false if it has none. This and all below: search.cpp.
    bool cut(Node& node);
    template <class C, class V>
    bool search(Node& node, C& criterion, Values<V>& values);
    // The best cut of the rows at hand.
    template <class C, class V>
    bool find_cut(Node& node, C& criterion, Values<V>& values);
    // The same by some rows of a large node, for criteria that need no more; false if these do not do.
    template <class C, class V>
    bool find_cut_by_some(Node& node, C& criterion, Values<V>& values);
    // Further candidates for a node without clusters, one by one until there are some. If there are none, its
    // parts get no further ones.
    template <class C, class V>
    void draw_on(Node& node, std::int64_t tried, C& criterion, Values<V>& values);
    void take_rows(const Node& node);
    void take_some_rows(const Node& node);
    // The values of all rows on the node's atom, if its cut is legal for them.
    template <class V>
    bool project_all(const Node& node, Values<V>& values);
    // Draws, projects and cuts `count` candidates; returns whether any has values that differ.
    template <class C, class V>
    bool try_candidates(Node& node, std::int64_t first, std::size_t count, C& criterion, Values<V>& values);
    void draw(std::uint64_t key, std::int64_t first, std::size_t count);
    template <class V>
    void partition(Node& node, const std::vector<V>& values);

    const Dictionary& dictionary_;
    const View& view_;
    const GrowRules& rules_;
    Criterion criterion_;
    const Monitor& monitor_;
    std::variant<Values<std::int16_t>, Values<std::int32_t>, Values<double>> values_;
    Scratch scratch_;

    std::int64_t n_opened_ = 0;
    double tree_weight_ = 0.0;
    const PlanRows* plan_ = nullptr;
    std::span<std::int32_t> slots_;  // positions in the plan, in the order of the nodes
    Part* part_ = nullptr;
    std::vector<std::int32_t> spare_;
    std::vector<std::int32_t> rows_;  // of the node at hand
    std::vector<double> weights_;
    std::vector<Node> frontier_;
    Drawn drawn_;
    std::vector<Rng> rngs_;                               // where each drawn candidate left off
    std::vector<std::vector<std::int32_t>> spare_atoms_;  // memory of nodes that are done
};

}  // namespace foliation
