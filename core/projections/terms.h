// A vector written out: ids and weights, in the order in which its terms are summed.
#pragma once

#include <cstdint>
#include <vector>

namespace foliation {

struct Scratch;

struct Terms {
    std::vector<std::int32_t> ids;
    std::vector<double> weights;

    void clear() {
        ids.clear();
        weights.clear();
    }
    void add(std::int32_t id, double weight) {
        ids.push_back(id);
        weights.push_back(weight);
    }
};

// The same vector with ascending ids, each once: weights of equal ids are added, and zeros are dropped.
Terms merged(Terms terms, const Scratch& scratch);

}  // namespace foliation
