// Parts of a graph over the features: all features within k hops of a random one, or a random
// connected part grown from it.
// Words: seed feature, number of hops or of features, then a seed if anything else is drawn.
#pragma once

#include <algorithm>

#include "core/base/rng.h"
#include "core/projections/atoms.h"
#include "core/projections/weights.h"

namespace foliation {

struct Neighborhoods {
    static constexpr const char* kName = "neighborhoods";
    std::vector<std::int64_t> start;  // neighbors of feature i: neighbors[start[i] .. start[i+1])
    std::vector<std::int32_t> neighbors;
    std::int32_t lo = 1;  // range of the number of hops, or of features
    std::int32_t hi = 1;
    bool connected_part = false;
    Weights weights = Weights::ones;
    std::int64_t largest_degree = 0;

    static Neighborhoods make(std::vector<std::int64_t> start, std::vector<std::int32_t> neighbors,
                              std::pair<std::int32_t, std::int32_t> range, bool connected_part,
                              Weights weights) {
        std::int64_t degree = 0;
        for (std::size_t id = 0; id + 1 < start.size(); ++id)
            degree = std::max(degree, start[id + 1] - start[id]);
        return {std::move(start),
                std::move(neighbors),
                range.first,
                range.second,
                connected_part,
                weights,
                degree};
    }

    std::int32_t n_features() const { return static_cast<std::int32_t>(start.size()) - 1; }
    bool has_seed() const { return connected_part || drawn(weights); }

    bool draw(Rng& rng, Scratch&, std::vector<std::int32_t>& words) const {
        words.push_back(rng.between(0, n_features() - 1));
        words.push_back(rng.between(lo, hi));
        if (has_seed()) push_seed(words, rng.next());
        return true;
    }

    bool holds(Words words) const {
        return words.size() == (has_seed() ? 4 : 2) && words[0] >= 0 && words[0] < n_features() &&
               words[1] >= lo && words[1] <= hi;
    }

    // expand() passes the edges of the part, or of all features that are fewer hops away: of those no more
    // than if each had the largest degree.
    std::int64_t most_terms(Words words) const {
        const auto n_edges = std::ssize(neighbors);
        if (connected_part) return 1 + std::min(n_edges, largest_degree * words[1]);
        std::int64_t n_passed = 0, n_reached = 1;
        for (std::int32_t hop = 0; hop < words[1] && n_passed < n_edges; ++hop) {
            n_passed += n_reached * largest_degree;
            n_reached *= largest_degree;
            if (largest_degree < 2) break;  // there is no way on
        }
        return 1 + std::min(n_edges, n_passed);
    }

    void expand(Words words, Scratch& scratch, Terms& out) const {
        Rng rng(has_seed() ? seed_at(words, 2) : 0);
        if (connected_part) {
            grow_part(words[0], words[1], rng, scratch);
        } else {
            walk_hops(words[0], words[1], scratch);
        }
        for (std::size_t k = 0; k < scratch.ids.size(); ++k)
            out.add(scratch.ids[k], weight_of(scratch.distances[k], rng));
    }

  private:
    // Gaussian weights fall off with the distance in hops, with a standard deviation of one hop.
    double weight_of(std::int32_t distance, Rng& rng) const {
        if (weights == Weights::gaussian) return coarse(exponential(-0.5 * distance * distance));
        return draw_weight(weights, rng);
    }

    // Appends the unseen neighbors of ids[at] with their distances.
    void add_neighbors(std::size_t at, Scratch& scratch) const {
        scratch.check();
        const auto id = static_cast<std::size_t>(scratch.ids[at]);
        const std::int32_t distance = scratch.distances[at] + 1;
        for (std::int64_t e = start[id]; e < start[id + 1]; ++e) {
            const std::int32_t next = neighbors[static_cast<std::size_t>(e)];
            if (!scratch.insert(next)) continue;
            scratch.ids.push_back(next);
            scratch.distances.push_back(distance);
        }
    }

    void begin_at(std::int32_t seed, Scratch& scratch) const {
        scratch.begin_set(start.size() - 1);
        scratch.insert(seed);
        scratch.ids.assign(1, seed);
        scratch.distances.assign(1, 0);
    }

    void walk_hops(std::int32_t seed, std::int32_t hops, Scratch& scratch) const {
        begin_at(seed, scratch);
        for (std::size_t at = 0; at < scratch.ids.size() && scratch.distances[at] < hops; ++at)
            add_neighbors(at, scratch);
    }

    // ids[0 .. grown) is the part, what follows are its neighbors; one of them, each equally likely,
    // joins the part until it has the wanted size or its component is exhausted.
    void grow_part(std::int32_t seed, std::int32_t size, Rng& rng, Scratch& scratch) const {
        begin_at(seed, scratch);
        std::size_t grown = 1;
        add_neighbors(0, scratch);
        while (grown < static_cast<std::size_t>(size) && grown < scratch.ids.size()) {
            const std::size_t pick = grown + static_cast<std::size_t>(rng.below(scratch.ids.size() - grown));
            std::swap(scratch.ids[grown], scratch.ids[pick]);
            std::swap(scratch.distances[grown], scratch.distances[pick]);
            add_neighbors(grown++, scratch);
        }
        scratch.ids.resize(grown);
        scratch.distances.resize(grown);
        if (weights == Weights::gaussian) shorten_distances(scratch);
    }

    // A feature may have been found along a detour: takes the shortest ways within the part, nearest first.
    void shorten_distances(Scratch& scratch) const {
        scratch.begin_set(start.size() - 1);
        scratch.places.resize(std::max(scratch.places.size(), start.size() - 1));
        for (std::size_t k = 0; k < scratch.ids.size(); ++k) {
            scratch.insert(scratch.ids[k]);
            place_of(scratch.ids[k], scratch) = static_cast<std::int32_t>(k);
        }
        constexpr std::int32_t kUnknown = -1;
        scratch.distances.assign(scratch.ids.size(), kUnknown);
        scratch.distances[0] = 0;
        std::vector<std::int32_t> found{scratch.ids[0]};
        for (std::size_t at = 0; at < found.size(); ++at) {
            scratch.check();
            const std::int32_t way = distance_of(found[at], scratch) + 1;
            const auto id = static_cast<std::size_t>(found[at]);
            for (std::int64_t e = start[id]; e < start[id + 1]; ++e) {
                const std::int32_t next = neighbors[static_cast<std::size_t>(e)];
                if (!scratch.contains(next) || distance_of(next, scratch) != kUnknown) continue;
                distance_of(next, scratch) = way;
                found.push_back(next);
            }
        }
    }

    static std::int32_t& place_of(std::int32_t id, Scratch& scratch) {
        return scratch.places[static_cast<std::size_t>(id)];
    }
    static std::int32_t& distance_of(std::int32_t id, Scratch& scratch) {
        return scratch.distances[static_cast<std::size_t>(place_of(id, scratch))];
    }
};

}  // namespace foliation
