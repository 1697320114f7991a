// Every form of an atom gives the same values row by row and for many rows; rows of an explicit dictionary
// are drawn by their probabilities.
#include "core/projections/atoms.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kFeatures = 30;
constexpr std::size_t kRows = 11;  // not a multiple of four

struct Data {
    std::vector<double> x = whole_numbers<double>(1, kRows* kFeatures, -9, 9);
    Columns<double> columns{x.data(), kFeatures, 1};
};

double sum(const Data& data, const Terms& terms, std::size_t row) {
    double total = 0.0;
    for (std::size_t k = 0; k < terms.ids.size(); ++k)
        total += terms.weights[k] * data.columns.at(static_cast<std::int64_t>(row), terms.ids[k]);
    return total;
}

template <class Form>
void check_form(const Form& form, const Terms& terms) {
    const Data data;
    const std::vector<std::int32_t> rows = first_rows(kRows);
    std::vector<std::int64_t> begin;
    for (const std::int32_t row : rows) begin.push_back(row * kFeatures);
    std::vector<double> values(kRows);
    std::vector<std::int32_t> whole(kRows);
    const RowSet part = RowSet{rows, begin}.part(1, kRows - 1);
    form.project(data.columns, IntegralTable(), part, values.data());
    form.project(data.columns, IntegralTable(), part, whole.data());
    for (std::size_t i = 0; i < part.size(); ++i) {
        CHECK(form.value(data.columns, IntegralTable(), part.rows[i]) == sum(data, terms, i + 1));
        CHECK(values[i] == sum(data, terms, i + 1) && whole[i] == values[i]);
    }
}

// Few terms and many are summed in different ways.
void test_sparse(std::int32_t n_terms) {
    Terms terms;
    std::vector<std::int32_t> signs, pairs;
    for (std::int32_t id = 0; id < n_terms; ++id) {
        const float weight = id % 3 == 0 ? -1.0F : 1.0F;
        terms.add(id, static_cast<double>(weight));
        signs.push_back(weight < 0.0F ? ~id : id);
        pairs.push_back(id);
        pairs.push_back(std::bit_cast<std::int32_t>(weight));
    }
    check_form(SparseAtom<>{true, signs}, terms);
    check_form(SparseAtom<>{false, pairs}, terms);
    check_form(TermsAtom(terms), terms);
}

// The second row has no terms, the third is never drawn.
void test_family() {
    const Atoms atoms = Atoms::make({0, 2, 2, 3}, {4, 1, 7}, {2.0, -3.0, 5.0}, {0.25, 1.0, 1.0});
    Scratch scratch;
    Decoded decoded;
    for (std::int32_t row = 0; row < 3; ++row) {
        const std::vector<std::int32_t> words{row};
        Terms terms;
        atoms.expand(words, scratch, terms);
        CHECK(terms.ids.size() == (row == 0 ? 2 : row == 1 ? 0 : 1));
        CHECK(atoms.holds(words));
        check_form(atoms.decode(words, scratch, decoded), terms);
    }
    for (const std::vector<std::int32_t>& words : {std::vector<std::int32_t>{}, {-1}, {3}, {0, 0}})
        CHECK(!atoms.holds(words));
    Rng rng(2);
    std::vector<std::int32_t> drawn;
    for (int k = 0; k < 4000; ++k) CHECK(atoms.draw(rng, scratch, drawn));
    const auto n_first = std::count(drawn.begin(), drawn.end(), 0);
    CHECK(std::abs(static_cast<double>(n_first) - 1000.0) < 4.0 * std::sqrt(750.0));
    CHECK(std::count(drawn.begin(), drawn.end(), 1) == 4000 - n_first);
}

}  // namespace

int main() {
    Terms one;
    one.add(7, 1.0);
    check_form(FeatureAtom{7}, one);
    for (const std::int32_t n_terms : {1, 2, 15, 16, 17, 30}) test_sparse(n_terms);
    test_family();
}
