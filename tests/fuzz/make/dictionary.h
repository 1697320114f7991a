// Dictionaries of all families and their mixtures, on small grids. They are such as the Python package makes
// of the parameters that it accepts: what the parameters of families may be is checked there, not in the
// core.
#pragma once

#include <numeric>

#include "core/projections/dictionary.h"
#include "tests/fuzz/make/bytes.h"

namespace foliation::fuzz {

constexpr double kLargestWeight = 1e9;  // of a given atom, kernel or graph

struct FuzzGrid {
    std::vector<std::int32_t> sides;
    std::int32_t n_features = 1;
};

inline FuzzGrid make_grid(Bytes& bytes) {
    constexpr std::int32_t kMostFeatures = 400;
    FuzzGrid grid;
    const std::int32_t n_axes = bytes.rarely() ? bytes.between(4, 8) : bytes.between(1, 3);
    for (std::int32_t a = 0; a < n_axes; ++a) {
        const std::int32_t most = std::min(n_axes == 1 ? 60 : 12, kMostFeatures / grid.n_features);
        grid.sides.push_back(bytes.between(1, std::max(1, most)));
        grid.n_features *= grid.sides.back();
    }
    return grid;
}

inline std::vector<double> make_cumulative(Bytes& bytes, std::size_t n) {
    std::vector<double> sums;
    for (std::size_t k = 0; k < n; ++k) sums.push_back(bytes.between(k + 1 < n ? 0 : 1, 4));
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    for (double& sum : sums) sum /= sums.back();
    return sums;
}

inline PatchAxis make_axis(Bytes& bytes, std::int32_t side) {
    PatchAxis axis{side, 1, side, false, true};
    axis.min_size = bytes.between(1, side);
    axis.max_size = bytes.between(axis.min_size, side);
    axis.contiguous = !bytes.rarely();
    axis.wrap = axis.contiguous && bytes.flag();
    return axis;
}

inline Border make_border(Bytes& bytes) { return bytes.one_of({Border::pad, Border::inside}); }

inline std::vector<PatchAxis> make_axes(Bytes& bytes, const FuzzGrid& grid) {
    std::vector<PatchAxis> axes;
    for (const std::int32_t side : grid.sides) axes.push_back(make_axis(bytes, side));
    return axes;
}

inline Patches make_patches(Bytes& bytes, std::vector<PatchAxis> axes, GridPlace place) {
    const Border border = make_border(bytes);
    const auto weights = bytes.one_of({Weights::ones, Weights::signs, Weights::uniform, Weights::gaussian});
    return Patches::make(std::move(axes), border, weights, bytes.one_of({0.0, 0.5, 1.0}), place);
}

inline Kernels make_kernels(Bytes& bytes, const FuzzGrid& grid) {
    std::vector<PatchAxis> axes = make_axes(bytes, grid);
    for (PatchAxis& axis : axes) {
        axis.contiguous = true;
        axis.min_size = axis.max_size;
    }
    Kernels kernels = Kernels::make(std::move(axes), make_border(bytes), {});
    const auto n_cells = static_cast<std::size_t>(kernels.kernel_cells());
    const std::size_t n_kernels = 1 + bytes.below(3);
    for (std::size_t cell = 0; cell < n_kernels * n_cells; ++cell)
        kernels.bank.push_back(cell % n_cells == 0 ? 1.0 : bytes.number(kLargestWeight));
    return kernels;
}

// Edges in both directions, none from a feature to itself.
inline Neighborhoods make_neighborhoods(Bytes& bytes, std::int32_t n_features) {
    const auto n = static_cast<std::size_t>(n_features);
    std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
    for (std::size_t k = bytes.below(40); k > 0; --k) {
        const std::size_t from = bytes.below(n);
        const std::size_t to = bytes.below(n);
        if (from != to) joined[from][to] = joined[to][from] = true;
    }
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> neighbors;
    for (const std::vector<bool>& row : joined) {
        for (std::size_t other = 0; other < n; ++other)
            if (row[other]) neighbors.push_back(static_cast<std::int32_t>(other));
        start.push_back(std::ssize(neighbors));
    }
    const bool part = bytes.flag();
    const std::int32_t most = part ? n_features : bytes.one_of({3, std::numeric_limits<std::int32_t>::max()});
    const std::int32_t least = bytes.between(part ? 1 : 0, std::min(most, 3));
    return Neighborhoods::make(
        std::move(start), std::move(neighbors), {least, bytes.between(least, most)}, part,
        bytes.one_of({Weights::ones, Weights::signs, Weights::uniform, Weights::gaussian}));
}

inline Sparse make_sparse(Bytes& bytes, std::int32_t n_features) {
    std::vector<std::int32_t> some;
    if (bytes.flag())
        for (std::int32_t id = bytes.between(0, n_features - 1); id < n_features; id += bytes.between(1, 9))
            some.push_back(id);
    const double nonzeros = bytes.one_of({1.5, 1e-9, 4.0, 30.0, 1000.0});
    const auto weights = bytes.one_of({Weights::signs, Weights::normal, Weights::uniform, Weights::ones});
    return Sparse::make(n_features, nonzeros, weights, std::move(some));
}

inline Atoms make_atoms(Bytes& bytes, std::int32_t n_features) {
    Atoms atoms = Atoms::make({0}, {}, {}, {});
    const std::size_t n_atoms = 1 + bytes.below(6);
    for (std::size_t k = 0; k < n_atoms; ++k) {
        for (std::int32_t id = bytes.between(0, n_features - 1); id < n_features; id += bytes.between(1, 9)) {
            const double weight = bytes.number(kLargestWeight);
            atoms.ids.push_back(id);
            atoms.weights.push_back(weight != 0.0 ? weight : 1.0);
        }
        atoms.start.push_back(std::ssize(atoms.ids));
    }
    atoms.cumulative = make_cumulative(bytes, n_atoms);
    return atoms;
}

inline Family make_family(Bytes& bytes, const FuzzGrid& grid) {
    switch (bytes.between(0, 5)) {
        case 0:
            return Axis::make(grid.n_features);
        case 1:
            return make_sparse(bytes, grid.n_features);
        case 2:
            return make_patches(bytes, make_axes(bytes, grid), {0, grid.sides.back()});
        case 3:
            return make_kernels(bytes, grid);
        case 4:
            return make_neighborhoods(bytes, grid.n_features);
        default:
            return make_atoms(bytes, grid.n_features);
    }
}

// Boxes of views: members lie one after the other in a row, with a last axis of their own, padded to one
// pitch.
inline Dictionary make_views(Bytes& bytes, const FuzzGrid& grid) {
    const std::int32_t n_views = bytes.between(1, 3);
    const std::int32_t pitch = grid.sides.back() + bytes.between(0, 2);
    const std::int32_t n_cells = grid.n_features / grid.sides.back() * pitch;
    Dictionary dictionary{{}, {}, n_views * n_cells};
    for (std::int32_t v = 0; v < n_views; ++v) {
        std::vector<PatchAxis> axes = make_axes(bytes, grid);
        axes.back() = make_axis(bytes, bytes.between(1, pitch));
        dictionary.members.push_back(make_patches(bytes, std::move(axes), {v * n_cells, pitch}));
    }
    dictionary.cumulative = make_cumulative(bytes, dictionary.members.size());
    return dictionary;
}

inline Dictionary make_dictionary(Bytes& bytes) {
    const FuzzGrid grid = make_grid(bytes);
    if (bytes.rarely()) return make_views(bytes, grid);
    Dictionary dictionary{{}, {}, grid.n_features};
    const std::int32_t n_members = bytes.rarely() ? bytes.between(2, 4) : 1;
    for (std::int32_t k = 0; k < n_members; ++k) dictionary.members.push_back(make_family(bytes, grid));
    dictionary.cumulative = make_cumulative(bytes, dictionary.members.size());
    return dictionary;
}

// The words of an atom that the dictionary draws; sometimes something is wrong with them.
inline void make_words(Bytes& bytes, const Dictionary& dictionary, std::vector<std::int32_t>& words) {
    Scratch scratch;
    Rng rng(bytes.any<std::uint16_t>());
    const std::size_t begin = words.size();
    dictionary.begin_node(scratch);
    dictionary.draw(rng, scratch, words);
    if (!bytes.rarely()) return;
    std::int32_t& word = words[begin + bytes.below(words.size() - begin)];
    switch (bytes.between(0, 3)) {
        case 0:
            word = static_cast<std::int32_t>(static_cast<std::uint32_t>(word) +
                                             static_cast<std::uint32_t>(bytes.between(-4, 4)));
            break;
        case 1:
            word = bytes.any<std::int32_t>();
            break;
        case 2:
            words.push_back(bytes.any<std::int8_t>());
            break;
        default:
            words.pop_back();
    }
}

}  // namespace foliation::fuzz
