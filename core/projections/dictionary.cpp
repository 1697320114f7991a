#include "core/projections/dictionary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <limits>
#include <map>

#include "core/base/in_place.h"

namespace foliation {

void Dictionary::begin_node(Scratch& scratch) const {
    for (const Family& family : members)
        std::visit([&](const auto& f) { family::begin_node(f, scratch); }, family);
}

bool Dictionary::draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const {
    if (!is_mixture())
        return std::visit([&](const auto& f) { return f.draw(rng, scratch, words); }, members[0]);
    const std::size_t which = draw_index(cumulative, rng.uniform());
    words.push_back(static_cast<std::int32_t>(which));
    return std::visit(
        [&](const auto& f) {
            // A mixture's candidates are independent: any atom may be the only one of a node.
            family::begin_node(f, scratch);
            return f.draw(rng, scratch, words);
        },
        members[which]);
}

bool Dictionary::holds(Words words) const {
    const auto n_members = static_cast<std::int32_t>(members.size());
    if (is_mixture() && (words.empty() || words[0] < 0 || words[0] >= n_members)) return false;
    const Words own = words.subspan(is_mixture() ? 1 : 0);
    return std::visit([&](const auto& f) { return family::holds(f, own, n_features); }, member(words));
}

std::int64_t Dictionary::most_terms(Words words) const {
    const Words own = words.subspan(is_mixture() ? 1 : 0);
    return std::visit([&](const auto& f) { return family::most_terms(f, own, n_features); }, member(words));
}

namespace {

Words words_of(std::span<const std::int64_t> start, Words words, std::size_t atom) {
    const auto begin = static_cast<std::size_t>(start[atom]);
    return words.subspan(begin, static_cast<std::size_t>(start[atom + 1]) - begin);
}

}  // namespace

Terms Dictionary::expand(Words words, Scratch& scratch) const {
    Terms raw;
    const Words own = words.subspan(is_mixture() ? 1 : 0);
    std::visit([&](const auto& f) { f.expand(own, scratch, raw); }, member(words));
    return merged(std::move(raw), scratch);
}

BoxAtom Dictionary::boxes(Words words) const {
    const Words own = words.subspan(is_mixture() ? 1 : 0);
    return std::visit([&](const auto& f) { return family::boxes(f, own); }, member(words));
}

std::vector<std::int64_t> Dictionary::first_features() const {
    std::vector<std::int64_t> first;
    for (const Family& any : members)
        first.push_back(std::visit([](const auto& f) { return family::first_feature(f); }, any));
    return first;
}

double most_terms(const Dictionary& dictionary, std::span<const std::int64_t> start, Words words) {
    double n_terms = 0.0;
    for (std::size_t k = 0; k + 1 < start.size(); ++k)
        n_terms += static_cast<double>(dictionary.most_terms(words_of(start, words, k)));
    return n_terms;
}

ExpandedAtoms expand_all(const Dictionary& dictionary, std::span<const std::int64_t> start, Words words,
                         const Monitor& monitor) {
    Scratch scratch;
    scratch.monitor = &monitor;
    ExpandedAtoms all;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
        monitor.check();
        const Terms terms = dictionary.expand(words_of(start, words, k), scratch);
        all.terms.ids.insert(all.terms.ids.end(), terms.ids.begin(), terms.ids.end());
        all.terms.weights.insert(all.terms.weights.end(), terms.weights.begin(), terms.weights.end());
        all.start.push_back(static_cast<std::int64_t>(all.terms.ids.size()));
    }
    return all;
}

namespace {

// Equal for atoms that differ in no more than their sign; for others only by chance, one in 2^128.
using Key = std::pair<std::uint64_t, std::uint64_t>;

Key unsigned_key(const Terms& terms) {
    Key key{terms.ids.size(), ~terms.ids.size()};
    for (std::size_t k = 0; k < terms.ids.size(); ++k) {
        const double weight = terms.weights[0] > 0.0 ? terms.weights[k] : -terms.weights[k];
        for (const std::uint64_t part :
             {static_cast<std::uint64_t>(terms.ids[k]), std::bit_cast<std::uint64_t>(weight)})
            key = {chain(key.first, part), chain(key.second, ~part)};
    }
    return key;
}

}  // namespace

UnsignedAtoms unsigned_atoms(const Dictionary& dictionary, std::span<const std::int64_t> start, Words words,
                             const Monitor& monitor) {
    Scratch scratch;
    scratch.monitor = &monitor;
    UnsignedAtoms found;
    std::map<Key, std::int64_t> known;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
        monitor.check();
        const Key key = unsigned_key(dictionary.expand(words_of(start, words, k), scratch));
        const auto [entry, is_new] = known.emplace(key, static_cast<std::int64_t>(known.size()));
        if (is_new) found.first.push_back(static_cast<std::int64_t>(k));
        found.of_atom.push_back(entry->second);
    }
    return found;
}

const TableShape* table_shape(const Family& any) {
    return std::visit([](const auto& f) { return family::table_shape(f); }, any);
}

std::int64_t max_cells(const Family& any) {
    return std::visit([](const auto& f) { return family::max_cells(f); }, any);
}

std::vector<FixedPoint> fixed_points(const Dictionary& dictionary, double max_abs) {
    std::vector<FixedPoint> points;
    for (const Family& family : dictionary.members) {
        const std::int64_t cells = max_cells(family);
        points.push_back(cells > 0 ? fixed_point(max_abs, cells) : FixedPoint{});
    }
    return points;
}

PreparedRows prepare_rows(const Dictionary& dictionary, const Matrix& matrix,
                          std::span<const FixedPoint> fixed, bool whole, double max_abs) {
    PreparedRows rows{matrix, std::vector<IntegralTable>(dictionary.members.size())};
    for (std::size_t k = 0; k < rows.tables.size(); ++k) {
        const TableShape* shape = table_shape(dictionary.members[k]);
        if (shape == nullptr) continue;
        const double largest = max_abs * static_cast<double>(max_cells(dictionary.members[k]));
        const bool narrow = whole && fixed[k].exponent >= 0 && largest < 0x1.0p31;
        rows.tables[k] =
            IntegralTable(*shape, matrix.n_rows, fixed[k], narrow ? bits_for(largest) : CellBits::b64);
    }
    return rows;
}

int whole_bits(const Dictionary& dictionary, const PreparedRows& rows) {
    const double largest = std::visit(
        []<class T>(const Columns<T>&) {
            return std::is_integral_v<T> ? static_cast<double>(std::numeric_limits<T>::max()) + 1.0
                                         : std::numeric_limits<double>::infinity();
        },
        rows.matrix.columns);
    const auto bound_of = [&](std::size_t member) {
        if (rows.tables[member].n_cells() > 0) return rows.tables[member].largest_sum();
        return std::visit(
            [&](const auto& f) {
                const auto terms = static_cast<double>(family::whole_terms(f));
                return terms > 0.0 ? terms * largest : std::numeric_limits<double>::infinity();
            },
            dictionary.members[member]);
    };
    double bound = 0.0;  // of the projections
    for (std::size_t k = 0; k < rows.tables.size(); ++k) bound = std::max(bound, bound_of(k));
    return bound < 0x1.0p15 ? 16 : bound < 0x1.0p31 ? 32 : 0;
}

namespace {

constexpr std::int64_t kFirstCache = 24 * 1024;
constexpr std::int64_t kSecondCache = 256 * 1024;

// Asks for some of the features of rows that come next, if rows lie in one piece.
template <class T>
void fetch(const Columns<T>& x, std::span<const std::int32_t> rows, std::int64_t feature) {
    if (!x.rows_are_dense()) return;
    for (const std::int32_t row : rows) x.row(row).prefetch(feature);
}

}  // namespace

template <class V>
void project(const Dictionary& dictionary, const Drawn& atoms, const PreparedRows& prepared,
             std::span<const std::int32_t> rows, Scratch& scratch, V* values) {
    assert(atoms.size() <= kMostTogether && prepared.tables.size() == dictionary.members.size());
    scratch.decoded.resize(kMostTogether);
    const std::size_t skip = dictionary.is_mixture() ? 1 : 0;
    for (std::size_t member = 0; member < dictionary.members.size(); ++member) {
        const IntegralTable& table = prepared.tables[member];
        std::visit(
            [&](const auto& family, const auto& columns) {
                using Form = decltype(family::decode(family, Words(), scratch, scratch.decoded[0]));
                InPlace<std::pair<Form, V*>, kMostTogether> forms;
                for (std::size_t k = 0; k < atoms.size(); ++k) {
                    const Words words = atoms[k];
                    if (words.empty() || (skip == 1 && words[0] != static_cast<std::int32_t>(member)))
                        continue;
                    forms.push_back({family::decode(family, words.subspan(skip), scratch, scratch.decoded[k]),
                                     values + k * rows.size()});
                }
                if constexpr (requires { family.table_shape(); }) {
                    if (family.table_shape() != nullptr) {  // training rows are never out of its range
                        InPlace<IntegralTable::Box<V>, kMostTogether> boxes;
                        for (std::size_t f = 0; f < forms.size(); ++f)
                            boxes.push_back({forms[f].first.decoded->plus, forms[f].first.decoded->minus,
                                             forms[f].second});
                        return table.template box_sums<V>(rows, boxes);
                    }
                }
                scratch.begin.resize(rows.size());
                for (std::size_t i = 0; i < rows.size(); ++i) scratch.begin[i] = columns.begin_of(rows[i]);
                const RowSet all{rows, scratch.begin};
                const std::int64_t n_features = prepared.matrix.n_features;
                const auto row_bytes = n_features * static_cast<std::int64_t>(sizeof(*columns.data));
                const std::int64_t least = std::clamp<std::int64_t>(2 * kSecondCache / row_bytes, 4, 16);
                const auto step =
                    static_cast<std::size_t>(std::clamp<std::int64_t>(kFirstCache / row_bytes, least, 256));
                const bool far = row_bytes * static_cast<std::int64_t>(rows.size()) > kSecondCache;
                for (std::size_t first = 0; first < rows.size(); first += step) {
                    const RowSet some = all.part(first, std::min(step, rows.size() - first));
                    const auto later = rows.subspan(std::min(first + step, rows.size()));
                    const auto next = later.first(far ? std::min(step, later.size()) : 0);
                    for (std::size_t f = 0; f < forms.size(); ++f) {
                        forms[f].first.project(columns, table, some, forms[f].second + first);
                        fetch(columns, next,
                              static_cast<std::int64_t>(f) * n_features /
                                  static_cast<std::int64_t>(forms.size()));
                    }
                }
            },
            dictionary.members[member], prepared.matrix.columns);
    }
}
template void project(const Dictionary&, const Drawn&, const PreparedRows&, std::span<const std::int32_t>,
                      Scratch&, std::int16_t*);
template void project(const Dictionary&, const Drawn&, const PreparedRows&, std::span<const std::int32_t>,
                      Scratch&, std::int32_t*);
template void project(const Dictionary&, const Drawn&, const PreparedRows&, std::span<const std::int32_t>,
                      Scratch&, double*);

}  // namespace foliation
