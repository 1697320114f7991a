// Where along the values of a candidate a cut can still win, found without sorting.
//
// The values are parted into stretches of equal length (zero, or else the smallest value, often that of many
// rows, is one by itself), and the weight of every class is counted in each. A bound on what cuts within a
// stretch can reach then shows where they cannot win, whatever the order of the rows there. Only for whole
// weights, few classes and Gini, whose sums are then whole numbers and exact.
//
// The purity of a side is the sum of its squared class weights over its weight; the gain of a cut is the
// purity of both sides less that of the node. Purity is convex in the class weights, and no larger than the
// weight. So cuts within a stretch reach at most what its corners do: all of one class left of the cut and
// all of the other right of it. Many classes have too many corners; there the stretch's whole weight is
// added.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/isa.h"
#include "core/cuts/order.h"
#include "core/data/whole_rows.h"

namespace foliation {

// What is needed for one candidate at a time.
struct StretchScratch {
    std::vector<std::uint32_t> places;  // of each row: its stretch and its class
    std::vector<std::uint16_t> cells;
};

class Stretches {
  public:
    static constexpr std::size_t kFewest = 96;   // rows
    static constexpr std::size_t kClasses = 16;  // at most
    static constexpr double kMostWeight = 32767.0;

    Stretches(Isa isa, StretchScratch& scratch) : isa_(isa), scratch_(&scratch) {}

    // Counts the rows. False if there are too few, too many classes, or too wide a range.
    template <class V>
    bool count(std::span<const V> values, Range<V> range, const WholeRows& rows,
               std::span<const double> class_weights);

    // The largest purity of a cut between two stretches with at least this weight on both sides.
    double best_between(double least) const;
    // Marks the stretches in or behind which a cut may pass this purity; returns their weight.
    double mark_hopeful(double needed);

    // Copies the values of rows in those stretches, and their slots; returns how many. Both have room for
    // all.
    template <class V>
    std::size_t take_hopeful(std::span<const V> values, Range<V> range, const WholeRows& rows, V* taken,
                             std::uint32_t* slots);
    // After these were taken.
    std::size_t of_row(std::size_t slot) const { return scratch_->places[slot] >> shift_; }
    // Per class, of all that lies before stretch s.
    const std::int32_t* weights_before(std::size_t s) const { return &before_[s << shift_]; }

  private:
    static constexpr std::size_t kMost = 128;
    static constexpr std::size_t kMostCells = std::size_t{64} * kClasses;
    static constexpr std::size_t kCopies = 2;

    // False if the range cannot be parted.
    template <class V>
    bool find_places(std::span<const V> values, Range<V> range, const WholeRows& rows);

    Isa isa_;
    StretchScratch* scratch_;
    int shift_ = 1;  // classes take 2 or kClasses places
    std::size_t n_ = 0;
    std::size_t heavy_ = 0;  // the stretch that holds one value only
    std::array<std::int32_t, kMostCells + kClasses> before_;
    std::array<double, kMost + 1> weight_;           // before each stretch, and in the end
    std::array<double, kMost + 1> purity_;           // of the cut there
    std::array<double, kMost + 1> beyond_;           // its share that lies beyond the cut
    std::array<std::uint64_t, kMost / 64> hopeful_;  // one bit per stretch
};

}  // namespace foliation
