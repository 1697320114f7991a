// A node of few rows with small whole weights, its rows set in the order of their classes: then every row can
// be compared with every other to see whether a cut is worth sorting them.
//
// The left side of a cut behind some row's value holds, of each class, the rows whose values are no larger.
// Sixteen rows are taken for that at a time, in integers of 16 bits, which hold the squared class weights.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/isa.h"

namespace foliation {

class FewRows {
  public:
    static constexpr std::size_t kMost = 96;
    static constexpr double kMostWeight = 255.0;  // its square is less than 2^16

    bool empty() const { return n_ == 0; }

    void clear() { n_ = 0; }

    // Left empty if there are too many rows, or if weights are not whole or too large.
    void read(std::span<const std::int32_t> classes, std::span<const double> weights,
              std::span<const double> class_weights);

    // A cut behind the value of this row: the weight of the left side, its squared class weights, those of
    // the right side.
    struct Cut {
        std::uint16_t slot;
        std::uint16_t weight, squares, squares_beyond;
    };
    static constexpr std::size_t kMostCuts = 8;

    // The cuts whose purity passes this (the sum over both sides of squared class weights over weight), one
    // for each row with the value, values ascending. Values lie less than 2^16 above lo. Returns their
    // number; if they are more than kMostCuts, none is written.
    template <std::signed_integral V>
    std::size_t find_cuts(std::span<const V> values, V lo, double purity, Isa isa,
                          std::array<Cut, kMostCuts>& cuts) const;

  private:
    std::size_t n_ = 0, n_classes_ = 0;
    double total_ = 0.0;
    std::array<std::uint8_t, kMost> slot_{};    // class after class
    std::array<std::int16_t, kMost> weight_{};  // of the row there
    std::array<std::uint16_t, kMost> end_{};    // of each class that has rows
    std::array<std::int16_t, kMost> class_weight_{};
    std::vector<std::uint16_t> first_;  // row of each class
};

}  // namespace foliation
