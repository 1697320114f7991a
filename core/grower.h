// The only growth loop: rows in, tree out.
//
// A node is searched and its rows partitioned as soon as it exists; it then waits in the frontier
// until it is its turn to become a split. The turn is depth first, or by gain when the number of
// leaves is limited. Since draws depend on the node's path alone, the order changes no split.
#pragma once

#include "criteria/criterion.h"
#include "cut.h"
#include "parallel.h"
#include "projections/dictionary.h"
#include "row_plan.h"
#include "tree.h"

namespace foliation {

struct GrowRules {
    CutRules cut;
    std::int64_t n_candidates = 1;
};

struct Grown {
    Tree tree;
    std::vector<std::int32_t> leaf_of;  // per row that grew it, in order
};

class Grower {
  public:
    Grower(const Dictionary& dictionary, const View& view, const GrowRules& rules, Criterion criterion,
           const Monitor& monitor);

    Grown grow(const PlanRows& plan, std::uint64_t key);

  private:
    struct Node {
        std::size_t begin, end;  // its rows
        std::size_t middle;      // where its right part begins, once partitioned
        std::uint64_t key;
        std::int64_t number = 0;  // in the order of opening
        std::int32_t depth;
        std::int64_t parent_slot;  // where in Tree::children it is referred to; -1 for the root
        Cut cut;
        std::vector<std::int32_t> atom;
    };

    void open(Node node);
    void split(Node node);
    void close(Node node);
    void refer(const Node& node, std::int32_t reference);
    Node next();
    bool best_first() const {
        return rules_.cut.limits.max_leaf_nodes < std::numeric_limits<std::int64_t>::max();
    }
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

    template <class C, class V>
    bool search(Node& node, C& criterion, Values<V>& values);
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
    std::variant<Values<std::int32_t>, Values<double>> values_;
    Scratch scratch_;

    Tree tree_;
    std::int64_t n_opened_ = 0;
    double tree_weight_ = 0.0;
    const PlanRows* plan_ = nullptr;
    std::vector<std::int32_t> slots_;  // positions in the plan, in the order of the nodes
    std::vector<std::int32_t> spare_;
    std::vector<std::int32_t> rows_;  // of the node at hand
    std::vector<double> weights_;
    std::vector<std::int32_t> leaf_of_;
    std::vector<Node> frontier_;
    Drawn drawn_;
    std::vector<Rng> rngs_;                               // where each drawn candidate left off
    std::vector<std::vector<std::int32_t>> spare_atoms_;  // memory of nodes that are done
};

}  // namespace foliation
