// One feature: the standard basis, the dictionary of random forests.
// Words: id. Within a node features are drawn without replacement.
#pragma once

#include "core/base/rng.h"
#include "core/projections/atoms.h"

namespace foliation {

struct Axis {
    static constexpr const char* kName = "axis";
    std::int32_t n_features = 0;

    static Axis make(std::int32_t n_features) { return {n_features}; }

    // False once the node has seen every feature.
    bool draw(Rng& rng, Scratch& scratch, std::vector<std::int32_t>& words) const {
        const std::size_t drawn = scratch.swaps.size();
        const auto n = static_cast<std::size_t>(n_features);
        if (drawn == n) return false;
        const std::size_t other = drawn + static_cast<std::size_t>(rng.below(n - drawn));
        std::swap(scratch.permutation[drawn], scratch.permutation[other]);
        scratch.swaps.emplace_back(drawn, other);
        words.push_back(scratch.permutation[drawn]);
        return true;
    }

    void begin_node(Scratch& scratch) const {
        if (scratch.permutation.size() != static_cast<std::size_t>(n_features)) {
            scratch.permutation.resize(static_cast<std::size_t>(n_features));
            for (std::int32_t id = 0; id < n_features; ++id)
                scratch.permutation[static_cast<std::size_t>(id)] = id;
        }
        for (; !scratch.swaps.empty(); scratch.swaps.pop_back()) {
            const auto [a, b] = scratch.swaps.back();
            std::swap(scratch.permutation[a], scratch.permutation[b]);
        }
    }

    bool holds(Words words) const { return words.size() == 1 && words[0] >= 0 && words[0] < n_features; }

    std::int64_t most_terms(Words) const { return 1; }
    std::int64_t whole_terms() const { return 1; }
    static std::int32_t feature_of(Words words) { return words[0]; }
    FeatureAtom decode(Words words, Scratch&, Decoded&) const { return {words[0]}; }
    template <class Word, class T>
    double value_of(std::span<const Word> words, const Columns<T>& x, std::int64_t row) const {
        return x.at(row, words[0]);
    }
    void expand(Words words, Scratch&, Terms& out) const { out.add(words[0], 1.0); }
};

}  // namespace foliation
