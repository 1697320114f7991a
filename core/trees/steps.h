// Trees written out for many rows: each split with its atom in its cheapest form, its threshold and its
// children side by side. Made for one call and thrown away; few rows go down the trees as they are stored.
#pragma once

#include <array>
#include <numeric>
#include <optional>

#include "core/cuts/best_cut.h"
#include "core/projections/dictionary.h"
#include "core/trees/tree.h"

namespace foliation {

struct FeatureForm {
    std::int32_t id = 0;
    std::int32_t whole_threshold = 0;  // for features that are whole numbers
};

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
    template <class Cell>
    void fetch(const Cell* cells) const {
        for (std::size_t k = 0; k < kSide; ++k) {
            __builtin_prefetch(cells + plus[k]);
            __builtin_prefetch(cells + minus[k]);
        }
    }
};

// Sums of features. Terms beyond those that a step holds are set apart. few_terms() is their number if there
// is code for just so many, by which many rows at one split are summed; else 0.

// The first term, which half of the atoms have alone; longer sums go on with `more` terms of those set apart,
// from `rest` on.
struct SparseForm {
    std::int32_t id = 0;
    float weight = 0.0F;
    std::int32_t more = 0;
    std::int32_t rest = 0;

    std::size_t few_terms() const { return more == 0 ? 1 : 0; }

    template <std::size_t kTerms, class T>
    double sum(const Line<T> row, const SparseTerm* terms) const {
        double total = static_cast<double>(weight) * static_cast<double>(row[id]);
        if constexpr (kTerms == 1) return total;
        for (std::int32_t k = rest; k < rest + more; ++k)
            total += static_cast<double>(terms[k].weight) * static_cast<double>(row[terms[k].id]);
        return total;
    }
    template <class T>
    void fetch(const Line<T> row) const {
        row.prefetch(id);
    }
};

// Up to four terms of weight 1 or -1, summed without a branch: 4 * feature + kPlus or kMinus; kNone, with the
// feature of the first, adds nothing. A longer sum has three of them and 4 * place + kMore: there, among
// those set apart, is their number, and they follow.
struct SignsForm {
    enum : std::int32_t { kNone, kPlus, kMinus, kMore };
    static constexpr std::array<double, 4> kWeight{0.0, 1.0, -1.0, 0.0};
    static constexpr std::size_t kInline = 4;
    std::array<std::int32_t, kInline> term{};

    static std::size_t kind(std::int32_t term) { return static_cast<std::size_t>(term & 3); }
    std::size_t few_terms() const { return kind(term[1]) == kNone ? 1 : kind(term[2]) == kNone ? 2 : 0; }

    template <std::size_t kTerms, class T>
    double sum(const Line<T> row, const SparseTerm* terms) const {
        if constexpr (kTerms > 0) return sum_of<kTerms>(row);
        if (kind(term.back()) != kMore) [[likely]]
            return sum_of<kInline>(row);
        double total = sum_of<kInline - 1>(row);
        const SparseTerm* rest = terms + (term.back() >> 2);
        for (std::int32_t k = 1; k <= rest->id; ++k)
            total += static_cast<double>(rest[k].weight) * static_cast<double>(row[rest[k].id]);
        return total;
    }

    template <class T>
    void fetch(const Line<T> row) const {
        for (std::size_t k = 0; k + 1 < kInline; ++k) row.prefetch(term[k] >> 2);
    }

  private:
    template <std::size_t kTerms, class T>
    double sum_of(const Line<T> row) const {
        const auto summand = [&](std::int32_t t) {
            return kWeight[kind(t)] * static_cast<double>(row[t >> 2]);
        };
        double total = summand(term[0]);
        for (std::size_t k = 1; k < kTerms; ++k) total += summand(term[k]);
        return total;
    }
};

template <std::size_t kTerms>
using Few = std::integral_constant<std::size_t, kTerms>;

template <class Form>
struct Step {
    Form form;
    std::array<std::int32_t, 2> child{};
    double threshold = 0.0;
};

template <class Form>
using Steps = std::vector<Step<Form>>;
template <class Form>
struct SumSteps {
    Steps<Form> steps;
    std::vector<SparseTerm> terms;  // those set apart
};
using AnySteps = std::variant<std::monostate, Steps<FeatureForm>, SumSteps<SparseForm>, SumSteps<SignsForm>,
                              Steps<BoxForm<1>>, Steps<BoxForm<2>>, Steps<BoxForm<4>>>;

// All splits of the trees, or nothing if this dictionary's atoms have no short form.
AnySteps write_steps(const Dictionary& dictionary, const Trees& trees, int n_threads, Monitor& monitor);

// Takes rows 0 .. n-1 down trees, one tree at a time.
//
// While many rows are at a split they are parted there, as in growth: the split is read once. Rows that
// are few at theirs go on together, a level at a time: in a level no row waits for
// another, and nothing branches on the data. Their splits and values lie far apart, and are asked for some
// rows before it is their turn.
class Descent {
  public:
    explicit Descent(std::size_t n)
        : rows_{std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)}, ways_(n) {}

    // leaf[row] is where each row arrives; `right(step, row)` returns whether it goes right; for sums also
    // `right(step, row, Few<n>())` at a step of n terms. `right.fetch(step, row)` asks for what that will
    // read.
    template <class Form, class Right>
    void run(const Step<Form>* steps, const Right& right, std::int32_t* leaf) {
        std::iota(rows_[0].begin(), rows_[0].end(), 0U);
        groups_[0] = {0, 0, static_cast<std::uint32_t>(rows_[0].size()), 0};
        n_ways_ = 0;
        for (std::size_t n_groups = 1; n_groups > 0;) {
            const Group group = groups_[--n_groups];
            const std::uint32_t* rows = rows_[group.side].data();
            if (group.at < 0) {
                for (std::size_t k = group.begin; k < group.end; ++k) leaf[rows[k]] = ~group.at;
            } else if (group.end - group.begin < kFew) {
                for (std::size_t k = group.begin; k < group.end; ++k) ways_[n_ways_++] = {rows[k], group.at};
            } else {
                if (n_groups + 2 > groups_.size()) groups_.resize(2 * groups_.size());
                part(steps[group.at], group, right, &groups_[n_groups]);
                n_groups += 2;
            }
        }
        walk(steps, right, leaf);
    }

  private:
    static constexpr std::size_t kFew = 8;
    static constexpr std::size_t kAhead = 16;  // rows

    struct Group {  // rows that are at the same split, or ~leaf
        std::int32_t at;
        std::uint32_t begin, end;
        std::uint32_t side;  // in which of the two lists
    };
    struct Way {  // a row on its own
        std::uint32_t row;
        std::int32_t at;
    };

    template <class Form, class Right>
    void part(const Step<Form> step, const Group group, const Right& right, Group* parts) {
        const auto part_by = [&](auto... known) {
            return part_rows(group, [&](std::uint32_t row) { return right(step, row, known...); });
        };
        const std::size_t middle = [&] {
            if constexpr (requires { step.form.few_terms(); }) {
                if (step.form.few_terms() == 1) return part_by(Few<1>());
                if (step.form.few_terms() == 2) return part_by(Few<2>());
            }
            return part_by();
        }();
        const std::uint32_t side = 1 - group.side;
        parts[0] = {step.child[0], group.begin, static_cast<std::uint32_t>(middle), side};
        parts[1] = {step.child[1], static_cast<std::uint32_t>(middle), group.end, side};
    }

    // Returns where the right part begins.
    template <class Right>
    std::size_t part_rows(const Group group, const Right& right) {
        const std::uint32_t* from = rows_[group.side].data();
        std::uint32_t* to = rows_[1 - group.side].data();
        std::size_t left_end = group.begin;
        std::size_t right_begin = group.end;
        for (std::size_t k = group.begin; k < group.end; ++k) {
            const std::uint32_t row = from[k];
            const auto goes_right = static_cast<std::size_t>(right(row));
            to[left_end] = row;
            to[right_begin - 1] = row;
            left_end += 1 - goes_right;
            right_begin -= goes_right;
        }
        return left_end;
    }

    // It may lie across two cache lines.
    template <class Form>
    static void fetch(const Step<Form>& step) {
        __builtin_prefetch(&step.form);
        __builtin_prefetch(&step.threshold);
    }

    template <class Form, class Right>
    void walk(const Step<Form>* steps, const Right& right, std::int32_t* leaf) {
        Way* ways = ways_.data();
        for (std::size_t n_ways = n_ways_; n_ways > 0;) {
            std::size_t n_left = 0;
            for (std::size_t k = 0; k < n_ways; ++k) {
                if (k + kAhead < n_ways) fetch(steps[ways[k + kAhead].at]);
                if (k + kAhead / 2 < n_ways)
                    right.fetch(steps[ways[k + kAhead / 2].at], ways[k + kAhead / 2].row);
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

    std::array<std::vector<std::uint32_t>, 2> rows_;
    std::vector<Way> ways_;
    std::size_t n_ways_ = 0;
    std::vector<Group> groups_ = std::vector<Group>(64);
};

}  // namespace foliation
