// The best threshold of one projected vector under one criterion.
//
// Rows with value <= threshold go left. `exact` tries the midpoint between every two neighboring
// distinct values; `histogram` tries at most 255 midpoints: those of a random sample of the node's
// values, and those that part the sample from what lies beyond it, unless the sample shows few distinct
// values: then it is exact; `random` tries one uniform threshold. Whole numbers of a narrow range are
// counted instead of sorted.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/criteria/few_rows.h"
#include "core/cuts/best_cut.h"
#include "core/cuts/bins.h"
#include "core/cuts/cut_bounds.h"
#include "core/cuts/order.h"
#include "core/cuts/thresholds.h"

namespace foliation {

enum class Splitter : int { automatic = 0, exact = 1, histogram = 2, random = 3 };

struct CutRules {
    Splitter splitter = Splitter::automatic;
    Limits limits;
    Isa isa = Isa::baseline;
};

// A criterion of the projected values themselves; others read targets.
template <class C, class V>
concept ReadsValues =
    requires(C c, const V* values, const std::uint32_t* slots) { c.read(values, slots, 1); };

// Values are whole numbers of 16 or 32 bits, or doubles.
template <class V>
class Cutter {
  public:
    static constexpr std::size_t kAutomaticRows = 4096;  // beyond it `auto` takes the histogram

    explicit Cutter(const CutRules& rules)
        : rules_(rules),
          order_(rules.isa),
          thresholds_(rules.isa),
          best_(rules.limits),
          bins_(rules.isa),
          bounds_(rules.isa) {}

    // The total weight of the tree's rows, to which weight limits are relative.
    void begin_tree(double tree_weight) {
        best_.begin_tree(tree_weight);
        bounds_.begin_tree();
    }

    // The share of its node that the rows of the candidates are.
    void begin_node(double share) { share_ = share; }

    // Forgets the bounds of the candidates before.
    void begin_candidates() { bounds_.begin_candidates(); }

    // Branch and bound: bounds candidate k before any is cut, so that the best cut between value bins of one
    // candidate excludes parts of the others. False if this would not help, nor with others of its kind.
    template <class C>
    bool bound(std::size_t k, std::span<const V> values, Range<V> range, const C& criterion) {
        n_ = values.size();
        const bool exact = rules_.splitter == Splitter::exact ||
                           (rules_.splitter == Splitter::automatic && n_ <= kAutomaticRows);
        if constexpr (requires(C c) { c.left_side(nullptr); })
            if (exact && !narrow(range, criterion)) {
                bound_candidate(k, values, range, criterion);
                return true;
            }
        return false;
    }

    // The best cut of candidate k, if it beats `best`; otherwise `best` itself.
    template <class C>
    Cut improve(Cut best, std::size_t k, std::span<const V> values, Range<V> range, C& criterion, Rng& rng) {
        candidate_ = k;
        n_ = values.size();
        best_.begin(best, n_, criterion.impurity());
        if constexpr (ReadsValues<C, V>) {
            by_values(values, range, criterion);
        } else {
            by_targets(values, range, criterion, rng);
        }
        return best_.cut();
    }

  private:
    template <class C>
    void by_targets(std::span<const V> values, Range<V> range, C& criterion, Rng& rng) {
        switch (rules_.splitter) {
            case Splitter::random:
                at_random(values, range, criterion, rng);
                break;
            case Splitter::histogram:
                by_histogram(values, range, criterion, rng, Thresholds<V>::kBins);
                break;
            case Splitter::automatic:
                by_histogram(values, range, criterion, rng, kAutomaticRows);
                break;
            case Splitter::exact:
                exactly(values, range, criterion);
        }
    }

    // All cuts of the rows in order, by a criterion that reads their values.
    template <class C>
    void by_values(std::span<const V> values, Range<V> range, C& criterion) {
        const Ordered<V> ordered = order_.sort(values, range);
        criterion.read(ordered.values, ordered.slots, n_);
        best_.consider_values(criterion, share_);
    }

    template <class C>
    void exactly(std::span<const V> values, Range<V> range, C& criterion) {
        if constexpr (requires { criterion.left_side(nullptr); })
            if (!narrow(range, criterion) &&
                (by_comparing(values, range, criterion) || by_bounds(values, range, criterion)))
                return;
        if constexpr (std::is_integral_v<V>)
            if (range.n_values() * criterion.bin_width() <= kCountedCells * n_)
                return by_counting(values, range.lo, range.n_values(), criterion);
        by_order(order_.sort(values, range), criterion);
    }

    // Compares all rows with each other, if they are few and a cut to beat is known. False if this does not
    // apply.
    template <class C>
    bool by_comparing(std::span<const V> values, Range<V> range, const C& criterion) {
        if constexpr (std::is_integral_v<V> && requires { criterion.few_rows(); }) {
            const FewRows* rows = criterion.few_rows();
            if (rows == nullptr || !best_.cut().found || rows_are_counted() || range.n_values() > 0x10000)
                return false;
            std::array<FewRows::Cut, FewRows::kMostCuts> cuts;
            const std::size_t n_cuts =
                rows->find_cuts(values, range.lo, purity_beyond(best_.bound(), criterion), rules_.isa, cuts);
            if (n_cuts > cuts.size()) return false;
            for (std::size_t k = 0; k < n_cuts; ++k)
                best_.consider(criterion, criterion.left_side(cuts[k]), 1,
                               [&] { return midpoint_behind(values[cuts[k].slot], values, range); });
            return true;
        }
        return false;
    }

    // Whether values are so few that counting them is best.
    template <class C>
    bool narrow(Range<V> range, const C& criterion) const {
        if constexpr (std::is_integral_v<V>)
            return range.n_values() * criterion.bin_width() <= std::max(kVeryFewCells, n_ / 8);
        return false;
    }

    template <class C>
    bool bound_candidate(std::size_t k, std::span<const V> values, Range<V> range, const C& criterion) {
        return !rows_are_counted() &&
               bounds_.bound(k, values, range, criterion, best_.least_weight(criterion));
    }

    // No cut of a smaller purity gains as much.
    template <class C>
    static double purity_beyond(double gain, const C& criterion) {
        return criterion.weight() - criterion.impurity() + gain - kSlack * criterion.weight();
    }

    // Sorts only the rows of promising value bins: those in which a cut may beat the best so far and the best
    // one between two bins. False if they are too many to be worth it.
    template <class C>
    bool by_bounds(std::span<const V> values, Range<V> range, C& criterion) {
        if (!bound_candidate(candidate_, values, range, criterion)) return false;
        const double between = bounds_.best_purity() - (criterion.weight() - criterion.impurity());
        const double needed = std::max(best_.bound(), between - 4.0 * kTie * criterion.impurity());
        const double promising = bounds_[candidate_].mark_promising(purity_beyond(needed, criterion));
        const bool pays = 2.0 * promising <= criterion.weight();
        bounds_.record(pays);
        if (pays && promising > 0.0) scan_promising(values, range, criterion);
        return pays;
    }

    template <class C>
    void scan_promising(std::span<const V> values, Range<V> range, C& criterion) {
        near_values_.resize(n_);
        near_slots_.resize(n_);
        ValueBins& value_bins = bounds_[candidate_];
        const std::size_t n_near = value_bins.take_promising(values, range, *criterion.whole_rows(),
                                                             near_values_.data(), near_slots_.data());
        const std::span<const V> near = std::span<const V>(near_values_).first(n_near);
        const Ordered<V> ordered = order_.sort(near, range_of(near, rules_.isa));
        const auto slot = [&](std::size_t k) { return near_slots_[ordered.slots[k]]; };
        typename C::Left left;
        std::size_t bin = n_;
        for (std::size_t k = 0; k < n_near; ++k) {
            const std::size_t own = value_bins.bin_of(slot(k));
            if (own != bin) left = criterion.left_side(value_bins.weights_before(own));
            bin = own;
            criterion.move(left, slot(k));
            const V here = ordered.values[k];
            if ((k + 1 < n_near && !(here < ordered.values[k + 1])) || !(here < range.hi)) continue;
            best_.consider(criterion, left, 1, [&] { return midpoint_behind(here, values, range); });
        }
    }

    template <class C>
    void by_order(const Ordered<V>& ordered, C& criterion) {
        auto left = criterion.empty_left();
        for (std::size_t i = 0; i + 1 < n_; ++i) {
            criterion.move(left, ordered.slots[i]);
            const V here = ordered.values[i];
            const V next = ordered.values[i + 1];
            if (here < next)
                best_.consider(criterion, left, i + 1, [&] {
                    return midpoint(static_cast<double>(here), static_cast<double>(next));
                });
        }
    }

    // One bin for every whole number from lo on; the first and the last hold rows.
    template <class C>
    void by_counting(std::span<const V> values, V lo, std::size_t n_bins, C& criterion) {
        if (!count_few(values, lo, n_bins, criterion))
            bins_.fill(
                n_, n_bins, criterion,
                [values, lo](std::size_t i) { return static_cast<std::size_t>(values[i] - lo); },
                rows_are_counted());
        scan_bins(n_bins - 1, criterion, [&](std::size_t b) {
            std::size_t next = b + 1;
            while (bins_.empty(next)) ++next;
            return midpoint(static_cast<double>(lo) + static_cast<double>(b),
                            static_cast<double>(lo) + static_cast<double>(next));
        });
    }

    template <class C>
    bool count_few(std::span<const V> values, V lo, std::size_t n_bins, const C& criterion) {
        if constexpr (std::is_same_v<V, std::int16_t> && requires { criterion.whole_rows(); })
            if (criterion.bin_width() == 2 && criterion.whole_rows() != nullptr && !rows_are_counted())
                return bins_.fill_few(values, lo, n_bins, *criterion.whole_rows());
        return false;
    }

    template <class C>
    void by_histogram(std::span<const V> values, Range<V> range, C& criterion, Rng& rng, std::size_t beyond) {
        if (n_ <= beyond || !thresholds_.sample(values, range, rng)) return exactly(values, range, criterion);
        thresholds_.find_bins(values, range);
        const auto id = [ids = thresholds_.bins()](std::size_t i) { return std::size_t{ids[i]}; };
        bins_.fill(n_, Thresholds<V>::kBins, criterion, id, rows_are_counted());
        scan_bins(thresholds_.size(), criterion, [&](std::size_t b) { return thresholds_[b]; });
    }

    template <class C>
    void at_random(std::span<const V> values, Range<V> range, C& criterion, Rng& rng) {
        const auto lo = static_cast<double>(range.lo);
        const auto hi = static_cast<double>(range.hi);
        const double drawn = lo + rng.uniform() * (hi - lo);
        const double threshold = drawn < hi ? drawn : lo;
        auto left = criterion.empty_left();
        std::size_t n_left = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            if (!goes_left(static_cast<double>(values[i]), threshold)) continue;
            criterion.move(left, i);
            ++n_left;
        }
        best_.consider(criterion, left, n_left, [&] { return threshold; });
    }

    bool rows_are_counted() const { return rules_.limits.min_samples_leaf > 1; }

    // Tries the cuts behind the first bins; threshold(b) is that of the cut behind bin b.
    template <class C, class Threshold>
    void scan_bins(std::size_t n_bins, C& criterion, const Threshold& threshold) {
        auto left = criterion.empty_left();
        std::size_t n_left = rows_are_counted() ? 0 : 1;
        for (std::size_t b = 0; b < n_bins; ++b) {
            if (!(criterion.move_bin(left, bins_[b]) > 0.0)) continue;
            if (rows_are_counted()) n_left += bins_.n_rows(b);
            best_.consider(criterion, left, n_left, [&] { return threshold(b); });
        }
    }

    static constexpr std::size_t kCountedCells = 4;  // as many cells per row may be counted
    static constexpr double kSlack = 1e-12;          // of the weight, for rounding errors
    static constexpr std::size_t kVeryFewCells = 64;

    CutRules rules_;
    Order<V> order_;
    Thresholds<V> thresholds_;
    double share_ = 1.0;
    BestCut best_;
    std::size_t n_ = 0;
    Bins bins_;
    CutBounds bounds_;
    std::size_t candidate_ = 0;   // at hand
    std::vector<V> near_values_;  // in promising value bins
    std::vector<std::uint32_t> near_slots_;
};

}  // namespace foliation
