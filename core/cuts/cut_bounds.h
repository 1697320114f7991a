// Branch and bound over the candidates of a node: an upper bound for each from its value bins, before any is
// cut.
//
// The best cut between two bins of any candidate is a lower bound on the best cut of the node, so bins with a
// smaller upper bound need not be searched. Where bounds do not exclude enough, candidates are left unbounded
// for a while, the longer the more often that has happened. This changes time, never a result.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "core/cuts/value_bins.h"

namespace foliation {

class CutBounds {
  public:
    explicit CutBounds(Isa isa) : isa_(isa) {}

    void begin_tree() { skip_ = failed_ = 0; }
    void begin_candidates() {
        bounded_ = 0;
        best_purity_ = -std::numeric_limits<double>::infinity();
    }

    // Bounds candidate k unless that has been done; false if it cannot be bounded, or is skipped. `least` is
    // the weight that both sides of a cut need.
    template <class V, class C>
    bool bound(std::size_t k, std::span<const V> values, Range<V> range, const C& criterion, double least) {
        if ((bounded_ >> k & 1) != 0) return true;
        const WholeRows* rows = criterion.whole_rows();
        if (rows == nullptr) return false;
        if (skip_ > 0) {
            --skip_;
            return false;
        }
        while (bins_.size() <= k) bins_.emplace_back(isa_, *scratch_);
        if (!bins_[k].count(values, range, *rows, criterion.class_weights())) return false;
        bounded_ |= std::uint64_t{1} << k;
        best_purity_ = std::max(best_purity_, bins_[k].best_between(least));
        return true;
    }

    ValueBins& operator[](std::size_t k) { return bins_[k]; }
    double best_purity() const { return best_purity_; }  // of a cut between two bins of any candidate

    // Records whether the last bound excluded enough to be worth its time.
    void record(bool paid) {
        constexpr int kMostSkipped = 511;
        if (!paid) skip_ = std::min(2 * failed_ + 1, kMostSkipped);
        failed_ = paid ? 0 : skip_;
    }

  private:
    Isa isa_;
    std::unique_ptr<ValueBinScratch> scratch_ = std::make_unique<ValueBinScratch>();
    std::vector<ValueBins> bins_;  // one per candidate
    std::uint64_t bounded_ = 0;    // one bit per candidate
    double best_purity_ = -std::numeric_limits<double>::infinity();
    int skip_ = 0;  // candidates to leave unbounded
    int failed_ = 0;
};

}  // namespace foliation
