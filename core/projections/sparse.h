// max(1, Poisson(nonzeros)) distinct features with random weights: the dictionary of SPORF.
// Words: those of SparseAtom, ids ascending.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/draw.h"
#include "core/projections/atoms.h"
#include "core/projections/weights.h"

namespace foliation {

// Cumulative probabilities of Poisson(rate) on first .. its far tail, or the largest number that matters;
// what lies before is zero in double precision.
struct PoissonCumulative {
    std::size_t first = 0;
    std::vector<double> p;
};

// Ratios from the mode, then normalized, so that no exponential is needed.
inline PoissonCumulative poisson_cumulative(double rate, std::int32_t largest) {
    const double width = std::sqrt(rate);
    const auto mode = static_cast<std::int64_t>(rate);
    const auto first = static_cast<std::int64_t>(std::max(0.0, rate - 40.0 * width));
    const auto last = static_cast<std::int64_t>(rate + 12.0 * width + 30.0);
    std::vector<double> mass(static_cast<std::size_t>(last - first) + 1, 0.0);
    const auto at = [&](std::int64_t k) -> double& { return mass[static_cast<std::size_t>(k - first)]; };
    at(mode) = 1.0;
    for (std::int64_t k = mode; k > first; --k) at(k - 1) = at(k) * static_cast<double>(k) / rate;
    for (std::int64_t k = mode + 1; k <= last; ++k) at(k) = at(k - 1) * rate / static_cast<double>(k);
    for (std::size_t k = 1; k < mass.size(); ++k) mass[k] += mass[k - 1];
    for (double& m : mass) m /= mass.back();
    if (last > largest) {
        mass.resize(static_cast<std::size_t>(std::max<std::int64_t>(largest - first, 0)) + 1);
        mass.shrink_to_fit();
    }
    return {static_cast<std::size_t>(first), std::move(mass)};
}

struct Sparse {
    static constexpr const char* kName = "sparse";
    std::int32_t n_features = 0;  // that may be drawn
    Weights weights = Weights::signs;
    PoissonCumulative cumulative;        // of the number of non-zeros
    std::vector<std::int32_t> features;  // their ids, ascending; empty: 0 .. n_features-1

    Sparse(std::int32_t n, double nonzeros, Weights w, std::vector<std::int32_t> f = {})
        : n_features(n), weights(w), cumulative(poisson_cumulative(nonzeros, n)), features(std::move(f)) {}
    static Sparse make(std::int32_t n_features, double nonzeros, Weights weights,
                       std::vector<std::int32_t> features) {
        const auto n = features.empty() ? n_features : static_cast<std::int32_t>(features.size());
        return {n, nonzeros, weights, std::move(features)};
    }

    bool draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const {
        const std::size_t poisson = cumulative.first + draw_index(cumulative.p, rng.uniform());
        const auto count = std::clamp<std::size_t>(poisson, 1, static_cast<std::size_t>(n_features));
        draw_subset(rng, n_features, static_cast<std::int32_t>(count), scratch);
        for (const std::int32_t drawn_id : scratch.ids) {
            const std::int32_t id =
                features.empty() ? drawn_id : features[static_cast<std::size_t>(drawn_id)];
            const float weight = draw_sparse_weight(rng);
            words.push_back(signs() && weight < 0.0F ? ~id : id);
            if (!signs()) words.push_back(std::bit_cast<std::int32_t>(weight));
        }
        return true;
    }

    bool holds(Words words) const {
        if (words.empty() || (!signs() && words.size() % 2 != 0)) return false;
        const SparseAtom<> atom{signs(), words};
        std::int32_t before = -1;
        for (std::size_t k = 0; k < atom.size(); ++k) {
            const auto [id, weight] = atom[k];
            const bool known =
                features.empty() ? id < n_features : std::binary_search(features.begin(), features.end(), id);
            if (id <= before || !known || !std::isfinite(weight) || weight == 0.0F) return false;
            before = id;
        }
        return true;
    }

    std::int64_t most_terms(Words words) const { return std::ssize(words); }
    std::int64_t whole_terms() const { return signs() ? n_features : 0; }
    bool signs() const { return weights == Weights::signs; }
    SparseAtom<> decode(Words words, Scratch&, Decoded&) const { return {signs(), words}; }
    template <class Word, class T>
    double value_of(std::span<const Word> words, const Columns<T>& x, std::int64_t row) const {
        return SparseAtom<Word>{signs(), words}.value(x, {}, row);
    }
    void expand(Words words, Scratch&, Terms& out) const {
        const SparseAtom<> atom{signs(), words};
        for (std::size_t k = 0; k < atom.size(); ++k)
            out.add(atom[k].id, static_cast<double>(atom[k].weight));
    }

  private:
    // uniform is (-1, 1) here: a sparse projection contrasts features.
    float draw_sparse_weight(Rng& rng) const {
        if (weights != Weights::uniform) return static_cast<float>(draw_weight(weights, rng));
        const double sign = rng.sign();
        return static_cast<float>(sign * open_uniform(rng));
    }
};

}  // namespace foliation
