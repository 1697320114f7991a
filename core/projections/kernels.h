// A kernel of a bank, placed at random on the grid.
// Words: number of the kernel, start per axis. Cells outside the grid count zero.
#pragma once

#include "core/base/rng.h"
#include "core/projections/atoms.h"
#include "core/projections/patches.h"

namespace foliation {

struct Kernels {
    static constexpr const char* kName = "kernels";
    std::vector<PatchAxis> axes;  // min_size == max_size: the size of every kernel
    Border border = Border::pad;
    std::vector<double> bank;  // kernels one after the other, each in row-major order

    static Kernels make(std::vector<PatchAxis> axes, Border border, std::vector<double> bank) {
        return {std::move(axes), border, std::move(bank)};
    }

    std::int64_t kernel_cells() const {
        std::int64_t cells = 1;
        for (const PatchAxis& axis : axes) cells *= axis.max_size;
        return cells;
    }

    bool draw(Rng& rng, Scratch&, std::vector<std::int32_t>& words) const {
        words.push_back(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(n_kernels()))));
        const std::size_t starts = words.size();
        do {  // again where only zeros of the kernel lie on the grid
            words.resize(starts);
            for (const PatchAxis& axis : axes) {
                const auto [first, last] = ends_of(axis);
                words.push_back(rng.between(first, last));
            }
        } while (empty(Words(words).subspan(starts - 1)));
        return true;
    }

    bool holds(Words words) const {
        if (words.size() != 1 + axes.size() || words[0] < 0 || words[0] >= n_kernels()) return false;
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const auto [first, last] = ends_of(axes[a]);
            if (words[a + 1] < first || words[a + 1] > last) return false;
        }
        return true;
    }

    std::int64_t most_terms(Words) const { return kernel_cells(); }
    void expand(Words words, Scratch& scratch, Terms& out) const {
        for (std::int64_t cell = 0; cell < kernel_cells(); ++cell) {
            if (cell % kCheckedTogether == 0) scratch.check();
            const double weight = weight_of(words[0], cell);
            const std::int64_t id = weight != 0.0 ? feature_under(cell, words.subspan(1)) : -1;
            if (id >= 0) out.add(static_cast<std::int32_t>(id), weight);
        }
    }

  private:
    std::int64_t n_kernels() const { return static_cast<std::int64_t>(bank.size()) / kernel_cells(); }

    // The first and the last start of a kernel along an axis.
    std::pair<std::int32_t, std::int32_t> ends_of(const PatchAxis& axis) const {
        const bool padded = border == Border::pad && !axis.wrap;
        return {padded ? 1 - axis.max_size : 0,
                padded || axis.wrap ? axis.side - 1 : axis.side - axis.max_size};
    }

    double weight_of(std::int32_t kernel, std::int64_t cell) const {
        return bank[static_cast<std::size_t>(kernel * kernel_cells() + cell)];
    }

    bool empty(Words words) const {
        for (std::int64_t cell = 0; cell < kernel_cells(); ++cell)
            if (weight_of(words[0], cell) != 0.0 && feature_under(cell, words.subspan(1)) >= 0) return false;
        return true;
    }

    // The feature under a cell of the placed kernel, -1 outside the grid.
    std::int64_t feature_under(std::int64_t cell, Words starts) const {
        std::int64_t id = 0;
        std::int64_t stride = 1;
        for (std::size_t a = axes.size(); a-- > 0;) {
            const PatchAxis& axis = axes[a];
            std::int64_t at = starts[a] + cell % axis.max_size;
            cell /= axis.max_size;
            if (axis.wrap) at %= axis.side;
            if (at < 0 || at >= axis.side) return -1;
            id += at * stride;
            stride *= axis.side;
        }
        return id;
    }
};

}  // namespace foliation
