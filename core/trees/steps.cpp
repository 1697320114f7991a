#include "core/trees/steps.h"

#include <algorithm>
#include <cmath>

namespace foliation {

namespace {

// A whole number of 32 bits goes left of both or of none.
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
AnySteps write_boxes(const auto& family, const Trees& trees, int n_threads, Monitor& monitor) {
    return write_all<BoxForm<kSide>>(
        trees, n_threads, monitor, [&](std::size_t s, AtomReader& atom, Scratch& scratch, Decoded& decoded) {
            family.decode(atom(s), scratch, decoded);
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
AnySteps write_sums(const auto& family, const Trees& trees, int n_threads, Monitor& monitor) {
    const std::size_t words_per_term = family.signs() ? 1 : 2;
    SumSteps<Form> sums{{}, std::vector<SparseTerm>(trees.n_words() / words_per_term)};
    constexpr std::size_t kMost = std::size_t{1} << 29;  // features, and places, that a form can name
    if (std::max(static_cast<std::size_t>(family.n_features), sums.terms.size()) > kMost) return {};
    sums.steps =
        write_all<Form>(trees, n_threads, monitor, [&](std::size_t s, AtomReader& atom, Scratch&, Decoded&) {
            Form form;
            write_form({family.signs(), atom(s)}, atom.begin(s) / words_per_term, sums.terms, form);
            return form;
        });
    return sums;
}

// By what a family offers, see family.h.
AnySteps write_family(const auto& family, const Trees& trees, int n_threads, Monitor& monitor) {
    if constexpr (requires { family.most_corners(); }) {
        const std::size_t corners = family.most_corners();
        if (corners == 2) return write_boxes<1>(family, trees, n_threads, monitor);
        if (corners == 4) return write_boxes<2>(family, trees, n_threads, monitor);
        if (corners == 8) return write_boxes<4>(family, trees, n_threads, monitor);
    } else if constexpr (requires { family.signs(); }) {
        return family.signs() ? write_sums<SignsForm>(family, trees, n_threads, monitor)
                              : write_sums<SparseForm>(family, trees, n_threads, monitor);
    } else if constexpr (requires { family.feature_of(Words()); }) {
        return write_all<FeatureForm>(
            trees, n_threads, monitor, [&](std::size_t s, AtomReader& atom, Scratch&, Decoded&) {
                return FeatureForm{family.feature_of(atom(s)), whole_threshold(trees.threshold[s])};
            });
    }
    return {};
}

}  // namespace

AnySteps write_steps(const Dictionary& dictionary, const Trees& trees, int n_threads, Monitor& monitor) {
    if (dictionary.is_mixture()) return {};
    return std::visit([&](const auto& family) { return write_family(family, trees, n_threads, monitor); },
                      dictionary.members[0]);
}

}  // namespace foliation
