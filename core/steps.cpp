#include "steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foliation {

namespace {

// sum <= threshold and sum <= whole_threshold say the same of a whole number of 32 bits.
std::int32_t whole_threshold(double threshold) {
    return static_cast<std::int32_t>(std::clamp(std::floor(threshold), -0x1.0p31, 0x1.0p31 - 1.0));
}

template <class Form, class Write>
Steps<Form> write_all(const Trees& trees, int n_threads, Monitor& monitor, const Write& write) {
    Steps<Form> steps(trees.threshold.size());
    constexpr std::size_t kTogether = 4096;
    const auto n_tasks = static_cast<std::int64_t>((steps.size() + kTogether - 1) / kTogether);
    for_each_short_task(n_tasks, n_threads, monitor, [&](std::int64_t task, int) {
        AtomReader atom(trees);
        Scratch scratch;
        Decoded decoded;
        const std::size_t first = static_cast<std::size_t>(task) * kTogether;
        for (std::size_t s = first; s < std::min(first + kTogether, steps.size()); ++s)
            steps[s] = {write(s, atom, scratch, decoded),
                        {trees.children[2 * s], trees.children[2 * s + 1]},
                        trees.threshold[s]};
    });
    return steps;
}

template <std::size_t kSide>
AnySteps write_boxes(const Patches& patches, const Trees& trees, int n_threads, Monitor& monitor) {
    return write_all<BoxForm<kSide>>(
        trees, n_threads, monitor, [&](std::size_t s, AtomReader& atom, Scratch& scratch, Decoded& decoded) {
            patches.decode(atom(s), scratch, decoded);
            BoxForm<kSide> form;
            std::copy(decoded.plus.begin(), decoded.plus.end(), form.plus.begin());
            std::copy(decoded.minus.begin(), decoded.minus.end(), form.minus.begin());
            form.whole_threshold = whole_threshold(trees.threshold[s]);
            return form;
        });
}

AnySteps write_sparse(const Sparse& sparse, const Trees& trees, int n_threads, Monitor& monitor) {
    const std::size_t words_per_term = sparse.signs() ? 1 : 2;
    SparseSteps sums{{}, std::vector<SparseTerm>(trees.n_words() / words_per_term)};
    if (sums.terms.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return {};
    sums.steps = write_all<SparseForm>(
        trees, n_threads, monitor, [&](std::size_t s, AtomReader& atom, Scratch&, Decoded&) {
            const SparseAtom<> terms{sparse.signs(), atom(s)};
            const std::size_t first = atom.begin(s) / words_per_term;
            for (std::size_t k = 1; k < terms.size(); ++k) sums.terms[first + k] = terms[k];
            const SparseForm form{terms[0].id, terms[0].weight, static_cast<std::int32_t>(terms.size() - 1),
                                  static_cast<std::int32_t>(first + 1)};
            return form;
        });
    return sums;
}

}  // namespace

AnySteps write_steps(const Dictionary& dictionary, const Trees& trees, int n_threads, Monitor& monitor) {
    if (dictionary.is_mixture()) return {};
    const Family& family = dictionary.members[0];
    if (std::holds_alternative<Axis>(family))
        return write_all<FeatureAtom>(
            trees, n_threads, monitor,
            [](std::size_t s, AtomReader& atom, Scratch&, Decoded&) { return FeatureAtom{atom(s)[0]}; });
    if (const auto* sparse = std::get_if<Sparse>(&family))
        return write_sparse(*sparse, trees, n_threads, monitor);
    const auto* patches = std::get_if<Patches>(&family);
    const std::size_t corners = patches != nullptr ? patches->most_corners() : 0;
    if (corners == 2) return write_boxes<1>(*patches, trees, n_threads, monitor);
    if (corners == 4) return write_boxes<2>(*patches, trees, n_threads, monitor);
    if (corners == 8) return write_boxes<4>(*patches, trees, n_threads, monitor);
    return {};
}

}  // namespace foliation
