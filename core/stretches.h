// Where along the values of a candidate a cut can still win, found without sorting.
//
// The values are parted into stretches of equal length (zero, or else the smallest value, often that of many
// rows, is one by itself), and the weight of every class is counted in each. No cut within a stretch gains
// more than if the stretch's rows had no impurity at all; where even that is not enough, the rows need no
// order. Only for whole weights, few classes and Gini, whose sums are then whole numbers and exact.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "criteria/whole_rows.h"
#include "isa.h"
#include "order.h"

namespace foliation {

class Stretches {
  public:
    static constexpr std::size_t kFewest = 96;  // rows
    static constexpr std::size_t kMost = 64;
    static constexpr std::size_t kClasses = 16;  // at most
    static constexpr double kMostWeight = 32767.0;

    explicit Stretches(Isa isa) : isa_(isa) {}

    // Counts the rows. False if there are too few, too many classes, or too wide a range.
    template <class V>
    bool count(std::span<const V> values, Range<V> range, const WholeRows& rows,
               std::span<const double> class_weights);

    std::size_t size() const { return n_; }
    std::size_t heavy() const { return heavy_; }  // the stretch that holds one value only
    std::size_t of_row(std::size_t slot) const { return places_[slot] / kClasses; }
    // Up to the end of stretch s: the weight, and how much of it impurity leaves (squared class weights over
    // weight), there and in what lies beyond.
    double weight(std::size_t s) const { return weight_[s]; }
    double purity(std::size_t s) const { return purity_[s]; }
    double purity_beyond(std::size_t s) const { return purity_beyond_[s]; }
    const std::int32_t* class_weights(std::size_t s) const { return &left_[s * kClasses]; }

  private:
    static constexpr std::size_t kCopies = 2;

    Isa isa_;
    std::size_t n_ = 0, heavy_ = 0;
    std::vector<std::uint32_t> places_;  // of each row: its stretch and its class
    std::vector<std::uint16_t> cells_ = std::vector<std::uint16_t>(kCopies * kMost * kClasses);
    std::vector<std::int32_t> left_ = std::vector<std::int32_t>(kMost * kClasses);
    std::array<double, kMost> weight_, purity_, purity_beyond_;
};

}  // namespace foliation
