#include "dictionary.h"

#include <algorithm>
#include <numeric>

namespace foliation {

void Dictionary::begin_node(Scratch& scratch) const {
    for (const Family& family : members) std::visit([&](const auto& f) { f.begin_node(scratch); }, family);
}

bool Dictionary::draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const {
    std::size_t which = 0;
    if (is_mixture()) {
        which = draw_index(cumulative, rng.uniform());
        words.push_back(static_cast<std::int32_t>(which));
    }
    return std::visit([&](const auto& f) { return f.draw(rng, scratch, words); }, members[which]);
}

Terms Dictionary::expand(Words words, Scratch& scratch) const {
    Terms raw;
    const Words own = words.subspan(is_mixture() ? 1 : 0);
    std::visit([&](const auto& f) { f.expand(own, scratch, raw); }, member(words));
    std::vector<std::size_t> order(raw.ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return raw.ids[a] < raw.ids[b]; });
    Terms terms;
    for (std::size_t k = 0; k < order.size();) {
        const std::int32_t id = raw.ids[order[k]];
        double weight = 0.0;
        for (; k < order.size() && raw.ids[order[k]] == id; ++k) weight += raw.weights[order[k]];
        if (weight != 0.0) terms.add(id, weight);
    }
    return terms;
}

std::vector<FixedPoint> fixed_points(const Dictionary& dictionary, double max_abs) {
    std::vector<FixedPoint> points;
    for (const Family& family : dictionary.members) {
        const auto* patches = std::get_if<Patches>(&family);
        points.push_back(patches != nullptr ? fixed_point(max_abs, patches->max_cells()) : FixedPoint{});
    }
    return points;
}

View::View(const Dictionary& dictionary, const Matrix& m, std::span<const FixedPoint> fixed, bool whole,
           double max_abs)
    : matrix(m), tables(dictionary.members.size()) {
    for (std::size_t k = 0; k < tables.size(); ++k) {
        const auto* patches = std::get_if<Patches>(&dictionary.members[k]);
        if (patches == nullptr || !patches->uses_table()) continue;
        const bool narrow =
            whole && fixed[k].exponent >= 0 && max_abs * static_cast<double>(patches->max_cells()) < 0x1.0p31;
        tables[k] = IntegralTable(patches->table, m.n_rows, fixed[k], narrow);
    }
}

void View::fill(const Dictionary& dictionary, std::int64_t begin, std::int64_t end) {
    for (std::size_t k = 0; k < tables.size(); ++k)
        if (tables[k].n_cells() > 0)
            tables[k].fill(std::get<Patches>(dictionary.members[k]).table, matrix, begin, end);
}

void fill_view(View& view, const Dictionary& dictionary, int n_threads, Monitor& monitor) {
    constexpr std::int64_t kBlock = 64;
    const std::int64_t n_rows = view.matrix.n_rows;
    if (std::all_of(view.tables.begin(), view.tables.end(), [](const auto& t) { return t.n_cells() == 0; }))
        return;
    for_each_task((n_rows + kBlock - 1) / kBlock, n_threads, monitor, [&](std::int64_t task, int) {
        view.fill(dictionary, task * kBlock, std::min(n_rows, (task + 1) * kBlock));
    });
}

void project(const Dictionary& dictionary, Words words, const View& view, std::span<const std::int32_t> rows,
             Scratch& scratch, double* values) {
    const std::size_t which = dictionary.is_mixture() ? static_cast<std::size_t>(words[0]) : 0;
    const Words own = words.subspan(dictionary.is_mixture() ? 1 : 0);
    std::visit(
        [&](const auto& family, const auto& columns) {
            const auto atom = family.decode(own, scratch);
            for (std::size_t i = 0; i < rows.size(); ++i)
                values[i] = atom.value(columns, view.tables[which], rows[i]);
        },
        dictionary.members[which], view.matrix.columns);
}

}  // namespace foliation
