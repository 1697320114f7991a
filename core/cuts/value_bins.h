// Value bins: an upper bound on the gain of cuts in each part of a candidate's range, without sorting.
//
// The range is divided into bins of equal length. Zero, or else the smallest value, has a bin of its own,
// since many rows often share it. The weight of every class is counted in each bin. From that follows an
// upper bound on the gain of all cuts within a bin, whatever the order of its rows. Only for whole weights,
// few classes and Gini, whose sums are then whole numbers and exact.
//
//   lo          0        hi
//   |---|---|---|*|---|---|        * the bin that holds one value only
//       ^ best_between(): cuts at the edges, exact
//         ^ mark_promising(): bins inside which a cut may exceed a purity
//
// The purity of a side is the sum of its squared class weights over its weight; the gain of a cut is the
// purity of both sides minus that of the node. Purity is convex in the class weights, and at most the
// weight. So the purity of a cut within a bin is at most that of the bin's corners: all rows of one class
// left of the cut and all rows of the other right of it. Many classes have too many corners; there the bin's
// weight is the bound.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/isa.h"
#include "core/cuts/order.h"
#include "core/data/whole_rows.h"

namespace foliation {

// Memory that the bins of all candidates share; it is used for one at a time.
struct ValueBinScratch {
    std::vector<std::uint32_t> places;  // of each row: its bin and its class
    std::vector<std::uint16_t> cells;
};

class ValueBins {
  public:
    static constexpr std::size_t kFewest = 96;   // rows
    static constexpr std::size_t kClasses = 16;  // at most
    static constexpr double kMostWeight = 32767.0;

    ValueBins(Isa isa, ValueBinScratch& scratch) : isa_(isa), scratch_(&scratch) {}

    // Counts the rows. False if there are too few rows, too many classes, or too wide a range.
    template <class V>
    bool count(std::span<const V> values, Range<V> range, const WholeRows& rows,
               std::span<const double> class_weights);

    // The largest purity of a cut between two bins with at least this weight on both sides.
    double best_between(double least) const;
    // Marks the bins in or behind which a cut may exceed this purity; returns their weight.
    double mark_promising(double needed);

    // Copies the values of the rows in these bins, and their slots; returns how many. Both arrays have room
    // for all rows.
    template <class V>
    std::size_t take_promising(std::span<const V> values, Range<V> range, const WholeRows& rows, V* taken,
                               std::uint32_t* slots);
    // Valid after take_promising().
    std::size_t bin_of(std::size_t slot) const { return scratch_->places[slot] >> shift_; }
    // Per class, of all rows before bin s.
    const std::int32_t* weights_before(std::size_t s) const { return &before_[s << shift_]; }

  private:
    static constexpr std::size_t kMost = 128;
    static constexpr std::size_t kMostCells = std::size_t{64} * kClasses;
    static constexpr std::size_t kCopies = 2;

    // False if the range cannot be parted.
    template <class V>
    bool find_places(std::span<const V> values, Range<V> range, const WholeRows& rows);

    Isa isa_;
    ValueBinScratch* scratch_;
    int shift_ = 1;  // classes take 2 or kClasses places
    std::size_t n_ = 0;
    std::size_t heavy_ = 0;  // the bin that holds one value only
    std::array<std::int32_t, kMostCells + kClasses> before_;
    std::array<double, kMost + 1> weight_;             // before each bin, and in the end
    std::array<double, kMost + 1> purity_;             // of the cut there
    std::array<double, kMost + 1> beyond_;             // its share that lies beyond the cut
    std::array<std::uint64_t, kMost / 64> promising_;  // one bit per bin
};

}  // namespace foliation
