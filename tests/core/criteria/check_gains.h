// Gains of a criterion against the impurity of both sides, each worked out by itself.
#pragma once

#include <vector>

#include "tests/core/check.h"
#include "tests/core/make.h"

using Slots = std::vector<std::size_t>;  // of some samples of a node

// The weight of each class among these samples.
inline std::vector<double> class_weights(const NodeData& data, const Slots& slots, std::size_t n_classes) {
    std::vector<double> weights(n_classes, 0.0);
    for (const std::size_t i : slots) weights[static_cast<std::size_t>(data.classes[i])] += data.weights[i];
    return weights;
}

// impurity(slots) is that of some samples, times their weight.
template <class C, class Impurity>
void check_gains(C criterion, const NodeData& data, const Impurity& impurity) {
    Slots all;
    double weight = 0.0;
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
        all.push_back(i);
        weight += data.weights[i];
    }
    criterion.begin(data.node());
    CHECK(close(criterion.weight(), weight) && close(criterion.impurity(), impurity(all), 1e-10));
    foliation::Rng rng(9);
    for (int k = 0; k < 20 && all.size() > 1; ++k) {
        Slots left_slots{0}, right_slots{1};
        for (std::size_t i = 2; i < all.size(); ++i)
            (rng.sign() > 0.0 ? left_slots : right_slots).push_back(i);
        const double expected = impurity(all) - impurity(left_slots) - impurity(right_slots);
        auto left = criterion.empty_left();
        for (const std::size_t slot : left_slots) criterion.move(left, slot);
        const double gain = criterion.gain(left);
        CHECK(close(gain, expected, 1e-10));
        const double little = 1e-6 * (1.0 + weight);
        CHECK(!criterion.cannot_beat(left, gain - little) && criterion.cannot_beat(left, gain + little));
        CHECK(criterion.cannot_beat(left, gain));

        std::vector<double> bin(criterion.bin_width(), 0.0);  // all of the left side at once
        for (const std::size_t slot : left_slots) criterion.add_to_bin(slot, bin.data());
        auto moved = criterion.empty_left();
        CHECK(close(criterion.move_bin(moved, bin.data()), left.weight));
        CHECK(close(criterion.gain(moved), expected, 1e-10));
    }
}
