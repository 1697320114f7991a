#include "core/data/row_plan.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/base/draw.h"

namespace foliation {

namespace {

using Counts = std::vector<std::int32_t>;

constexpr std::int64_t kTogether = 1 << 16;  // draws, or rows, between two looks at the monitor

// Calls use(begin, end) for parts of 0 .. n, until the monitor is stopped.
template <class Use>
void in_parts(std::int64_t n, const Monitor& monitor, const Use& use) {
    for (std::int64_t begin = 0; begin < n; begin += kTogether) {
        monitor.check();
        use(begin, std::min(n, begin + kTogether));
    }
}

// Units are groups if there are any, else rows.
std::size_t n_units(const Sampling& sampling) {
    return static_cast<std::size_t>(sampling.grouped() ? sampling.n_groups : sampling.n_rows);
}

std::size_t unit_of(const Sampling& sampling, std::size_t row) {
    return sampling.grouped() ? static_cast<std::size_t>(sampling.group[row]) : row;
}

bool takes_part(const Sampling& sampling, std::size_t row) {
    return sampling.weights.empty() || sampling.weights[row] > 0.0;
}

// Units that may be drawn, and the k-th of them.
std::size_t n_eligible(const Sampling& sampling) {
    return sampling.eligible.empty() ? n_units(sampling) : sampling.eligible.size();
}
std::size_t eligible_unit(const Sampling& sampling, std::uint64_t k) {
    const auto at = static_cast<std::size_t>(k);
    return sampling.eligible.empty() ? at : static_cast<std::size_t>(sampling.eligible[at]);
}

Counts with_replacement(const Sampling& sampling, Rng& rng, const Monitor& monitor) {
    Counts counts(n_units(sampling), 0);
    in_parts(sampling.n_draws, monitor, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) {
            const std::size_t unit = sampling.drawn_by_weight()
                                         ? draw_index(sampling.cumulative, rng.uniform())
                                         : eligible_unit(sampling, rng.below(n_eligible(sampling)));
            ++counts[unit];
        }
    });
    return counts;
}

Counts without_replacement(const Sampling& sampling, Rng& rng, const Monitor& monitor) {
    Counts counts(n_units(sampling), 0);
    const auto n = static_cast<std::int32_t>(n_eligible(sampling));
    const auto n_draws = static_cast<std::int32_t>(std::min<std::int64_t>(sampling.n_draws, n));
    IdScratch scratch;
    scratch.begin_set(static_cast<std::size_t>(n));
    in_parts(n_draws, monitor, [&](std::int64_t begin, std::int64_t end) {
        const std::int32_t first = n - n_draws;
        extend_subset(rng, first + static_cast<std::int32_t>(begin), first + static_cast<std::int32_t>(end),
                      scratch);
    });
    for (const std::int32_t k : scratch.ids)
        counts[eligible_unit(sampling, static_cast<std::uint64_t>(k))] = 1;
    return counts;
}

// If all draws hit the same unit, one of them goes to another.
void make_two(Counts& counts, const Sampling& sampling, Rng& rng) {
    const auto drawn = [](std::int32_t n) { return n > 0; };
    if (n_eligible(sampling) < 2 || std::count_if(counts.begin(), counts.end(), drawn) != 1) return;
    const auto only = std::find_if(counts.begin(), counts.end(), drawn);
    const auto at = static_cast<std::size_t>(only - counts.begin());
    std::size_t other = eligible_unit(sampling, rng.below(n_eligible(sampling) - 1));
    if (other == at) other = eligible_unit(sampling, n_eligible(sampling) - 1);
    if (*only > 1) --*only;
    counts[other] = 1;
}

// Each row's weight is divided by its class's share among the drawn rows, for every output in turn.
void balance(Samples& drawn, const Counts& counts, const Targets& targets) {
    const auto outputs = static_cast<std::size_t>(targets.n_outputs);
    const double n_drawn = std::accumulate(
        drawn.rows.begin(), drawn.rows.end(), 0.0,
        [&](double sum, std::int32_t row) { return sum + counts[static_cast<std::size_t>(row)]; });
    for (std::size_t o = 0; o < outputs; ++o) {
        std::vector<double> of_class(static_cast<std::size_t>(targets.n_columns), 0.0);
        const auto code = [&](std::int32_t row) {
            const auto at = targets.classes[static_cast<std::size_t>(row) * outputs + o];
            if (at < 0 || at >= targets.n_columns) throw std::invalid_argument("a class is out of range");
            return static_cast<std::size_t>(at);
        };
        for (const std::int32_t row : drawn.rows)
            of_class[code(row)] += counts[static_cast<std::size_t>(row)];
        const auto present =
            std::count_if(of_class.begin(), of_class.end(), [](double c) { return c > 0.0; });
        for (std::size_t i = 0; i < drawn.rows.size(); ++i)
            drawn.weights[i] *= n_drawn / (static_cast<double>(present) * of_class[code(drawn.rows[i])]);
    }
}

// Splits a tree's distinct rows, or groups, at random into structure and estimation samples.
RowPlan split_rows(const Samples& drawn, const Sampling& sampling, std::uint64_t key) {
    const auto unit = [&](std::int32_t row) { return unit_of(sampling, static_cast<std::size_t>(row)); };
    std::vector<std::int32_t> number(n_units(sampling), -1);  // of a unit among those that were drawn
    std::int32_t n = 0;
    for (const std::int32_t row : drawn.rows)
        if (number[unit(row)] < 0) number[unit(row)] = n++;
    if (n < 2) return {drawn, {}};
    const auto wanted = static_cast<std::int32_t>(sampling.structure_share * n + 0.5);
    Rng rng(key);
    IdScratch scratch;
    draw_subset(rng, n, std::clamp(wanted, 1, n - 1), scratch);
    std::vector<bool> in_structure(static_cast<std::size_t>(n), false);
    for (const std::int32_t k : scratch.ids) in_structure[static_cast<std::size_t>(k)] = true;
    RowPlan plan;
    for (std::size_t i = 0; i < drawn.rows.size(); ++i) {
        const auto k = static_cast<std::size_t>(number[unit(drawn.rows[i])]);
        Samples& part = in_structure[k] ? plan.structure : plan.estimation;
        part.rows.push_back(drawn.rows[i]);
        part.weights.push_back(drawn.weights[i]);
    }
    return plan;
}

Samples out_of_bag(const Sampling& sampling, const Counts& counts) {
    Samples rows;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        if (counts[row] > 0 || !takes_part(sampling, row)) continue;
        rows.rows.push_back(static_cast<std::int32_t>(row));
        rows.weights.push_back(sampling.weights.empty() ? 1.0 : sampling.weights[row]);
    }
    return rows;
}

}  // namespace

Sampling::Sampling(std::uint64_t s, std::int64_t rows, std::int64_t draws, bool with_replacement,
                   std::vector<double> w, std::vector<std::int32_t> groups)
    : seed(s),
      n_rows(rows),
      n_draws(draws),
      bootstrap(with_replacement),
      weights(std::move(w)),
      group(std::move(groups)) {
    for (const std::int32_t g : group) n_groups = std::max<std::int64_t>(n_groups, g + 1);
    if (weights.empty()) return;
    std::vector<bool> has_weight(n_units(*this), false);
    for (std::size_t row = 0; row < weights.size(); ++row)
        if (takes_part(*this, row)) has_weight[unit_of(*this, row)] = true;
    for (std::size_t unit = 0; unit < has_weight.size(); ++unit)
        if (has_weight[unit]) eligible.push_back(static_cast<std::int32_t>(unit));
    cumulative.resize(weights.size());
    std::partial_sum(weights.begin(), weights.end(), cumulative.begin());
    for (double& c : cumulative) c /= cumulative.back();
}

std::vector<std::int32_t> draw_counts(const Sampling& sampling, std::int64_t tree, const Monitor& monitor) {
    Rng rng(tree_key(sampling.seed, tree, Purpose::rows));
    Counts units = sampling.bootstrap ? with_replacement(sampling, rng, monitor)
                                      : without_replacement(sampling, rng, monitor);
    if (sampling.structure_share < 1.0 && !sampling.estimate_out_of_bag) make_two(units, sampling, rng);
    if (!sampling.grouped()) return units;
    Counts counts(sampling.group.size());
    for (std::size_t row = 0; row < counts.size(); ++row) counts[row] = units[unit_of(sampling, row)];
    return counts;
}

std::vector<std::uint64_t> membership(const Sampling& sampling, std::int64_t n_trees, bool out_of_bag,
                                      int n_threads, Monitor& monitor) {
    const auto n_rows = static_cast<std::size_t>(sampling.n_rows);
    const std::int64_t n_words = (n_trees + 63) / 64;
    std::vector<std::uint64_t> bits(n_rows * static_cast<std::size_t>(n_words), 0);
    for_each_task(n_words, n_threads, monitor, [&](std::int64_t word, int) {  // no two write to the same one
        for (std::int64_t tree = 64 * word; tree < std::min(n_trees, 64 * (word + 1)); ++tree) {
            const Counts counts = draw_counts(sampling, tree, monitor);
            for (std::size_t row = 0; row < n_rows; ++row) {
                const bool member = out_of_bag ? counts[row] == 0 : counts[row] > 0;
                bits[row * static_cast<std::size_t>(n_words) + static_cast<std::size_t>(word)] |=
                    std::uint64_t{member} << tree % 64;
            }
        }
    });
    return bits;
}

RowPlan draw_rows(const Sampling& sampling, std::int64_t tree, const Targets& targets,
                  const Monitor& monitor) {
    const Counts counts = draw_counts(sampling, tree, monitor);
    Samples drawn;
    const bool carried = !sampling.weights.empty() && !sampling.drawn_by_weight();
    for (std::size_t row = 0; row < counts.size(); ++row) {
        if (counts[row] == 0 || !takes_part(sampling, row)) continue;
        drawn.rows.push_back(static_cast<std::int32_t>(row));
        drawn.weights.push_back(counts[row] * (carried ? sampling.weights[row] : 1.0));
    }
    if (sampling.balanced_subsample) balance(drawn, counts, targets);
    if (sampling.estimate_out_of_bag) {
        Samples rest = out_of_bag(sampling, counts);
        if (sampling.balanced_subsample) balance(rest, Counts(counts.size(), 1), targets);
        if (!rest.rows.empty()) return {std::move(drawn), std::move(rest)};
    }
    if (sampling.structure_share < 1.0)
        return split_rows(drawn, sampling, tree_key(sampling.seed, tree, Purpose::honesty));
    return {std::move(drawn), {}};
}

}  // namespace foliation
