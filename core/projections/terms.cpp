#include "core/projections/terms.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/projections/atoms.h"

namespace foliation {

namespace {

// Places of terms by ascending ids, those of one id in their order: parts are sorted, then merged two by two.
std::vector<std::size_t> order_of(const Terms& terms, const Scratch& scratch) {
    std::vector<std::size_t> order(terms.ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Not std::stable_sort nor std::inplace_merge, for which libstdc++ calls what newer compilers warn of.
    const auto before = [&](std::size_t a, std::size_t b) {
        return terms.ids[a] < terms.ids[b] || (terms.ids[a] == terms.ids[b] && a < b);
    };
    const auto at = [&](std::size_t k) {
        return order.begin() + static_cast<std::ptrdiff_t>(std::min(k, order.size()));
    };
    std::size_t size = kCheckedTogether;  // of a part
    for (std::size_t first = 0; first < order.size(); first += size) {
        scratch.check();
        std::sort(at(first), at(first + size), before);
    }
    std::vector<std::size_t> merged(size < order.size() ? order.size() : 0);
    for (; size < order.size(); size *= 2) {
        for (std::size_t first = 0; first < order.size(); first += 2 * size) {
            scratch.check();
            std::merge(at(first), at(first + size), at(first + size), at(first + 2 * size),
                       merged.begin() + static_cast<std::ptrdiff_t>(first), before);
        }
        order.swap(merged);
    }
    return order;
}

bool is_sum(const Terms& terms) {
    return std::adjacent_find(terms.ids.begin(), terms.ids.end(), std::greater_equal()) == terms.ids.end() &&
           std::find(terms.weights.begin(), terms.weights.end(), 0.0) == terms.weights.end();
}

}  // namespace

Terms merged(Terms raw, const Scratch& scratch) {
    if (is_sum(raw)) return raw;
    const std::vector<std::size_t> order = order_of(raw, scratch);
    Terms terms;
    for (std::size_t k = 0; k < order.size();) {
        const std::int32_t id = raw.ids[order[k]];
        double weight = 0.0;
        for (; k < order.size() && raw.ids[order[k]] == id; ++k) weight += raw.weights[order[k]];
        if (weight != 0.0) terms.add(id, weight);
    }
    return terms;
}

}  // namespace foliation
