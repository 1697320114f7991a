#include "core/proximity/neighbors.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace foliation {

LeafIndex::LeafIndex(const LeafIds& rows, std::span<const std::int64_t> leaf_start, int n_threads,
                     Monitor& monitor)
    : n_rows_(rows.n_rows),
      members_(rows.members),
      leaf_start_(leaf_start.begin(), leaf_start.end()),
      start_(static_cast<std::size_t>(leaf_start_.back()) + 1, 0) {
    const auto for_each_row = [&](std::int64_t tree, const auto& use) {
        const auto t = static_cast<std::size_t>(tree);
        const std::int32_t* leaf = rows.leaf.data() + t * n_rows_;
        for (std::size_t row = 0; row < n_rows_; ++row)
            if (members_->has(row, t)) use(row, static_cast<std::size_t>(leaf_start_[t] + leaf[row]));
    };
    const auto n_tasks = static_cast<std::int64_t>(n_trees());
    for_each_task(n_tasks, n_threads, monitor, [&](std::int64_t tree, int) {
        for_each_row(tree, [&](std::size_t, std::size_t leaf) { ++start_[leaf + 1]; });
    });
    for (std::size_t leaf = 1; leaf < start_.size(); ++leaf) start_[leaf] += start_[leaf - 1];
    rows_.resize(static_cast<std::size_t>(start_.back()));
    for_each_task(n_tasks, n_threads, monitor, [&](std::int64_t tree, int) {
        const auto t = static_cast<std::size_t>(tree);
        const auto first = static_cast<std::size_t>(leaf_start_[t]);
        const auto last = static_cast<std::size_t>(leaf_start_[t + 1]);
        std::vector<std::int64_t> next(start_.begin() + static_cast<std::ptrdiff_t>(first),
                                       start_.begin() + static_cast<std::ptrdiff_t>(last));
        for_each_row(tree, [&](std::size_t row, std::size_t leaf) {
            rows_[static_cast<std::size_t>(next[leaf - first]++)] = static_cast<std::int32_t>(row);
        });
    });
}

double LeafIndex::n_pairs(const LeafIds& rows, const Monitor& monitor) const {
    double n = 0.0;
    for (std::size_t tree = 0; tree < n_trees(); ++tree) {
        monitor.check();
        for (std::size_t row = 0; row < rows.n_rows; ++row)
            if (rows.members->has(row, tree))
                n += static_cast<double>(rows_of(tree, rows.leaf[tree * rows.n_rows + row]).size());
    }
    return n;
}

// How often one row meets those of the index; Count holds the number of trees.
template <class Count>
class LeafIndex::CoOccurrence {
  public:
    explicit CoOccurrence(const LeafIndex& index)
        : index_(index), counts_(index.n_rows_, 0), met_(index.n_rows_ + 1), share_(index.n_trees() + 1) {
        for (std::size_t n = 0; n < share_.size(); ++n)
            share_[n] = static_cast<double>(n) / static_cast<double>(index.n_trees());
    }

    // Offers to a sink each row of the index that meets this one, in no order, but for those that meet it in
    // fewer trees than sink.fewest() if proximity is the share of all trees.
    template <class Sink>
    void offer(const LeafIds& rows, std::size_t row, Sink& sink) {
        const std::size_t n_met = count(rows, row);
        if (rows.members->all() && index_.members_->all()) {
            const double* share = share_.data();
            clear(n_met, [&](std::size_t n, std::int32_t other) {
                if (n >= sink.fewest()) sink.offer({share[n], other});
            });
        } else {
            clear(n_met, [&](std::size_t n, std::int32_t other) {
                sink.offer(
                    {static_cast<double>(n) / together(rows, row, static_cast<std::size_t>(other)), other});
            });
        }
    }

  private:
    // Returns how many rows are met.
    std::size_t count(const LeafIds& rows, std::size_t row) {
        leaves_.clear();
        for (std::size_t tree = 0; tree < index_.n_trees(); ++tree)
            if (rows.members->has(row, tree))
                leaves_.push_back(index_.rows_of(tree, rows.leaf[tree * rows.n_rows + row]));
        Count* counts = counts_.data();
        std::int32_t* met = met_.data();
        std::size_t n_met = 0;
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            if (i + kAhead < leaves_.size()) fetch(leaves_[i + kAhead]);
            for (const std::int32_t other : leaves_[i]) {
                const Count before = counts[other]++;
                met[n_met] = other;
                n_met += before == 0;
            }
        }
        return n_met;
    }

    // Passes on what was counted, and counts from zero again.
    template <class Use>
    void clear(std::size_t n_met, const Use& use) {
        Count* counts = counts_.data();
        const std::int32_t* met = met_.data();
        for (std::size_t i = 0; i < n_met; ++i) {
            const std::int32_t other = met[i];
            const std::size_t n = counts[other];
            counts[other] = 0;
            use(n, other);
        }
    }

    static void fetch(std::span<const std::int32_t> leaf) {
        for (std::size_t i = 0; i < std::min<std::size_t>(leaf.size(), kFetched); i += kLine)
            __builtin_prefetch(leaf.data() + i);
    }

    // Trees in which both take part.
    double together(const LeafIds& rows, std::size_t row, std::size_t other) const {
        int n = 0;
        const Membership& some = rows.members->all() ? *index_.members_ : *rows.members;
        for (std::size_t w = 0; w < some.n_words; ++w) {
            std::uint64_t both = ~std::uint64_t{0};
            if (!rows.members->all()) both &= rows.members->bits[row * some.n_words + w];
            if (!index_.members_->all()) both &= index_.members_->bits[other * some.n_words + w];
            n += std::popcount(both);
        }
        return static_cast<double>(n);
    }

    static constexpr std::size_t kAhead = 8;                  // leaves
    static constexpr std::size_t kLine = 16, kFetched = 256;  // rows

    const LeafIndex& index_;
    std::vector<Count> counts_;
    std::vector<std::int32_t> met_;
    std::vector<double> share_;  // of the trees
    std::vector<std::span<const std::int32_t>> leaves_;
};

template <class Visit>
void LeafIndex::with_co_occurrence(const Visit& visit) const {
    if (n_trees() <= std::numeric_limits<std::uint8_t>::max()) {
        visit([this] { return CoOccurrence<std::uint8_t>(*this); });
    } else if (n_trees() <= std::numeric_limits<std::uint16_t>::max()) {
        visit([this] { return CoOccurrence<std::uint16_t>(*this); });
    } else {
        visit([this] { return CoOccurrence<std::uint32_t>(*this); });
    }
}

void LeafIndex::nearest(const LeafIds& rows, std::size_t k, std::span<const std::int64_t> self, int n_threads,
                        Monitor& monitor, double* proximity, std::int64_t* neighbor) const {
    with_co_occurrence([&](const auto& make) {
        write_nearest(make, rows, {k, n_trees(), self, proximity, neighbor}, n_threads, monitor);
    });
}

std::vector<std::vector<Near>> LeafIndex::near(const LeafIds& rows, std::size_t first, std::size_t last,
                                               double least, int n_threads, Monitor& monitor) const {
    std::vector<std::vector<Near>> found;
    with_co_occurrence(
        [&](const auto& make) { found = find_near(make, rows, {first, last, least}, n_threads, monitor); });
    return found;
}

}  // namespace foliation
