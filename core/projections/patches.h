// A random box of an n-dimensional grid: the dictionary of MORF.
//
// Words: per contiguous axis (start, size), per free axis (size, the chosen positions); then, if the
// family draws contrasts, a displacement per axis (all zero: a plain patch); then, if weights are
// drawn, a seed. Starts are as drawn: with border `pad` a patch may reach past the grid, and what
// lies outside counts zero. The grid may be a part of what a row holds, such as one of several views.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/rng.h"
#include "core/data/box.h"
#include "core/projections/atoms.h"
#include "core/projections/weights.h"

namespace foliation {

enum class Border : int { pad = 0, inside = 1 };

struct PatchAxis {
    std::int32_t side = 1;
    std::int32_t min_size = 1;
    std::int32_t max_size = 1;
    bool wrap = false;
    bool contiguous = true;
};

// Where a grid lies in a row: its first feature, and the features from one line of its last axis to the next.
struct GridPlace {
    std::int32_t first = 0;
    std::int32_t pitch = 1;
};

struct Patches;

// A sum of table cells, or (rows out of the table's range) of the features themselves, without a rounding
// error until the end: the two boxes of a contrast may share cells that are larger than all others.
struct PatchAtom {
    const Patches* family = nullptr;
    Words words;
    Scratch* scratch = nullptr;
    Decoded* decoded = nullptr;

    template <class T>
    double value(const Columns<T>& x, const IntegralTable& table, std::int64_t row) const;
    template <class T, class V>
    void project(const Columns<T>& x, const IntegralTable& table, const RowSet& rows, V* values) const;

  private:
    template <class T>
    double exact_value(const Columns<T>& x, std::int64_t row) const;
};

struct Patches {
    static constexpr const char* kName = "patches";
    static constexpr std::size_t kMaxAxes = kMostBoxAxes;
    static constexpr std::int32_t kReach = 3;  // cells by which a contrast is displaced at most

    std::vector<PatchAxis> axes;
    Border border = Border::pad;
    Weights weights = Weights::ones;
    double contrast = 0.0;
    GridPlace where;
    TableShape table;  // of the integral table that box sums are read from

    Patches(std::vector<PatchAxis> a, Border b, Weights w, double c, GridPlace g);
    // A grid that is all of a row.
    Patches(std::vector<PatchAxis> a, Border b, Weights w, double c)
        : Patches(a, b, w, c, {0, a.back().side}) {}
    static Patches make(std::vector<PatchAxis> axes, Border border, Weights weights, double contrast,
                        GridPlace where) {
        return {std::move(axes), border, weights, contrast, where};
    }

    bool draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const;
    bool holds(Words words) const;
    PatchAtom decode(Words words, Scratch& scratch, Decoded& decoded) const;
    void expand(Words words, Scratch& scratch, Terms& out) const;
    BoxAtom boxes(Words words) const;

    std::int64_t first_feature() const { return where.first; }
    bool uses_table() const { return weights == Weights::ones; }
    const TableShape* table_shape() const { return uses_table() ? &table : nullptr; }
    std::int64_t max_cells() const;  // of the largest atom
    std::int64_t most_terms(Words words) const;

    // How many table cells a box sum reads at most; 0 if no table serves, or if free axes set no limit.
    std::size_t most_corners() const {
        const bool boxes = uses_table() && std::all_of(axes.begin(), axes.end(),
                                                       [](const PatchAxis& axis) { return axis.contiguous; });
        return boxes ? std::size_t{1} << (axes.size() + (contrast > 0.0 ? 1 : 0)) : 0;
    }
    // One or two contiguous axes and a table: what PlainBox can do.
    bool is_plain() const { return axes.size() <= 2 && most_corners() > 0; }
    // Calls visit(value), where value(words, row) reads a box sum of the table.
    template <class Visit>
    void with_plain_boxes(const IntegralTable& cells, const Visit& visit) const {
        return axes.size() == 1 ? visit_boxes<1>(cells, visit) : visit_boxes<2>(cells, visit);
    }

  private:
    // One axis of a patch: its cells are start .. start+size-1, or the chosen positions.
    struct Placed {
        std::int32_t start, size;
        const std::int32_t* chosen;
        std::int32_t shift;  // displacement of the second patch of a contrast
    };
    template <std::size_t kAxes, class Visit>
    void visit_boxes(const IntegralTable& integral, const Visit& visit) const {
        PlainBox<kAxes> box;
        box.contrast = contrast > 0.0;
        for (std::size_t a = 0; a < kAxes; ++a)
            box.axes[a] = {table.axes[a].stride, axes[a].side,
                           axes[a].wrap ? std::numeric_limits<std::int32_t>::max() : axes[a].side,
                           axes[a].wrap ? axes[a].side : 0};
        integral.with_cells([&](const auto* cells) {
            const std::int64_t n_cells = integral.n_cells();
            const double step = integral.step();
            visit([=](const auto words, std::int64_t row) {
                return static_cast<double>(box.value(cells + row * n_cells, words.data())) * step;
            });
        });
    }

    using Placement = std::array<Placed, kMaxAxes>;

    // Read an atom's words, without or with its displacement; the first returns the position behind them.
    std::size_t place_patch(Words words, Placement& placement) const;
    void place(Words words, Placement& placement) const;
    bool displaced(const Placement& placement) const;
    Box box_at(const Placement& placement) const;
    // Calls visit(placement, sign) for the patch of an atom, and for the second one of a contrast.
    template <class Visit>
    void for_each_patch(Words words, const Visit& visit) const {
        Placement placement;
        place(words, placement);
        visit(placement, 1.0);
        if (!displaced(placement)) return;
        for (std::size_t a = 0; a < axes.size(); ++a) placement[a].start += placement[a].shift;
        visit(placement, -1.0);
    }
    void draw_displacement(Rng& rng, Words patch, std::vector<std::int32_t>& words) const;
    // The part of an axis of a patch that lies on the grid: its cells begin .. end-1.
    struct Inside {
        std::int32_t begin, end;
    };
    Inside inside(std::size_t a, const Placed& placed) const {
        if (!axes[a].contiguous || axes[a].wrap) return {0, placed.size};
        return {std::max(0, -placed.start), std::min(placed.size, axes[a].side - placed.start)};
    }
    std::int64_t n_inside(const Placement& placement) const {
        std::int64_t n_cells = 1;
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const auto [begin, end] = inside(a, placement[a]);
            n_cells *= std::max(0, end - begin);
        }
        return n_cells;
    }
    void add_cells(const Placement& placement, double sign, std::uint64_t seed, const Scratch& scratch,
                   Terms& out) const;
    void decode_plain_box(Words words, Decoded& decoded) const;
    std::pair<std::int32_t, std::int32_t> ends_of(std::size_t a, std::int32_t from, std::int32_t size) const;
    void add_corners(const Placement& placement, bool second, Decoded& decoded) const;
};

template <class T>
double PatchAtom::value(const Columns<T>& x, const IntegralTable& table, std::int64_t row) const {
    if (!family->uses_table()) return TermsAtom(decoded->terms).value(x, table, row);
    if (table.out_of_range(row)) [[unlikely]] {
        return exact_value(x, row);
    }
    return table.box_sum(row, decoded->plus, decoded->minus);
}

inline BoxAtom Patches::boxes(Words words) const {
    Placement placement;
    place(words, placement);
    BoxAtom atom{{box_at(placement)}, !uses_table()};
    if (!displaced(placement)) return atom;
    for (std::size_t a = 0; a < axes.size(); ++a) placement[a].start += placement[a].shift;
    atom.boxes.push_back(box_at(placement));
    return atom;
}

// The part of a patch that lies on the grid.
inline Box Patches::box_at(const Placement& placement) const {
    Box box;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const auto& [start, size, chosen, shift] = placement[a];
        const std::int32_t side = axes[a].side;
        if (!axes[a].contiguous) {
            box.push_back({0, size, {chosen, chosen + size}});
        } else if (axes[a].wrap) {
            box.push_back({size == side ? 0 : (start + side) % side, size, {}});
        } else {
            const std::int32_t first = std::max(start, 0);
            box.push_back({first, std::min(start + size, side) - first, {}});
        }
    }
    return box;
}

template <class T>
double PatchAtom::exact_value(const Columns<T>& x, std::int64_t row) const {
    const auto [ids, weights] = written_out(*family, words, *scratch, *decoded);
    scratch->exact.clear();
    for (std::size_t k = 0; k < ids.size(); ++k) scratch->exact.add(weights[k] * x.at(row, ids[k]));
    return scratch->exact.rounded();
}

// Box sums of many rows are read from the table for many atoms at a time: see project() of a dictionary.
template <class T, class V>
void PatchAtom::project(const Columns<T>& x, const IntegralTable& table, const RowSet& rows,
                        V* values) const {
    TermsAtom(decoded->terms).project(x, table, rows, values);
}

}  // namespace foliation
