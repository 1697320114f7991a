#include "row_plan.h"

#include <algorithm>
#include <numeric>

#include "projections/sparse.h"

namespace foliation {

namespace {

using Counts = std::vector<std::int32_t>;

Counts with_replacement(const Sampling& sampling, Rng& rng) {
    Counts counts(static_cast<std::size_t>(sampling.n_rows), 0);
    for (std::int64_t k = 0; k < sampling.n_draws; ++k) {
        const std::size_t row = sampling.cumulative.empty()
                                    ? static_cast<std::size_t>(rng.below(counts.size()))
                                    : draw_index(sampling.cumulative, rng.uniform());
        ++counts[row];
    }
    return counts;
}

Counts without_replacement(const Sampling& sampling, Rng& rng) {
    Counts counts(static_cast<std::size_t>(sampling.n_rows), 0);
    std::vector<std::size_t> eligible;
    for (std::size_t row = 0; row < counts.size(); ++row)
        if (sampling.weights.empty() || sampling.weights[row] > 0.0) eligible.push_back(row);
    const auto n = static_cast<std::int32_t>(eligible.size());
    const auto n_draws = static_cast<std::int32_t>(std::min<std::int64_t>(sampling.n_draws, n));
    Scratch scratch;
    draw_subset(rng, n, n_draws, scratch);
    for (const std::int32_t k : scratch.ids) counts[eligible[static_cast<std::size_t>(k)]] = 1;
    return counts;
}

// Each row's weight is divided by its class's share among the drawn rows, for every output in turn.
void balance(PlanRows& drawn, const Counts& counts, const Targets& targets) {
    const auto outputs = static_cast<std::size_t>(targets.n_outputs);
    const double n_drawn = std::accumulate(counts.begin(), counts.end(), 0.0);
    for (std::size_t o = 0; o < outputs; ++o) {
        std::vector<double> of_class(static_cast<std::size_t>(targets.n_columns), 0.0);
        const auto code = [&](std::int32_t row) {
            return static_cast<std::size_t>(targets.classes[static_cast<std::size_t>(row) * outputs + o]);
        };
        for (const std::int32_t row : drawn.rows)
            of_class[code(row)] += counts[static_cast<std::size_t>(row)];
        const auto present =
            std::count_if(of_class.begin(), of_class.end(), [](double c) { return c > 0.0; });
        for (std::size_t i = 0; i < drawn.rows.size(); ++i)
            drawn.weights[i] *= n_drawn / (static_cast<double>(present) * of_class[code(drawn.rows[i])]);
    }
}

// Splits a tree's distinct rows at random into those that grow and those that fill.
RowPlan split_rows(const PlanRows& drawn, double grow_share, std::uint64_t key) {
    const auto n = static_cast<std::int32_t>(drawn.rows.size());
    const auto wanted = static_cast<std::int32_t>(grow_share * n + 0.5);
    Rng rng(key);
    Scratch scratch;
    draw_subset(rng, n, std::clamp(wanted, 1, n - 1), scratch);
    RowPlan plan;
    auto next = scratch.ids.begin();
    for (std::int32_t i = 0; i < n; ++i) {
        const bool grows = next != scratch.ids.end() && *next == i;
        if (grows) ++next;
        PlanRows& part = grows ? plan.grow : plan.fill;
        part.rows.push_back(drawn.rows[static_cast<std::size_t>(i)]);
        part.weights.push_back(drawn.weights[static_cast<std::size_t>(i)]);
    }
    return plan;
}

}  // namespace

Sampling::Sampling(std::uint64_t s, std::int64_t rows, std::int64_t draws, bool with_replacement,
                   std::vector<double> w)
    : seed(s), n_rows(rows), n_draws(draws), bootstrap(with_replacement), weights(std::move(w)) {
    if (!bootstrap || weights.empty()) return;
    cumulative.resize(weights.size());
    std::partial_sum(weights.begin(), weights.end(), cumulative.begin());
    for (double& c : cumulative) c /= cumulative.back();
}

std::vector<std::int32_t> draw_counts(const Sampling& sampling, std::int64_t tree) {
    Rng rng(tree_key(sampling.seed, tree, Purpose::rows));
    return sampling.bootstrap ? with_replacement(sampling, rng) : without_replacement(sampling, rng);
}

RowPlan draw_rows(const Sampling& sampling, std::int64_t tree, const Targets& targets) {
    const Counts counts = draw_counts(sampling, tree);
    const bool own_weights = !sampling.bootstrap && !sampling.weights.empty();
    PlanRows drawn;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        if (counts[row] == 0) continue;
        drawn.rows.push_back(static_cast<std::int32_t>(row));
        drawn.weights.push_back(own_weights ? sampling.weights[row] : counts[row]);
    }
    if (sampling.balanced_subsample) balance(drawn, counts, targets);
    if (sampling.grow_share < 1.0 && drawn.rows.size() > 1)
        return split_rows(drawn, sampling.grow_share, tree_key(sampling.seed, tree, Purpose::honesty));
    return {std::move(drawn), {}};
}

}  // namespace foliation
