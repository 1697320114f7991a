// Rows of an explicit dictionary with given probabilities. Words: number of the row.
#pragma once

#include "../rng.h"
#include "atom.h"
#include "sparse.h"

namespace foliation {

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

    void begin_node(Scratch&) const {}

    TermsAtom decode(Words words, Scratch&) const {
        const auto row = static_cast<std::size_t>(words[0]);
        const auto first = static_cast<std::size_t>(start[row]);
        const auto count = static_cast<std::size_t>(start[row + 1]) - first;
        return {std::span(ids).subspan(first, count), std::span(weights).subspan(first, count)};
    }

    void expand(Words words, Scratch& scratch, Terms& out) const {
        const TermsAtom row = decode(words, scratch);
        for (std::size_t k = 0; k < row.ids.size(); ++k) out.add(row.ids[k], row.weights[k]);
    }
};

}  // namespace foliation
