// Rows of an explicit dictionary with given probabilities. Words: number of the row.
#pragma once

#include "core/base/draw.h"
#include "core/projections/atom.h"

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

    bool holds(Words words) const {
        return words.size() == 1 && words[0] >= 0 && static_cast<std::size_t>(words[0]) + 1 < start.size();
    }

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
