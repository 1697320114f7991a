// Trees written out for many rows: each split with its atom in its cheapest form, its threshold and its
// children side by side. Made for one call and thrown away; few rows go down the trees as they are stored.
//
// Rows go down level by level: in a level no row waits for another, and nothing branches on the data.
#pragma once

#include <array>
#include <optional>

#include "projections/dictionary.h"
#include "tree.h"

namespace foliation {

// kSide table cells enter a sum and as many leave it; pairs of the same cell fill up what is not needed.
template <std::size_t kSide>
struct BoxForm {
    std::array<std::int32_t, kSide> plus{}, minus{};
    std::int32_t whole_threshold = 0;  // for sums that are whole numbers

    template <class Cell>
    std::make_signed_t<Cell> sum(const Cell* cells) const {
        Cell total = 0;
        for (std::size_t k = 0; k < kSide; ++k)
            total = static_cast<Cell>(total + cells[plus[k]] - cells[minus[k]]);
        return static_cast<std::make_signed_t<Cell>>(total);
    }
};

// Up to kShort terms, as most atoms have; weights of zero fill up what is not needed, and longer sums go on
// with `more` pairs of the stored words, from `rest` on.
struct PairsForm {
    static constexpr std::size_t kShort = 2;
    std::array<std::int32_t, kShort> ids{};
    std::array<float, kShort> weights{};
    std::int32_t more = 0;
    std::int32_t rest = 0;

    template <class T>
    double sum(const T* row, std::int64_t stride, const std::int32_t* words) const {
        double total = 0.0;
        for (std::size_t k = 0; k < kShort; ++k)
            total += static_cast<double>(weights[k]) * static_cast<double>(row[ids[k] * stride]);
        for (std::int32_t k = 0; k < more; ++k)
            total += static_cast<double>(std::bit_cast<float>(words[rest + 2 * k + 1])) *
                     static_cast<double>(row[words[rest + 2 * k] * stride]);
        return total;
    }
};

template <class Form>
struct Step {
    Form form;
    std::array<std::int32_t, 2> child{};
    double threshold = 0.0;
};

template <class Form>
using Steps = std::vector<Step<Form>>;
using AnySteps = std::variant<std::monostate, Steps<FeatureAtom>, Steps<PairsForm>, Steps<BoxForm<1>>,
                              Steps<BoxForm<2>>, Steps<BoxForm<4>>>;

// All splits of the trees, or nothing if this dictionary's atoms have no short form.
AnySteps write_steps(const Dictionary& dictionary, const Trees& trees, int n_threads, Monitor& monitor);

// A row on its way down a tree.
struct Way {
    std::uint32_t row;
    std::int32_t at;  // a split, or ~leaf once it has arrived
};

// Takes rows 0 .. n-1 down one tree of at least one split; leaf[row] is where each arrives. `ways` lends
// memory for n rows; `right(step, row)` says where to go.
template <class Form, class Right>
void descend(const Step<Form>* steps, std::size_t n, const Right& right, Way* ways, std::int32_t* leaf) {
    for (std::size_t i = 0; i < n; ++i) ways[i] = {static_cast<std::uint32_t>(i), 0};
    for (std::size_t n_ways = n; n_ways > 0;) {
        std::size_t n_left = 0;
        for (std::size_t k = 0; k < n_ways; ++k) {
            const Way way = ways[k];
            const Step<Form>& step = steps[way.at];
            const std::int32_t next = step.child[right(step, way.row) ? 1 : 0];
            leaf[way.row] = ~next;
            ways[n_left] = {way.row, next};
            n_left += next >= 0 ? 1 : 0;
        }
        n_ways = n_left;
    }
}

}  // namespace foliation
