#include "core/trees/steps.h"

#include <algorithm>
#include <cmath>

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

// A sum's form. Its own places among the terms set apart begin at `first`, one for each of its terms.
void write_form(const SparseAtom<>& sum, std::size_t first, std::vector<SparseTerm>& set_apart,
                SparseForm& form) {
    for (std::size_t k = 1; k < sum.size(); ++k) set_apart[first + k] = sum[k];
    form = {sum[0].id, sum[0].weight, static_cast<std::int32_t>(sum.size() - 1),
            static_cast<std::int32_t>(first + 1)};
}

void write_form(const SparseAtom<>& sum, std::size_t first, std::vector<SparseTerm>& set_apart,
                SignsForm& form) {
    form.term.fill(4 * sum[0].id + SignsForm::kNone);
    const std::size_t n_inline = sum.size() > SignsForm::kInline ? SignsForm::kInline - 1 : sum.size();
    for (std::size_t k = 0; k < n_inline; ++k)
        form.term[k] = 4 * sum[k].id + (sum[k].weight > 0.0F ? SignsForm::kPlus : SignsForm::kMinus);
    if (n_inline == sum.size()) return;
    const std::size_t place = first + n_inline - 1;
    form.term.back() = 4 * static_cast<std::int32_t>(place) + SignsForm::kMore;
    set_apart[place].id = static_cast<std::int32_t>(sum.size() - n_inline);
    for (std::size_t k = n_inline; k < sum.size(); ++k) set_apart[first + k] = sum[k];
}

template <class Form>
AnySteps write_sums(const Sparse& sparse, const Trees& trees, int n_threads, Monitor& monitor) {
    const std::size_t words_per_term = sparse.signs() ? 1 : 2;
    SumSteps<Form> sums{{}, std::vector<SparseTerm>(trees.n_words() / words_per_term)};
    constexpr std::size_t kMost = std::size_t{1} << 29;  // features, and places, that a form can name
    if (std::max(static_cast<std::size_t>(sparse.n_features), sums.terms.size()) > kMost) return {};
    sums.steps =
        write_all<Form>(trees, n_threads, monitor, [&](std::size_t s, AtomReader& atom, Scratch&, Decoded&) {
            Form form;
            write_form({sparse.signs(), atom(s)}, atom.begin(s) / words_per_term, sums.terms, form);
            return form;
        });
    return sums;
}

}  // namespace

AnySteps write_steps(const Dictionary& dictionary, const Trees& trees, int n_threads, Monitor& monitor) {
    if (dictionary.is_mixture()) return {};
    const Family& family = dictionary.members[0];
    if (std::holds_alternative<Axis>(family))
        return write_all<FeatureForm>(trees, n_threads, monitor,
                                      [&](std::size_t s, AtomReader& atom, Scratch&, Decoded&) {
                                          return FeatureForm{atom(s)[0], whole_threshold(trees.threshold[s])};
                                      });
    if (const auto* sparse = std::get_if<Sparse>(&family))
        return sparse->signs() ? write_sums<SignsForm>(*sparse, trees, n_threads, monitor)
                               : write_sums<SparseForm>(*sparse, trees, n_threads, monitor);
    const auto* patches = std::get_if<Patches>(&family);
    const std::size_t corners = patches != nullptr ? patches->most_corners() : 0;
    if (corners == 2) return write_boxes<1>(*patches, trees, n_threads, monitor);
    if (corners == 4) return write_boxes<2>(*patches, trees, n_threads, monitor);
    if (corners == 8) return write_boxes<4>(*patches, trees, n_threads, monitor);
    return {};
}

}  // namespace foliation
