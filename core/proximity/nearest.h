// The k nearest of many rows that are offered one by one, without sorting all of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/rng.h"

namespace foliation {

struct Near {
    double proximity;
    std::int32_t row;
};

// Keeps the k nearest of those that are offered, and some more. Equally near ones are ranked by their number.
class Nearest {
  public:
    Nearest(std::size_t k, std::size_t n_trees) : k_(k), n_trees_(static_cast<double>(n_trees)) {}

    // Forgets all, and leaves a row out from now on, or -1.
    void begin(std::int64_t left_out) {
        kept_.clear();
        least_ = 0;
        fewest_ = 0;
        left_out_ = left_out;
    }

    // Of all trees, those that a row must share to be among the k, if proximity is the share of all trees.
    std::size_t fewest() const { return fewest_; }

    void offer(const Near& near) {
        const Rank rank = rank_of(near);
        if (rank < least_ || near.row == left_out_) return;
        kept_.push_back(rank);
        if (kept_.size() == 4 * k_) drop();
    }

    // Writes the k nearest, nearest first, and to make up their number others at distance one.
    void write(double* proximity, std::int64_t* neighbor) {
        if (kept_.size() > k_) drop();
        std::sort(kept_.begin(), kept_.end(), std::greater<>());
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            proximity[i] = near_of(kept_[i]).proximity;
            neighbor[i] = near_of(kept_[i]).row;
        }
        if (kept_.size() < k_) make_up(proximity, neighbor);
    }

  private:
    // Larger for what is nearer, or as near and of a smaller number: proximities are not negative, so their
    // bits are in order.
    using Rank = uint128;

    static Rank rank_of(const Near& near) {
        return Rank{std::bit_cast<std::uint64_t>(near.proximity)} << 32 |
               ~static_cast<std::uint32_t>(near.row);
    }
    static Near near_of(Rank rank) {
        return {std::bit_cast<double>(static_cast<std::uint64_t>(rank >> 32)),
                static_cast<std::int32_t>(~static_cast<std::uint32_t>(rank))};
    }

    void drop() {
        const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
        std::nth_element(kept_.begin(), last, kept_.end(), std::greater<>());
        least_ = *last;
        fewest_ = static_cast<std::size_t>(std::lround(near_of(least_).proximity * n_trees_));
        kept_.resize(k_);
    }

    void make_up(double* proximity, std::int64_t* neighbor) const {
        std::vector<std::int64_t> met(neighbor, neighbor + kept_.size());
        if (left_out_ >= 0) met.push_back(left_out_);
        std::sort(met.begin(), met.end());
        auto at = met.begin();
        std::int64_t row = 0;
        for (std::size_t i = kept_.size(); i < k_; ++row) {
            while (at != met.end() && *at < row) ++at;
            if (at != met.end() && *at == row) continue;
            proximity[i] = 0.0;
            neighbor[i++] = row;
        }
    }

    std::size_t k_;
    double n_trees_;
    std::vector<Rank> kept_;
    Rank least_ = 0;  // all that are farther cannot be among the k
    std::size_t fewest_ = 0;
    std::int64_t left_out_ = -1;
};

}  // namespace foliation
