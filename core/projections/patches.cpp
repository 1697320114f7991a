#include "core/projections/patches.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "core/base/draw.h"

namespace foliation {

namespace {

TableShape make_table_shape(const std::vector<PatchAxis>& axes, GridPlace where) {
    TableShape shape;
    shape.first_feature = where.first;
    shape.axes.resize(axes.size());
    std::int64_t feature = 1;
    for (std::size_t a = axes.size(); a-- > 0;) {
        const PatchAxis& axis = axes[a];
        const std::int64_t beyond = axis.wrap ? axis.max_size : axis.contiguous ? 1 : 0;
        const std::int64_t length = axis.side + beyond;
        const auto stride = static_cast<std::int32_t>(shape.n_cells);
        shape.n_cells *= length;
        if (shape.n_cells > std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("the grid has too many cells for a table");
        shape.axes[a] = {axis.side, static_cast<std::int32_t>(length), stride, feature, axis.contiguous};
        feature *= a + 1 == axes.size() ? where.pitch : axis.side;
    }
    return shape;
}

std::int32_t modulo(std::int32_t x, std::int32_t n) {
    const std::int32_t r = x % n;
    return r < 0 ? r + n : r;
}

// How far the second patch of a contrast may move along an axis: within reach, at most half the
// side, and only to positions the border allows for the first.
std::pair<std::int32_t, std::int32_t> shifts(const PatchAxis& axis, Border border, std::int32_t start,
                                             std::int32_t size) {
    const std::int32_t reach = std::min(Patches::kReach, axis.side / 2);
    if (axis.wrap) return size == axis.side ? std::pair{0, 0} : std::pair{-reach, reach};
    const std::int32_t first = border == Border::pad ? 1 - size : 0;
    const std::int32_t last = border == Border::pad ? axis.side - 1 : axis.side - size;
    return {std::max(-reach, first - start), std::min(reach, last - start)};
}

}  // namespace

Patches::Patches(std::vector<PatchAxis> a, Border b, Weights w, double c, GridPlace g)
    : axes(std::move(a)), border(b), weights(w), contrast(c), where(g) {
    if (uses_table()) table = make_table_shape(axes, where);
}

std::int64_t Patches::max_cells() const {
    std::int64_t cells = contrast > 0.0 ? 2 : 1;
    for (const PatchAxis& axis : axes) cells *= axis.max_size;
    return cells;
}

bool Patches::draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const {
    const std::size_t begin = words.size();
    for (const PatchAxis& axis : axes) {
        if (!axis.contiguous) {
            const std::int32_t size = rng.between(axis.min_size, axis.max_size);
            draw_subset(rng, axis.side, size, scratch);
            words.push_back(size);
            words.insert(words.end(), scratch.ids.begin(), scratch.ids.end());
        } else if (axis.wrap || border == Border::pad) {
            const std::int32_t size = rng.between(axis.min_size, axis.max_size);
            words.push_back(rng.between(axis.wrap ? 0 : 1 - size, axis.side - 1));
            words.push_back(size);
        } else {
            const std::int32_t start = rng.between(0, axis.side - axis.min_size);
            words.push_back(start);
            words.push_back(rng.between(axis.min_size, std::min(axis.max_size, axis.side - start)));
        }
    }
    if (contrast > 0.0) draw_displacement(rng, Words(words).subspan(begin), words);
    if (drawn(weights)) push_seed(words, rng.next());
    return true;
}

bool Patches::holds(Words words) const {
    std::size_t at = 0;
    const auto next = [&] { return at < words.size() ? words[at++] : std::int32_t{-1}; };
    std::array<std::pair<std::int32_t, std::int32_t>, kMaxAxes> shift_range{};
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const PatchAxis& axis = axes[a];
        if (at == words.size()) return false;
        const std::int32_t start = axis.contiguous ? next() : 0;
        const std::int32_t size = next();
        if (size < axis.min_size || size > axis.max_size) return false;
        if (axis.contiguous) {
            const bool padded = border == Border::pad && !axis.wrap;
            const std::int32_t last = padded || axis.wrap ? axis.side - 1 : axis.side - size;
            if (start < (padded ? 1 - size : 0) || start > last) return false;
            shift_range[a] = shifts(axis, border, start, size);
            continue;
        }
        for (std::int32_t k = 0, before = -1; k < size; ++k) {
            const std::int32_t chosen = next();
            if (chosen <= before || chosen >= axis.side) return false;
            before = chosen;
        }
    }
    for (std::size_t a = 0; contrast > 0.0 && a < axes.size(); ++a) {
        if (at == words.size()) return false;
        const std::int32_t shift = next();
        if (shift < shift_range[a].first || shift > shift_range[a].second) return false;
    }
    return at + (drawn(weights) ? 2 : 0) == words.size();
}

// Uniform over all displacements but none; a plain patch if there is no room for any.
void Patches::draw_displacement(Rng& rng, Words patch, std::vector<std::int32_t>& words) const {
    Placement placement;
    place_patch(patch, placement);
    std::array<std::pair<std::int32_t, std::int32_t>, kMaxAxes> range;
    std::uint64_t count = 1;
    std::uint64_t none = 0;  // the number of the displacement that does not move
    for (std::size_t a = 0; a < axes.size(); ++a) {
        range[a] = axes[a].contiguous ? shifts(axes[a], border, placement[a].start, placement[a].size)
                                      : std::pair{0, 0};
        const auto width = static_cast<std::uint64_t>(range[a].second - range[a].first) + 1;
        none = none * width + static_cast<std::uint64_t>(-range[a].first);
        count *= width;
    }
    std::uint64_t number = none;
    if (rng.uniform() < contrast && count > 1) {
        number = rng.below(count - 1);
        if (number >= none) ++number;
    }
    std::array<std::int32_t, kMaxAxes> shift{};
    for (std::size_t a = axes.size(); a-- > 0;) {
        const auto width = static_cast<std::uint64_t>(range[a].second - range[a].first) + 1;
        shift[a] = range[a].first + static_cast<std::int32_t>(number % width);
        number /= width;
    }
    words.insert(words.end(), shift.begin(), shift.begin() + static_cast<std::ptrdiff_t>(axes.size()));
}

std::size_t Patches::place_patch(Words words, Placement& placement) const {
    std::size_t at = 0;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        Placed& placed = placement[a];
        placed.shift = 0;
        if (axes[a].contiguous) {
            placed.start = words[at];
            placed.size = words[at + 1];
            at += 2;
        } else {
            placed.size = words[at];
            placed.chosen = words.data() + at + 1;
            at += 1 + static_cast<std::size_t>(placed.size);
        }
    }
    return at;
}

void Patches::place(Words words, Placement& placement) const {
    std::size_t at = place_patch(words, placement);
    if (contrast > 0.0)
        for (std::size_t a = 0; a < axes.size(); ++a) placement[a].shift = words[at++];
}

bool Patches::displaced(const Placement& placement) const {
    return contrast > 0.0 &&
           std::any_of(placement.begin(), placement.begin() + static_cast<std::ptrdiff_t>(axes.size()),
                       [](const Placed& p) { return p.shift != 0; });
}

void Patches::expand(Words words, Scratch& scratch, Terms& out) const {
    const std::uint64_t seed = drawn(weights) ? seed_at(words, words.size() - 2) : 0;
    for_each_patch(words, [&](const Placement& placement, double sign) {
        add_cells(placement, sign, seed, scratch, out);
    });
}

std::int64_t Patches::most_terms(Words words) const {
    std::int64_t n_terms = 0;
    for_each_patch(words, [&](const Placement& placement, double) { n_terms += n_inside(placement); });
    return n_terms;
}

// Walks the cells of a patch that lie on the grid in row-major order; a drawn weight belongs to a cell of the
// patch, numbered with those outside, so that both patches of a contrast carry the same.
void Patches::add_cells(const Placement& placement, double sign, std::uint64_t seed, const Scratch& scratch,
                        Terms& out) const {
    const std::int64_t n_cells = n_inside(placement);
    std::array<std::vector<double>, kMaxAxes> bumps;  // of the places along each axis
    for (std::size_t a = 0; weights == Weights::gaussian && a < axes.size(); ++a)
        if (axes[a].contiguous) bumps[a] = bumps_of(placement[a].size);
    for (std::int64_t number = 0; number < n_cells; ++number) {
        if (number % kCheckedTogether == 0) scratch.check();
        std::int64_t rest = number, id = where.first, stride = 1;
        std::uint64_t cell = 0, cell_stride = 1;
        double weight = sign;
        for (std::size_t a = axes.size(); a-- > 0;) {
            const PatchAxis& axis = axes[a];
            const Placed& placed = placement[a];
            const auto [begin, end] = inside(a, placed);
            const auto i = begin + static_cast<std::int32_t>(rest % (end - begin));
            rest /= end - begin;
            cell += static_cast<std::uint64_t>(i) * cell_stride;
            cell_stride *= static_cast<std::uint64_t>(placed.size);
            std::int32_t at = axis.contiguous ? placed.start + i : placed.chosen[i];
            if (axis.wrap) at = modulo(at, axis.side);
            if (!bumps[a].empty()) weight *= bumps[a][static_cast<std::size_t>(i)];
            id += at * stride;
            stride *= a + 1 == axes.size() ? where.pitch : axis.side;
        }
        if (drawn(weights)) {
            Rng rng(chain(seed, cell));
            weight *= draw_weight(weights, rng);
        }
        out.add(static_cast<std::int32_t>(id), weights == Weights::gaussian ? coarse(weight) : weight);
    }
}

// What add_corners() writes for one box of two axes.
void Patches::decode_plain_box(Words words, Decoded& decoded) const {
    std::array<std::int32_t, 2> lo, hi;
    for (std::size_t a = 0; a < 2; ++a) std::tie(lo[a], hi[a]) = ends_of(a, words[2 * a], words[2 * a + 1]);
    decoded.plus.resize(2);
    decoded.minus.resize(2);
    decoded.plus[0] = hi[0] + hi[1];
    decoded.plus[1] = lo[0] + lo[1];
    decoded.minus[0] = lo[0] + hi[1];
    decoded.minus[1] = hi[0] + lo[1];
}

// Along an axis, the table cells at the start and at the end of a box.
std::pair<std::int32_t, std::int32_t> Patches::ends_of(std::size_t a, std::int32_t from,
                                                       std::int32_t size) const {
    const PatchAxis& axis = axes[a];
    const std::int32_t start = axis.wrap ? modulo(from, axis.side) : from;
    const std::int32_t end = axis.wrap ? start + size : std::min(start + size, axis.side);
    return {std::max(start, 0) * table.axes[a].stride, end * table.axes[a].stride};
}

PatchAtom Patches::decode(Words words, Scratch& scratch, Decoded& decoded) const {
    const PatchAtom atom{this, words, &scratch, &decoded};
    if (!uses_table()) {
        written_out(*this, words, scratch, decoded);
        // Both patches of a contrast may hold a cell. Added and subtracted apart, a large one would leave a
        // trace.
        if (contrast > 0.0) decoded.terms = merged(std::move(decoded.terms), scratch);
        return atom;
    }
    if (axes.size() == 2 && axes[0].contiguous && axes[1].contiguous && contrast == 0.0) {
        decode_plain_box(words, decoded);
        return atom;
    }
    decoded.plus.clear();
    decoded.minus.clear();
    for_each_patch(
        words, [&](const Placement& placement, double sign) { add_corners(placement, sign < 0.0, decoded); });
    return atom;
}

// The table cells of one box, for every choice of positions along the free axes.
void Patches::add_corners(const Placement& placement, bool second, Decoded& decoded) const {
    BoxEnds ends;
    std::size_t n_summed = 0;
    std::int64_t n_choices = 1;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const PatchAxis& axis = axes[a];
        const Placed& placed = placement[a];
        if (!axis.contiguous) {
            n_choices *= placed.size;
            continue;
        }
        const auto [lo, hi] = ends_of(a, placed.start, placed.size);
        ends[n_summed++] = {hi, lo};
    }
    for (std::int64_t choice = 0; choice < n_choices; ++choice) {
        std::int32_t base = 0;
        std::int64_t rest = choice;
        for (std::size_t a = 0; a < axes.size(); ++a) {
            if (axes[a].contiguous) continue;
            base += placement[a].chosen[rest % placement[a].size] * table.axes[a].stride;
            rest /= placement[a].size;
        }
        push_corners(ends, n_summed, base, second ? decoded.minus : decoded.plus,
                     second ? decoded.plus : decoded.minus);
    }
}

}  // namespace foliation
