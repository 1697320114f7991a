// The best threshold of one projected vector under one criterion.
//
// Rows with value <= threshold go left. `exact` tries the midpoint between every two neighbouring
// distinct values; `histogram` tries at most 255 midpoints: those of a regular sample of the node's
// values, and those that part the sample from what lies beyond it, unless the sample shows few distinct
// values: then it is exact; `random` tries one uniform threshold. Sums run over rows ordered by (value,
// position in the node), so they do not depend on the sort. A cut must beat what is there by more than a
// rounding error (kTie of the node's impurity), so that sums in another order cannot change the tree.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "isa.h"
#include "limits.h"
#include "rng.h"

namespace foliation {

enum class Splitter : int { automatic = 0, exact = 1, histogram = 2, random = 3 };

struct Cut {
    bool found = false;
    double threshold = 0.0;
    double gain = -std::numeric_limits<double>::infinity();
};

struct CutRules {
    Splitter splitter = Splitter::automatic;
    Limits limits;
    Isa isa = Isa::baseline;
};

struct Range {
    double lo = 0.0;
    double hi = 0.0;
    bool constant() const { return !(lo < hi); }
};
Range range_of(std::span<const double> values, Isa isa);

class Cutter {
  public:
    static constexpr double kTie = 1e-10;
    static constexpr std::size_t kBins = 256;
    static constexpr std::size_t kSample = 1024;
    static constexpr std::size_t kAutomaticRows = 4096;  // beyond it `auto` takes the histogram

    explicit Cutter(const CutRules& rules) : rules_(rules) {}

    // The total weight of the tree's rows, to which weight limits are relative.
    void begin_tree(double tree_weight) { tree_weight_ = tree_weight; }

    // The best cut of these values, if it beats `best`; otherwise `best` itself.
    template <class C>
    Cut improve(Cut best, std::span<const double> values, Range range, C& criterion, Rng& rng) {
        switch (rules_.splitter) {
            case Splitter::random:
                return at_random(best, values, range, criterion, rng);
            case Splitter::histogram:
                return by_histogram(best, values, range, criterion, kBins);
            case Splitter::automatic:
                return by_histogram(best, values, range, criterion, kAutomaticRows);
            case Splitter::exact:
                break;
        }
        return by_sort(best, values, criterion);
    }

  private:
    struct Key {
        double value;
        std::int32_t slot;
    };

    static double midpoint(double a, double b) {
        const double middle = 0.5 * a + 0.5 * b;
        return middle < b ? middle : a;
    }

    template <class C>
    Cut consider(Cut best, double threshold, std::size_t n_left, std::size_t n, const C& criterion) const {
        const double left = criterion.left_weight();
        if (!rules_.limits.legal(static_cast<std::int64_t>(n_left), static_cast<std::int64_t>(n - n_left),
                                 left, criterion.weight() - left, tree_weight_))
            return best;
        const double gain = criterion.gain();
        if (best.found && !(gain > best.gain + kTie * criterion.impurity())) return best;
        return {true, threshold, gain};
    }

    template <class C>
    Cut by_sort(Cut best, std::span<const double> values, C& criterion) {
        sort_keys(values);
        criterion.reset();
        const std::size_t n = values.size();
        for (std::size_t i = 0; i + 1 < n; ++i) {
            criterion.move(static_cast<std::size_t>(keys_[i].slot));
            const double here = keys_[i].value;
            const double next = keys_[i + 1].value;
            if (here < next) best = consider(best, midpoint(here, next), i + 1, n, criterion);
        }
        return best;
    }

    template <class C>
    Cut by_histogram(Cut best, std::span<const double> values, Range range, C& criterion,
                     std::size_t beyond) {
        if (values.size() <= beyond || !sample_thresholds(values, range))
            return by_sort(best, values, criterion);
        fill_bins(values);
        const std::size_t width = criterion.bin_width();
        sums_.assign(kBins * width, 0.0);
        counts_.assign(kBins, 0);
        for (std::size_t i = 0; i < values.size(); ++i) {
            criterion.add_to_bin(i, &sums_[bins_[i] * width]);
            ++counts_[bins_[i]];
        }
        criterion.reset();
        std::size_t n_left = 0;
        for (std::size_t b = 0; b < n_thresholds_; ++b) {
            if (counts_[b] == 0) continue;
            criterion.move_bin(&sums_[b * width]);
            n_left += counts_[b];
            best = consider(best, thresholds_[b], n_left, values.size(), criterion);
        }
        return best;
    }

    template <class C>
    Cut at_random(Cut best, std::span<const double> values, Range range, C& criterion, Rng& rng) {
        const double drawn = range.lo + rng.uniform() * (range.hi - range.lo);
        const double threshold = drawn < range.hi ? drawn : range.lo;
        criterion.reset();
        std::size_t n_left = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!(values[i] <= threshold)) continue;
            criterion.move(i);
            ++n_left;
        }
        return consider(best, threshold, n_left, values.size(), criterion);
    }

    void sort_keys(std::span<const double> values);
    // False if the sample has too few distinct values to stand for the node.
    bool sample_thresholds(std::span<const double> values, Range range);
    void fill_bins(std::span<const double> values);

    CutRules rules_;
    double tree_weight_ = 1.0;
    std::vector<Key> keys_;
    std::vector<double> sample_;
    std::vector<double> thresholds_;  // ascending, padded with infinity to kBins
    std::size_t n_thresholds_ = 0;
    std::vector<std::uint8_t> bins_;
    std::vector<double> sums_;
    std::vector<std::size_t> counts_;
};

}  // namespace foliation
