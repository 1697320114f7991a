// Rows of a node whose weights are whole numbers, as those of a bootstrap are: they can be counted in
// integers, which is faster than in doubles and gives the same sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace foliation {

struct WholeRows {
    static constexpr std::size_t kFewest = 64;  // for which reading them pays
    static constexpr double kLargest = 0x1.0p31;

    std::vector<std::uint16_t> codes;
    std::vector<std::uint16_t> weights;
    double total = 0.0;  // weight

    bool empty() const { return codes.empty(); }

    // Left empty if there are few rows, or if weights are not whole or too large.
    void read(std::span<const std::int32_t> classes, std::span<const double> all_weights, double all) {
        const std::size_t n = all_weights.size();
        codes.clear();
        total = all;
        if (n < kFewest || all > kLargest) return;
        weights.resize(n);
        bool whole = true;
        for (std::size_t i = 0; i < n; ++i) {
            weights[i] = static_cast<std::uint16_t>(static_cast<std::int32_t>(all_weights[i]));
            whole = whole && static_cast<double>(weights[i]) == all_weights[i];
        }
        if (whole) codes.assign(classes.begin(), classes.end());
    }
};

}  // namespace foliation
