// The rows of a node added up in bins: what a criterion keeps of them, per bin.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/isa.h"
#include "core/data/whole_rows.h"

namespace foliation {

class Bins {
  public:
    explicit Bins(Isa isa) : isa_(isa) {}

    // Adds row i < n_rows to bin bin_of(i); rows are counted too if that is asked for.
    template <class C, class BinOf>
    void fill(std::size_t n_rows, std::size_t n_bins, const C& criterion, const BinOf& bin_of, bool count) {
        width_ = criterion.bin_width();
        const WholeRows* rows = nullptr;
        if constexpr (requires { criterion.whole_rows(); }) rows = criterion.whole_rows();
        if (rows != nullptr) {
            const std::uint16_t* codes = rows->codes.data();
            const std::uint16_t* weights = rows->weights.data();
            add_up(whole_, n_rows, n_bins * width_, [=, width = width_](std::uint32_t* cells, std::size_t i) {
                cells[bin_of(i) * width + codes[i]] += weights[i];
            });
            cells_.assign(whole_.begin(), whole_.begin() + static_cast<std::ptrdiff_t>(n_bins * width_));
        } else {
            add_up(cells_, n_rows, n_bins * width_, [&](double* cells, std::size_t i) {
                criterion.add_to_bin(i, cells + bin_of(i) * width_);
            });
        }
        if (!count) return;
        counts_.assign(n_bins, 0);
        for (std::size_t row = 0; row < n_rows; ++row) ++counts_[bin_of(row)];
    }

    // The same for two classes and one bin for each of a few numbers from lo on: every row is compared with
    // every number. False if that cannot be done.
    bool fill_few(std::span<const std::int16_t> values, std::int16_t lo, std::size_t n_bins,
                  const WholeRows& rows);

    const double* operator[](std::size_t bin) const { return &cells_[bin * width_]; }
    bool empty(std::size_t bin) const {
        const double* cells = (*this)[bin];
        return std::all_of(cells, cells + width_, [](double cell) { return cell == 0.0; });
    }
    std::size_t n_rows(std::size_t bin) const { return counts_[bin]; }  // if they were counted

  private:
    static constexpr std::size_t kFewCells = 512;
    static constexpr std::size_t kCopies = 4;

    // Calls add(cells, row) for every row. Few cells are kept in several copies, for rows that follow each
    // other: a cell that has just been written is slow to read again.
    template <class Cell, class Add>
    static void add_up(std::vector<Cell>& cells, std::size_t n_rows, std::size_t n_cells, const Add& add) {
        const std::size_t n_copies = n_cells <= kFewCells ? kCopies : 1;
        cells.assign(n_cells * n_copies, Cell{0});
        std::size_t i = 0;
        for (; n_copies > 1 && i + kCopies <= n_rows; i += kCopies)
            for (std::size_t c = 0; c < kCopies; ++c) add(cells.data() + c * n_cells, i + c);
        for (; i < n_rows; ++i) add(cells.data(), i);
        for (std::size_t c = 1; c < n_copies; ++c)
            for (std::size_t k = 0; k < n_cells; ++k) cells[k] += cells[c * n_cells + k];
    }

    Isa isa_;
    std::size_t width_ = 0;  // cells of a bin
    std::vector<double> cells_;
    std::vector<std::uint32_t> whole_;  // the same in whole numbers
    std::vector<std::size_t> counts_;
};

}  // namespace foliation
