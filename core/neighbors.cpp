#include "neighbors.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace foliation {

LeafIndex::LeafIndex(const Arrivals& rows, std::span<const std::int64_t> leaf_start, int n_threads,
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

double LeafIndex::n_pairs(const Arrivals& rows) const {
    double n = 0.0;
    for (std::size_t tree = 0; tree < n_trees(); ++tree)
        for (std::size_t row = 0; row < rows.n_rows; ++row)
            if (rows.members->has(row, tree))
                n += static_cast<double>(rows_of(tree, rows.leaf[tree * rows.n_rows + row]).size());
    return n;
}

// How often one row meets those of the index; Count holds the number of trees.
template <class Count>
class LeafIndex::Meetings {
  public:
    explicit Meetings(const LeafIndex& index) : index_(index), counts_(index.n_rows_, 0) {}

    // Valid until the next call; in no order.
    const std::vector<Near>& of(const Arrivals& rows, std::size_t row) {
        met_.clear();
        for (std::size_t tree = 0; tree < index_.n_trees(); ++tree) {
            if (!rows.members->has(row, tree)) continue;
            for (const std::int32_t other : index_.rows_of(tree, rows.leaf[tree * rows.n_rows + row]))
                if (counts_[static_cast<std::size_t>(other)]++ == 0) met_.push_back(other);
        }
        near_.clear();
        for (const std::int32_t other : met_) {
            Count& count = counts_[static_cast<std::size_t>(other)];
            near_.push_back(
                {static_cast<double>(count) / together(rows, row, static_cast<std::size_t>(other)), other});
            count = 0;
        }
        return near_;
    }

  private:
    // Trees in which both take part.
    double together(const Arrivals& rows, std::size_t row, std::size_t other) const {
        if (rows.members->all() && index_.members_->all()) return static_cast<double>(index_.n_trees());
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

    const LeafIndex& index_;
    std::vector<Count> counts_;
    std::vector<std::int32_t> met_;
    std::vector<Near> near_;
};

template <class Visit>
void LeafIndex::with_meetings(const Visit& visit) const {
    if (n_trees() <= std::numeric_limits<std::uint16_t>::max()) {
        visit([this] { return Meetings<std::uint16_t>(*this); });
    } else {
        visit([this] { return Meetings<std::uint32_t>(*this); });
    }
}

namespace {

bool nearer(const Near& a, const Near& b) {
    return a.proximity > b.proximity || (a.proximity == b.proximity && a.row < b.row);
}

constexpr std::int64_t kTogether = 64;  // rows of a task

// Calls work(row, meetings) for rows first .. last-1.
template <class Make, class Work>
void for_each_row(std::size_t first, std::size_t last, int n_threads, Monitor& monitor, const Make& make,
                  const Work& work) {
    using Meetings = decltype(make());
    std::vector<std::optional<Meetings>> own(static_cast<std::size_t>(std::max(1, n_threads)));
    const auto n = static_cast<std::int64_t>(last - first);
    for_each_task((n + kTogether - 1) / kTogether, n_threads, monitor, [&](std::int64_t task, int worker) {
        auto& meetings = own[static_cast<std::size_t>(worker)];
        if (!meetings) meetings.emplace(make());
        const auto begin = first + static_cast<std::size_t>(task * kTogether);
        for (std::size_t row = begin; row < std::min(begin + kTogether, last) && !monitor.stopped(); ++row)
            work(row, *meetings);
    });
}

// The k nearest, in order, with rows that are not among them at distance one to make up their number.
void take_nearest(std::vector<Near>& near, std::size_t k, std::int64_t self, double* proximity,
                  std::int64_t* neighbor) {
    const std::size_t n = std::min(k, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(n), near.end(), nearer);
    for (std::size_t i = 0; i < n; ++i) {
        proximity[i] = near[i].proximity;
        neighbor[i] = near[i].row;
    }
    if (n == k) return;
    std::vector<std::int64_t> met;
    for (const Near& other : near) met.push_back(other.row);
    if (self >= 0) met.push_back(self);
    std::sort(met.begin(), met.end());
    auto at = met.begin();
    std::int64_t row = 0;
    for (std::size_t i = n; i < k; ++row) {
        while (at != met.end() && *at < row) ++at;
        if (at != met.end() && *at == row) continue;
        proximity[i] = 0.0;
        neighbor[i++] = row;
    }
}

}  // namespace

void LeafIndex::nearest(const Arrivals& rows, std::size_t k, bool apart, int n_threads, Monitor& monitor,
                        double* proximity, std::int64_t* neighbor) const {
    with_meetings([&](const auto& make) {
        for_each_row(0, rows.n_rows, n_threads, monitor, make, [&](std::size_t row, auto& meetings) {
            std::vector<Near> near = meetings.of(rows, row);
            const std::int64_t self = apart ? static_cast<std::int64_t>(row) : -1;
            std::erase_if(near, [&](const Near& other) { return other.row == self; });
            take_nearest(near, k, self, proximity + row * k, neighbor + row * k);
        });
    });
}

std::vector<std::vector<Near>> LeafIndex::near(const Arrivals& rows, std::size_t first, std::size_t last,
                                               double least, int n_threads, Monitor& monitor) const {
    std::vector<std::vector<Near>> found(last - first);
    with_meetings([&](const auto& make) {
        for_each_row(first, last, n_threads, monitor, make, [&](std::size_t row, auto& meetings) {
            std::vector<Near>& own = found[row - first];
            for (const Near& other : meetings.of(rows, row))
                if (other.proximity >= least) own.push_back(other);
            std::sort(own.begin(), own.end(), [](const Near& a, const Near& b) { return a.row < b.row; });
        });
    });
    return found;
}

}  // namespace foliation
