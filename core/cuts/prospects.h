// What the candidates of a node promise, known from stretches of their values before any is cut.
//
// The best cut between two stretches of one candidate spares the others much work. Where it does not pay, it
// is left for a while, the longer the more often that has happened; this changes time only.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "core/cuts/stretches.h"

namespace foliation {

class Prospects {
  public:
    explicit Prospects(Isa isa) : isa_(isa) {}

    void begin_tree() { rest_ = failed_ = 0; }
    void begin_candidates() {
        looked_ = 0;
        purity_ = -std::numeric_limits<double>::infinity();
    }

    // Counts candidate k unless that has been done; false if it cannot be, or is left for now. `least` is the
    // weight that both sides of a cut need.
    template <class V, class C>
    bool look(std::size_t k, std::span<const V> values, Range<V> range, const C& criterion, double least) {
        if ((looked_ >> k & 1) != 0) return true;
        const WholeRows* rows = criterion.whole_rows();
        if (rows == nullptr) return false;
        if (rest_ > 0) {
            --rest_;
            return false;
        }
        while (stretches_.size() <= k) stretches_.emplace_back(isa_, *scratch_);
        if (!stretches_[k].count(values, range, *rows, criterion.class_weights())) return false;
        looked_ |= std::uint64_t{1} << k;
        purity_ = std::max(purity_, stretches_[k].best_between(least));
        return true;
    }

    Stretches& operator[](std::size_t k) { return stretches_[k]; }
    double purity() const { return purity_; }  // the largest between two stretches of any candidate

    // Says whether the last look paid.
    void learn(bool paid) {
        constexpr int kLongestRest = 511;
        if (!paid) rest_ = std::min(2 * failed_ + 1, kLongestRest);
        failed_ = paid ? 0 : rest_;
    }

  private:
    Isa isa_;
    std::unique_ptr<StretchScratch> scratch_ = std::make_unique<StretchScratch>();
    std::vector<Stretches> stretches_;  // one per candidate
    std::uint64_t looked_ = 0;          // one bit per candidate
    double purity_ = -std::numeric_limits<double>::infinity();
    int rest_ = 0;  // candidates to leave
    int failed_ = 0;
};

}  // namespace foliation
