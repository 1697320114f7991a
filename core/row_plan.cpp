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
void balance(RowPlan& plan, const Targets& targets) {
    const auto outputs = static_cast<std::size_t>(targets.n_outputs);
    const double n_drawn = std::accumulate(plan.counts.begin(), plan.counts.end(), 0.0);
    for (std::size_t o = 0; o < outputs; ++o) {
        std::vector<double> drawn(static_cast<std::size_t>(targets.n_columns), 0.0);
        const auto code = [&](std::size_t i) {
            const auto row = static_cast<std::size_t>(plan.rows[i]);
            return static_cast<std::size_t>(targets.classes[row * outputs + o]);
        };
        for (std::size_t i = 0; i < plan.rows.size(); ++i) drawn[code(i)] += plan.counts[i];
        const auto present = std::count_if(drawn.begin(), drawn.end(), [](double d) { return d > 0.0; });
        for (std::size_t i = 0; i < plan.rows.size(); ++i)
            plan.weights[i] *= n_drawn / (static_cast<double>(present) * drawn[code(i)]);
    }
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
    RowPlan plan;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        if (counts[row] == 0) continue;
        plan.rows.push_back(static_cast<std::int32_t>(row));
        plan.counts.push_back(counts[row]);
        plan.weights.push_back(own_weights ? sampling.weights[row] : counts[row]);
    }
    if (sampling.balanced_subsample) balance(plan, targets);
    return plan;
}

}  // namespace foliation
