// Box sums from tables equal sums over the cells of the expanded atom, for every geometry.
#include <cmath>

#include "check.h"
#include "core/projections/dictionary.h"
#include "core/views/integral_table.h"

using namespace foliation;

namespace {

void test_geometry(const Patches& patches, bool whole) {
    constexpr std::int64_t kRows = 9;
    std::int64_t n_features = 1;
    for (const PatchAxis& axis : patches.axes) n_features *= axis.side;
    Rng rng(3);
    std::vector<double> x(static_cast<std::size_t>(kRows * n_features));
    for (double& value : x) value = whole ? static_cast<double>(rng.between(-50, 50)) : rng.normal();
    const Matrix matrix{Columns<double>{x.data(), n_features, 1}, kRows, n_features};
    const Dictionary dictionary{{patches}, {1.0}, static_cast<std::int32_t>(n_features)};
    const auto fixed = fixed_points(dictionary, 50.0);
    View view(dictionary, matrix, fixed, whole, 50.0);
    view.fill(dictionary, 0, kRows);
    CHECK(view.tables[0].narrow() == whole);

    Scratch scratch;
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> rows;
    for (std::int32_t row = 0; row < kRows; ++row) rows.push_back(row);
    std::vector<double> values(rows.size());
    for (int k = 0; k < 300; ++k) {
        words.clear();
        patches.draw(rng, scratch, words);
        project(dictionary, words, view, rows, scratch, values.data());
        const Terms terms = dictionary.expand(words, scratch);
        CHECK(!terms.ids.empty());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double expected = 0.0;
            for (std::size_t t = 0; t < terms.ids.size(); ++t)
                expected +=
                    terms.weights[t] *
                    x[i * static_cast<std::size_t>(n_features) + static_cast<std::size_t>(terms.ids[t])];
            CHECK(whole ? values[i] == expected : std::abs(values[i] - expected) < 1e-12);
        }
    }
}

}  // namespace

int main() {
    for (const bool whole : {false, true}) {
        for (const double contrast : {0.0, 0.6}) {
            for (const Border border : {Border::pad, Border::inside}) {
                const auto test = [&](std::vector<PatchAxis> axes) {
                    test_geometry(Patches(std::move(axes), border, Weights::ones, contrast), whole);
                };
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
