#include "core/proximity/depth_affinity.h"

#include <cassert>

namespace foliation {

DepthAffinity::DepthAffinity(const Trees& trees, const LeafIds& others, const Monitor& monitor)
    : others_(others) {
    assert(others.leaf.size() == static_cast<std::size_t>(trees.n_trees()) * others.n_rows);
    for (std::int64_t tree = 0; tree < trees.n_trees(); ++tree) {
        monitor.check();
        leaves_.push_back(leaves_below(trees, tree, trees.n_splits(tree) > 0 ? 0 : ~0));
        std::vector<std::int32_t>& places = place_of_.emplace_back(leaves_.back().size());
        for (std::size_t place = 0; place < places.size(); ++place)
            places[static_cast<std::size_t>(leaves_.back()[place].leaf)] = static_cast<std::int32_t>(place);
    }
}

class DepthAffinity::Comparer {
  public:
    explicit Comparer(const DepthAffinity& own)
        : own_(own), sums_(own.others_.n_rows), counts_(own.others_.n_rows) {}

    template <class Sink>
    void offer(const LeafIds& rows, std::size_t row, Sink& sink) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        std::fill(counts_.begin(), counts_.end(), 0);
        for (std::size_t tree = 0; tree < own_.leaves_.size(); ++tree) {
            if (!rows.members->has(row, tree)) continue;
            compare_leaf(tree, rows.leaf[tree * rows.n_rows + row]);
            add(tree);
        }
        for (std::size_t other = 0; other < sums_.size(); ++other)
            if (sums_[other] > 0.0)
                sink.offer(
                    {sums_[other] / static_cast<double>(counts_[other]), static_cast<std::int32_t>(other)});
    }

  private:
    // Writes the affinities of a leaf to all leaves of its tree, going from it to the right and to the left.
    void compare_leaf(std::size_t tree, std::int32_t leaf) {
        const std::vector<OrderedLeaf>& leaves = own_.leaves_[tree];
        affinity_.resize(leaves.size());
        const auto own_place = static_cast<std::size_t>(own_.place_of_[tree][static_cast<std::size_t>(leaf)]);
        const OrderedLeaf& own = leaves[own_place];
        const auto write = [&](const OrderedLeaf& other, std::int32_t parted) {
            affinity_[static_cast<std::size_t>(other.leaf)] =
                static_cast<double>(parted) / (0.5 * static_cast<double>(own.depth + other.depth));
        };
        affinity_[static_cast<std::size_t>(leaf)] = 1.0;
        std::int32_t parted = own.depth;
        for (std::size_t place = own_place + 1; place < leaves.size(); ++place) {
            parted = std::min(parted, leaves[place].parted);
            write(leaves[place], parted);
        }
        parted = own.depth;
        for (std::size_t place = own_place; place > 0; --place) {
            parted = std::min(parted, leaves[place].parted);
            write(leaves[place - 1], parted);
        }
    }

    void add(std::size_t tree) {
        const LeafIds& others = own_.others_;
        const std::int32_t* leaf = others.leaf.data() + tree * others.n_rows;
        for (std::size_t other = 0; other < others.n_rows; ++other) {
            if (!others.members->has(other, tree)) continue;
            sums_[other] += affinity_[static_cast<std::size_t>(leaf[other])];
            ++counts_[other];
        }
    }

    const DepthAffinity& own_;
    std::vector<double> sums_;          // of each other
    std::vector<std::int32_t> counts_;  // of the trees in which both take part
    std::vector<double> affinity_;      // of each leaf of a tree
};

void DepthAffinity::nearest(const LeafIds& rows, std::size_t k, std::span<const std::int64_t> self,
                            int n_threads, Monitor& monitor, double* affinity, std::int64_t* neighbor) const {
    write_nearest([this] { return Comparer(*this); }, rows, {k, leaves_.size(), self, affinity, neighbor},
                  n_threads, monitor);
}

std::vector<std::vector<Near>> DepthAffinity::near(const LeafIds& rows, std::size_t first, std::size_t last,
                                                   double least, int n_threads, Monitor& monitor) const {
    return find_near([this] { return Comparer(*this); }, rows, {first, last, least}, n_threads, monitor);
}

}  // namespace foliation
