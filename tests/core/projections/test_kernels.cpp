// A placed kernel weighs each feature of the grid by the cell that lies on it.
#include "core/projections/kernels.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kHeight = 4, kWidth = 5;

// The weight of a feature, by all cells of the kernel that come to lie on it.
double weight_at(const Kernels& kernels, Words words, std::int32_t row, std::int32_t column) {
    double weight = 0.0;
    for (std::int32_t i = 0; i < 2; ++i)
        for (std::int32_t j = 0; j < 3; ++j) {
            std::int32_t y = words[1] + i, x = words[2] + j;
            if (kernels.axes[0].wrap) y %= kHeight;
            if (kernels.axes[1].wrap) x %= kWidth;
            if (y == row && x == column)
                weight += kernels.bank[static_cast<std::size_t>(6 * words[0] + 3 * i + j)];
        }
    return weight;
}

void test_grid(Border border, bool wrap_rows, bool wrap_columns) {
    const Kernels kernels =
        Kernels::make({{kHeight, 2, 2, wrap_rows, true}, {kWidth, 3, 3, wrap_columns, true}}, border,
                      {1, 2, 3, 4, 5, 6, -1, 0, 0, 0, 0.5, 0});
    Rng rng(1);
    Scratch scratch;
    std::vector<bool> drawn(2, false);
    for (int k = 0; k < 300; ++k) {
        std::vector<std::int32_t> words;
        CHECK(kernels.draw(rng, scratch, words) && kernels.holds(words));
        drawn[static_cast<std::size_t>(words[0])] = true;
        Terms terms;
        kernels.expand(words, scratch, terms);
        CHECK(!terms.ids.empty());  // never only zeros, or nothing of the grid
        std::vector<double> weights(kHeight * kWidth, 0.0);
        for (std::size_t t = 0; t < terms.ids.size(); ++t)
            weights[static_cast<std::size_t>(terms.ids[t])] += terms.weights[t];
        for (std::int32_t row = 0; row < kHeight; ++row)
            for (std::int32_t column = 0; column < kWidth; ++column)
                CHECK(weights[static_cast<std::size_t>(row * kWidth + column)] ==
                      weight_at(kernels, words, row, column));
    }
    CHECK(drawn[0] && drawn[1]);
}

void test_holds() {
    const auto holds = [](Border border, bool wrap, std::int32_t kernel, std::int32_t start) {
        const Kernels kernels = Kernels::make({{7, 3, 3, wrap, true}}, border, {1, 2, 3, 4, 5, 6});
        return kernels.holds(std::vector{kernel, start});
    };
    CHECK(holds(Border::pad, false, 1, -2) && holds(Border::pad, false, 0, 6));
    CHECK(!holds(Border::pad, false, 0, -3) && !holds(Border::pad, false, 0, 7));
    CHECK(holds(Border::inside, false, 0, 0) && holds(Border::inside, false, 0, 4));
    CHECK(!holds(Border::inside, false, 0, -1) && !holds(Border::inside, false, 0, 5));
    CHECK(holds(Border::inside, true, 0, 6) && !holds(Border::pad, true, 0, -1));
    CHECK(!holds(Border::pad, false, 2, 0) && !holds(Border::pad, false, -1, 0));
    CHECK(!Kernels::make({{7, 3, 3, false, true}}, Border::pad, {1, 2, 3}).holds(std::vector{0}));
}

}  // namespace

int main() {
    for (const Border border : {Border::pad, Border::inside})
        for (const std::int32_t wrap : {0, 1, 2, 3}) test_grid(border, (wrap & 1) != 0, (wrap >> 1) != 0);
    test_holds();
}
