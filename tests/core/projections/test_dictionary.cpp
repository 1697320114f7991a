// Projections of many atoms are the sums of their terms, for a mixture of families and any type of rows.
#include "core/projections/dictionary.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kFeatures = 24;

Dictionary mixture() {
    return {{Axis{kFeatures}, Sparse(kFeatures, 3.0, Weights::signs),
             Patches({{4, 1, 3, true, true}, {6, 1, 4, false, true}}, Border::pad, Weights::ones, 0.5)},
            {0.25, 0.5, 1.0},
            kFeatures};
}

template <class T, class V>
void test_project(std::int32_t lo, std::int32_t hi) {
    const Dictionary dictionary = mixture();
    const std::vector<T> x = whole_numbers<T>(1, 700 * kFeatures, lo, hi);
    const double largest = std::max(std::abs(lo), std::abs(hi));
    PreparedRows prepared =
        prepare_rows(dictionary, row_major(x, kFeatures), fixed_points(dictionary, largest), true, largest);
    prepared.fill(0, 700);
    Rng rng(2);
    Scratch scratch;
    Drawn atoms;
    std::vector<bool> member(3, false);
    for (std::size_t k = 0; k < kMostTogether; ++k) {
        if (k != 5) CHECK(dictionary.draw(rng, scratch, atoms.words));  // none was left for the fifth
        atoms.start.push_back(atoms.words.size());
        if (k == 5) continue;
        CHECK(dictionary.holds(atoms[k]));
        member[static_cast<std::size_t>(atoms[k][0])] = true;
    }
    CHECK(member == std::vector<bool>(3, true));
    const std::vector<std::int32_t> rows{3, 0, 699, 41, 7};
    std::vector<V> values(kMostTogether * rows.size(), V{77});
    project(dictionary, atoms, prepared, rows, scratch, values.data());
    for (std::size_t k = 0; k < atoms.size(); ++k)
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double sum = k == 5 ? 77.0 : 0.0;  // not written
            const Terms terms = k == 5 ? Terms() : dictionary.expand(atoms[k], scratch);
            for (std::size_t t = 0; t < terms.ids.size(); ++t)
                sum += terms.weights[t] *
                       static_cast<double>(x[static_cast<std::size_t>(rows[i] * kFeatures + terms.ids[t])]);
            CHECK(static_cast<double>(values[k * rows.size() + i]) == sum);
        }
}

// Terms of one feature are added up; those that cancel are left out.
void test_expand() {
    const Dictionary dictionary{
        {Atoms::make({0, 5}, {3, 1, 3, 1, 0}, {1.0, 2.0, -1.0, 3.0, 0.5}, {1.0})}, {1.0}, 4};
    Scratch scratch;
    const Terms terms = dictionary.expand(std::vector{0}, scratch);
    CHECK(terms.ids == std::vector({0, 1}) && terms.weights == std::vector({0.5, 5.0}));
    CHECK(dictionary.most_terms(std::vector{0}) == 5);
}

// Atoms 0 and 2 differ in their sign, 1 in a weight, 3 in a feature; 4 has no terms.
void test_lists() {
    const Dictionary dictionary{{Atoms::make({0, 2, 4, 6, 8, 8}, {1, 2, 1, 2, 1, 2, 1, 3},
                                             {1.0, -2.0, 1.0, 2.0, -1.0, 2.0, 1.0, -2.0}, {0, 0, 0, 0, 1.0})},
                                {1.0},
                                4};
    const std::vector<std::int64_t> start{0, 1, 2, 3, 4, 5};
    const std::vector<std::int32_t> words{0, 1, 2, 3, 4};
    Monitor monitor;
    const UnsignedAtoms kinds = unsigned_atoms(dictionary, start, words, monitor);
    CHECK(kinds.of_atom == std::vector<std::int64_t>({0, 1, 0, 2, 3}));
    CHECK(kinds.first == std::vector<std::int64_t>({0, 1, 3, 4}));
    CHECK(most_terms(dictionary, start, words) == 8.0);
    CHECK(expand_all(dictionary, start, words, monitor).start ==
          std::vector<std::int64_t>({0, 2, 4, 6, 8, 8}));
    monitor.stop();
    CHECK(is_left([&] { expand_all(dictionary, start, words, monitor); }));
    CHECK(is_left([&] { unsigned_atoms(dictionary, start, words, monitor); }));
}

void test_holds() {
    const Dictionary dictionary = mixture();
    CHECK(dictionary.holds(std::vector{0, 23}) && dictionary.holds(std::vector{1, ~23}));
    for (const std::vector<std::int32_t>& words :
         {std::vector<std::int32_t>{}, {0}, {-1, 3}, {3, 3}, {0, 24}, {1, ~24}, {2, 3}})
        CHECK(!dictionary.holds(words));
    const Dictionary alone{{Axis{4}}, {1.0}, 4};  // its words have no number of a member
    CHECK(alone.holds(std::vector{3}) && !alone.holds(std::vector{0, 3}));
}

// Members name their own boxes, in the part of a row where their grid lies.
void test_boxes() {
    const Patches patches({{12, 1, 4, false, true}}, Border::pad, Weights::ones, 0.0, {12, 12});
    const Dictionary both{{Axis{kFeatures}, patches}, {0.5, 1.0}, kFeatures};
    const std::vector<std::int64_t> first{0, 12};
    CHECK(both.first_features() == first);
    CHECK(both.boxes(std::vector{0, 3}).boxes.empty());
    const BoxAtom atom = both.boxes(std::vector{1, -1, 4});
    CHECK(atom.boxes.size() == 1 && atom.boxes[0][0].start == 0 && atom.boxes[0][0].size == 3);
    const Dictionary alone{{patches}, {1.0}, kFeatures};
    CHECK(alone.boxes(std::vector{5, 2}).boxes[0][0].start == 5);
}

// The bits that hold the largest projection of any row.
template <class T>
int bits(const Family& family, double largest) {
    const Dictionary dictionary{{family}, {1.0}, kFeatures};
    const std::vector<T> x(kFeatures);
    const auto fixed = fixed_points(dictionary, largest);
    return whole_bits(dictionary, prepare_rows(dictionary, row_major(x, kFeatures), fixed, true, largest));
}

void test_whole_bits() {
    CHECK(bits<std::uint8_t>(Axis{kFeatures}, 255) == 16 && bits<std::int16_t>(Axis{kFeatures}, 9) == 32);
    CHECK(bits<float>(Axis{kFeatures}, 1) == 0 && bits<std::int32_t>(Axis{kFeatures}, 9) == 0);
    CHECK(bits<std::uint8_t>(Sparse(kFeatures, 2.0, Weights::signs), 255) == 16);  // 24 * 256 < 2^15
    CHECK(bits<std::uint8_t>(Sparse(kFeatures, 2.0, Weights::normal), 255) == 0);
    const Patches patches({{kFeatures, 1, kFeatures, false, true}}, Border::pad, Weights::ones, 0.0);
    CHECK(bits<double>(patches, 1000.0) == 16 && bits<double>(patches, 2000.0) == 32);
    CHECK(fixed_points({{Axis{3}, patches}, {0.5, 1.0}, kFeatures}, 7.0)[0].limit == 0.0);
    CHECK(max_cells(patches) == kFeatures && table_shape(Axis{3}) == nullptr);
}

}  // namespace

int main() {
    test_project<std::uint8_t, std::int16_t>(0, 255);
    test_project<std::int16_t, std::int32_t>(-3000, 3000);
    test_project<float, double>(-3000, 3000);
    test_expand();
    test_lists();
    test_holds();
    test_boxes();
    test_whole_bits();
}
