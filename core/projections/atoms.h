// An atom: one vector of the dictionary. It is stored as a run of 32-bit words, its parameters, whose
// layout belongs to the family that drew it; a family decodes the words into one of the forms below,
// each of which evaluates the atom on a row. The family of explicit atoms is here too.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/draw.h"
#include "core/base/exact_sum.h"
#include "core/base/parallel.h"
#include "core/data/integral_table.h"
#include "core/data/matrix.h"
#include "core/projections/terms.h"

namespace foliation {

using Words = std::span<const std::int32_t>;

// An axis of a box: `size` places from `start` on, on a circle past its end from its beginning; or chosen
// ones.
struct BoxAxis {
    std::int32_t start = 0;
    std::int32_t size = 0;
    std::vector<std::int32_t> chosen;
};
using Box = std::vector<BoxAxis>;

// An atom over boxes of a grid, as it may be called without writing out its cells: a box, or a box less an
// equal one that is displaced. What lies outside the grid is cut off.
struct BoxAtom {
    std::vector<Box> boxes;  // none if the atom is no sum over boxes
    bool weighted = false;   // whether cells have weights other than one
};

// Terms that an expansion passes between two looks at the monitor.
constexpr std::int64_t kCheckedTogether = 1 << 16;

// What a decoding is written into; the form refers to it.
struct Decoded {
    std::vector<std::int32_t> plus;   // table cells that enter a box sum
    std::vector<std::int32_t> minus;  // table cells that leave it
    Terms terms;
};

// Scratch memory of a thread for draws and decodings, so that neither allocates or costs O(p).
struct Scratch : IdScratch {
    std::vector<std::int32_t> permutation;                   // of all features; the identity between nodes
    std::vector<std::pair<std::size_t, std::size_t>> swaps;  // to undo on it
    std::vector<std::int32_t> distances;
    std::vector<std::int32_t> words;   // of an atom, widened
    std::vector<Decoded> decoded;      // of atoms that are evaluated together
    std::vector<std::int64_t> begin;   // of rows
    ExactSum exact;                    // of a row out of a table's range
    std::vector<std::int32_t> places;  // of features in a list of ids; of those in the set alone
    const Monitor* monitor = nullptr;  // of the call that uses this memory

    // For long loops: leaves them once the monitor is stopped.
    void check() const {
        if (monitor != nullptr) monitor->check();
    }
};

// Rows to project, and where each begins in memory.
struct RowSet {
    std::span<const std::int32_t> rows;
    std::span<const std::int64_t> begin;

    std::size_t size() const { return rows.size(); }
    RowSet part(std::size_t first, std::size_t count) const {
        return {rows.subspan(first, count), begin.subspan(first, count)};
    }
};

// ---- forms of a decoded atom: value() on one row, project() on many ----

struct FeatureAtom {
    std::int32_t id = 0;

    template <class T>
    double value(const Columns<T>& x, const IntegralTable&, std::int64_t row) const {
        return x.at(row, id);
    }
    template <class T, class V>
    void project(const Columns<T>& x, const IntegralTable&, const RowSet& rows, V* values) const {
        const T* column = x.column_of_begins(id);
        const std::int64_t* begin = rows.begin.data();
        for (std::size_t i = 0; i < rows.size(); ++i) values[i] = static_cast<V>(column[begin[i]]);
    }
};

struct SparseTerm {
    std::int32_t id;
    float weight;
};

// Features with weights, in words: id or ~id where weights are signs, else pairs (id, weight as float bits).
template <class Word = std::int32_t>
struct SparseAtom {
    bool signs = true;
    std::span<const Word> words;

    std::size_t size() const { return signs ? words.size() : words.size() / 2; }
    SparseTerm operator[](std::size_t k) const {
        if (!signs) return {words[2 * k], std::bit_cast<float>(std::int32_t{words[2 * k + 1]})};
        const std::int32_t word = words[k];
        const std::int32_t minus = word >> 31;  // 0 or -1; no branch, since signs are as good as random
        return {word ^ minus, static_cast<float>(minus | 1)};
    }

    template <class T>
    double value(const Columns<T>& x, const IntegralTable&, std::int64_t row) const {
        double sum = 0.0;
        for (std::size_t k = 0; k < size(); ++k) {
            const auto [id, weight] = (*this)[k];
            sum += static_cast<double>(weight) * x.at(row, id);
        }
        return sum;
    }
    // Each row's sum runs in the order of the terms. Few terms outside, rows inside; many terms for a few
    // rows at a time, whose sums stay in registers.
    template <class T, class V>
    void project(const Columns<T>& x, const IntegralTable&, const RowSet& rows, V* values) const {
        constexpr std::size_t kMany = 16;
        const std::size_t n_done = size() < kMany ? 0 : project_by_four(x, rows, values);
        const std::int64_t* begin = rows.begin.data();
        for (std::size_t k = 0; k < size(); ++k) {
            const T* column = x.column_of_begins((*this)[k].id);
            const auto weight = static_cast<V>((*this)[k].weight);
            for (std::size_t i = n_done; i < rows.size(); ++i)
                values[i] =
                    static_cast<V>((k == 0 ? V{0} : values[i]) + weight * static_cast<V>(column[begin[i]]));
        }
    }

  private:
    // Four rows at a time; returns how many were done.
    template <class T, class V>
    std::size_t project_by_four(const Columns<T>& x, const RowSet& rows, V* values) const {
        std::size_t i = 0;
        for (; i + 4 <= rows.size(); i += 4) {
            Line<T> row[4];
            for (std::size_t r = 0; r < 4; ++r) row[r] = x.row_from(rows.begin[i + r]);
            V sum[4] = {};
            for (std::size_t k = 0; k < size(); ++k) {
                const auto [id, weight] = (*this)[k];
                for (std::size_t r = 0; r < 4; ++r)
                    sum[r] = static_cast<V>(sum[r] + static_cast<V>(weight) * static_cast<V>(row[r][id]));
            }
            std::copy_n(sum, 4, values + i);
        }
        return i;
    }
};

// Terms of an explicit dictionary or of a decoding.
struct TermsAtom {
    std::span<const std::int32_t> ids;
    std::span<const double> weights;

    TermsAtom() = default;
    TermsAtom(std::span<const std::int32_t> i, std::span<const double> w) : ids(i), weights(w) {}
    explicit TermsAtom(const Terms& terms) : ids(terms.ids), weights(terms.weights) {}

    template <class T>
    double value(const Columns<T>& x, const IntegralTable&, std::int64_t row) const {
        double sum = 0.0;
        for (std::size_t k = 0; k < ids.size(); ++k) sum += weights[k] * x.at(row, ids[k]);
        return sum;
    }
    template <class T, class V>
    void project(const Columns<T>& x, const IntegralTable& table, const RowSet& rows, V* values) const {
        for (std::size_t i = 0; i < rows.size(); ++i)
            values[i] = static_cast<V>(value(x, table, rows.rows[i]));
    }
};

// The form of an atom whose family has none of its own: its terms, written out.
template <class Family>
TermsAtom written_out(const Family& family, Words words, Scratch& scratch, Decoded& decoded) {
    decoded.terms.clear();
    family.expand(words, scratch, decoded.terms);
    return TermsAtom(decoded.terms);
}

// The family of explicit atoms: rows of a given dictionary with given probabilities. Words: number of the
// row.
struct Atoms {
    static constexpr const char* kName = "atoms";
    std::vector<std::int64_t> start;  // terms of row i: ids/weights[start[i] .. start[i+1])
    std::vector<std::int32_t> ids;
    std::vector<double> weights;
    std::vector<double> cumulative;  // probabilities of the rows, summed

    static Atoms make(std::vector<std::int64_t> start, std::vector<std::int32_t> ids,
                      std::vector<double> weights, std::vector<double> cumulative) {
        return {std::move(start), std::move(ids), std::move(weights), std::move(cumulative)};
    }

    bool draw(Rng& rng, Scratch&, std::vector<std::int32_t>& words) const {
        words.push_back(static_cast<std::int32_t>(draw_index(cumulative, rng.uniform())));
        return true;
    }

    bool holds(Words words) const {
        return words.size() == 1 && words[0] >= 0 && static_cast<std::size_t>(words[0]) + 1 < start.size();
    }

    std::int64_t most_terms(Words words) const { return static_cast<std::int64_t>(row(words[0]).ids.size()); }
    TermsAtom decode(Words words, Scratch&, Decoded&) const { return row(words[0]); }

    void expand(Words words, Scratch&, Terms& out) const {
        const TermsAtom terms = row(words[0]);
        for (std::size_t k = 0; k < terms.ids.size(); ++k) out.add(terms.ids[k], terms.weights[k]);
    }

  private:
    TermsAtom row(std::int32_t number) const {
        const auto first = static_cast<std::size_t>(start[static_cast<std::size_t>(number)]);
        const auto count = static_cast<std::size_t>(start[static_cast<std::size_t>(number) + 1]) - first;
        return {std::span(ids).subspan(first, count), std::span(weights).subspan(first, count)};
    }
};

}  // namespace foliation
