// Box sums from tables equal sums over the cells of the expanded atom, for every geometry and every width
// of the cells.
#include <cmath>
#include <numeric>

#include "core/data/integral_table.h"
#include "core/projections/dictionary.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::int64_t kRows = 9;

// The largest whole number of which a table with cells of so many bits can sum a whole patch.
double largest_for(int bits, std::int64_t max_cells) {
    return std::floor((std::ldexp(1.0, bits - 1) - 1.0) / static_cast<double>(max_cells));
}

double sum(const Terms& terms, const double* row) {
    double total = 0.0;
    for (std::size_t t = 0; t < terms.ids.size(); ++t) total += terms.weights[t] * row[terms.ids[t]];
    return total;
}

// Whole numbers for fewer than 64 bits; two rows hold nothing but the largest and its negative.
void test_geometry(const Patches& patches, int bits) {
    const bool whole = bits < 64;
    std::int64_t n_features = patches.where.pitch;
    for (std::size_t a = 0; a + 1 < patches.axes.size(); ++a) n_features *= patches.axes[a].side;
    n_features += patches.where.first;
    const double largest = whole ? largest_for(bits, patches.max_cells()) : 50.0;
    Rng rng(3);
    std::vector<double> x(static_cast<std::size_t>(kRows * n_features));
    const auto bound = static_cast<std::int32_t>(largest);
    for (double& value : x) value = whole ? static_cast<double>(rng.between(-bound, bound)) : rng.normal();
    std::fill_n(x.begin(), n_features, largest);
    std::fill_n(x.begin() + n_features, n_features, -largest);
    const Matrix matrix{Columns<double>{x.data(), n_features, 1}, kRows, n_features};
    const Dictionary dictionary{{patches}, {1.0}, static_cast<std::int32_t>(n_features)};
    const auto fixed = fixed_points(dictionary, largest);
    PreparedRows prepared = prepare_rows(dictionary, matrix, fixed, whole, largest);
    prepared.fill(0, kRows);
    CHECK(prepared.tables[0].row_bytes() == prepared.tables[0].n_cells() * bits / 8);
    const PreparedRows wider = prepare_rows(dictionary, matrix, fixed, whole, largest + 1.0);
    CHECK(wider.tables[0].row_bytes() == prepared.tables[0].row_bytes() * (whole ? 2 : 1));
    CHECK(prepared.tables[0].whole() == whole &&
          whole_bits(dictionary, prepared) == (whole ? std::max(bits, 16) : 0));

    Scratch scratch;
    std::vector<std::int32_t> rows(kRows);
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<double> values(kMostTogether * rows.size());
    std::vector<std::int32_t> whole_values(values.size());
    std::vector<std::int16_t> narrow_values(values.size());
    Drawn atoms;
    for (int repeat = 0; repeat < 5; ++repeat) {
        atoms.clear();
        for (std::size_t k = 0; k < kMostTogether; ++k) {
            patches.draw(rng, scratch, atoms.words);
            atoms.start.push_back(atoms.words.size());
        }
        project(dictionary, atoms, prepared, rows, scratch, values.data());
        if (whole) project(dictionary, atoms, prepared, rows, scratch, whole_values.data());
        if (bits <= 16) project(dictionary, atoms, prepared, rows, scratch, narrow_values.data());
        for (std::size_t k = 0; k < atoms.size(); ++k) {
            const Terms terms = dictionary.expand(atoms[k], scratch);
            CHECK(!terms.ids.empty());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const double expected = sum(terms, x.data() + i * static_cast<std::size_t>(n_features));
                const double value = values[k * rows.size() + i];
                CHECK(whole ? value == expected : std::abs(value - expected) < 1e-12);
                CHECK(!whole || whole_values[k * rows.size() + i] == static_cast<std::int32_t>(expected));
                CHECK(bits > 16 || narrow_values[k * rows.size() + i] == static_cast<std::int32_t>(expected));
            }
        }
    }
}

}  // namespace

int main() {
    for (const int bits : {8, 16, 32, 64}) {
        for (const double contrast : {0.0, 0.6}) {
            for (const Border border : {Border::pad, Border::inside}) {
                const auto test = [&](std::vector<PatchAxis> axes) {
                    test_geometry(Patches(std::move(axes), border, Weights::ones, contrast), bits);
                };
                const auto test_part = [&](std::vector<PatchAxis> axes, GridPlace where) {
                    test_geometry(Patches(std::move(axes), border, Weights::ones, contrast, where), bits);
                };
                test_part({{5, 2, 3, false, true}, {6, 1, 6, false, true}}, {40, 8});
                test_part({{4, 1, 3, false, false}, {7, 1, 7, true, true}}, {9, 12});
                test({{20, 1, 7, false, true}});
                test({{20, 1, 20, true, true}});
                test({{5, 2, 3, false, true}, {6, 1, 6, false, true}});
                test({{5, 2, 3, true, true}, {6, 1, 6, false, true}});
                test({{4, 1, 3, false, false}, {9, 2, 5, false, true}});
                test({{4, 1, 3, false, false}, {3, 1, 2, true, true}, {5, 1, 2, false, true}});
            }
        }
    }
}
