// Drawn patches against the cells that their words name.
#include <set>

#include "core/projections/patches.h"
#include "tests/core/check.h"
#include "tests/core/make.h"

using namespace foliation;

namespace {

constexpr std::int32_t kHeight = 5, kWidth = 6;

Patches make(Border border, bool wrap, Weights weights, double contrast) {
    return Patches({{kHeight, 2, 3, false, true}, {kWidth, 1, 4, wrap, true}}, border, weights, contrast,
                   {100, 8});
}

struct Drawn {
    std::vector<std::int32_t> words;
    Terms terms;
};

Drawn draw(const Patches& patches, Rng& rng) {
    Drawn drawn;
    Scratch scratch;
    CHECK(patches.draw(rng, scratch, drawn.words) && patches.holds(drawn.words));
    patches.expand(drawn.words, scratch, drawn.terms);
    CHECK(!drawn.terms.ids.empty());
    CHECK(patches.most_terms(drawn.words) == std::ssize(drawn.terms.ids));
    return drawn;
}

// The features of a box, in a grid that begins at feature 100 and has 8 from line to line.
std::set<std::int32_t> features(Words box, bool wrap) {
    std::set<std::int32_t> ids;
    for (std::int32_t y = box[0]; y < box[0] + box[1]; ++y)
        for (std::int32_t x = box[2]; x < box[2] + box[3]; ++x) {
            const std::int32_t column = wrap ? (x + kWidth) % kWidth : x;
            if (y >= 0 && y < kHeight && column >= 0 && column < kWidth) ids.insert(100 + 8 * y + column);
        }
    return ids;
}

void test_cells(Border border, bool wrap) {
    Rng rng(1);
    std::set<std::vector<std::int32_t>> boxes;
    for (int k = 0; k < 10000; ++k) {
        const auto [words, terms] = draw(make(border, wrap, Weights::ones, 0.0), rng);
        CHECK(words[1] >= 2 && words[1] <= 3 && words[3] >= 1 && words[3] <= 4);
        const auto expected = features(words, wrap);
        CHECK(terms.ids.size() == expected.size());
        CHECK(std::set(terms.ids.begin(), terms.ids.end()) == expected);
        if (border == Border::inside) CHECK(std::ssize(expected) == words[1] * words[3]);
        boxes.insert(words);
    }
    // Positions along both axes, times each other: every box that may be drawn is.
    const std::size_t rows = border == Border::inside ? 4 + 3 : 6 + 7;
    const std::size_t columns = wrap ? 4 * 6 : border == Border::inside ? 6 + 5 + 4 + 3 : 6 + 7 + 8 + 9;
    CHECK(boxes.size() == rows * columns);
}

// The features of a box as labels name it.
std::vector<std::int32_t> features(const Box& box) {
    const auto places = [](const BoxAxis& axis, std::int32_t side) {
        if (!axis.chosen.empty()) return axis.chosen;
        std::vector<std::int32_t> run;
        for (std::int32_t k = 0; k < axis.size; ++k) run.push_back((axis.start + k) % side);
        return run;
    };
    std::vector<std::int32_t> ids;
    for (const std::int32_t y : places(box[0], kHeight))
        for (const std::int32_t x : places(box[1], kWidth)) ids.push_back(100 + 8 * y + x);
    return ids;
}

// Boxes say in a few numbers what an atom is cell by cell.
void test_boxes(Border border, bool wrap, bool contiguous) {
    const Patches patches({{kHeight, 2, 3, false, contiguous}, {kWidth, 1, contiguous ? 6 : 4, wrap, true}},
                          border, Weights::ones, 0.5, {100, 8});
    Rng rng(3);
    int n_contrasts = 0;
    for (int k = 0; k < 3000; ++k) {
        const auto [words, terms] = draw(patches, rng);
        const BoxAtom atom = patches.boxes(words);
        CHECK(!atom.weighted && (atom.boxes.size() == 1 || atom.boxes.size() == 2));
        n_contrasts += atom.boxes.size() == 2 ? 1 : 0;
        std::multiset<std::pair<std::int32_t, double>> found, expected;
        for (std::size_t b = 0; b < atom.boxes.size(); ++b)
            for (const std::int32_t id : features(atom.boxes[b])) found.emplace(id, b == 0 ? 1.0 : -1.0);
        for (std::size_t t = 0; t < terms.ids.size(); ++t) expected.emplace(terms.ids[t], terms.weights[t]);
        CHECK(found == expected);
    }
    CHECK(n_contrasts > 1000);
    CHECK(make(border, false, Weights::gaussian, 0.0).boxes(std::vector<std::int32_t>{0, 2, 0, 2}).weighted);
}

// A contrast is a patch minus the same one displaced, so on a circle its weights cancel.
void test_contrast() {
    const Patches patches({{12, 2, 5, true, true}}, Border::pad, Weights::uniform, 0.7);
    Rng rng(2);
    int n_displaced = 0;
    for (int k = 0; k < 500; ++k) {
        const auto [words, terms] = draw(patches, rng);
        CHECK(words.size() == 5 && std::abs(words[2]) <= Patches::kReach);
        n_displaced += words[2] != 0 ? 1 : 0;
        const double sum = std::accumulate(terms.weights.begin(), terms.weights.end(), 0.0);
        CHECK((std::abs(sum) < 1e-12) == (words[2] != 0));
    }
    CHECK(std::abs(n_displaced - 350) < 50);
}

void test_holds() {
    const Patches patches = make(Border::pad, false, Weights::ones, 0.0);
    CHECK(patches.holds(std::vector{-1, 2, 5, 4}));
    for (const std::vector<std::int32_t>& words : {std::vector<std::int32_t>{},
                                                   {-1, 2, 5},
                                                   {-1, 2, 5, 4, 0},
                                                   {-2, 2, 5, 4},
                                                   {-1, 1, 5, 4},
                                                   {-1, 2, 6, 4},
                                                   {-1, 2, 5, 5},
                                                   {5, 2, 5, 4}})
        CHECK(!patches.holds(words));
    const Patches inside = make(Border::inside, false, Weights::ones, 0.0);
    CHECK(inside.holds(std::vector{0, 2, 2, 4}) && !inside.holds(std::vector{0, 2, 3, 4}));
    CHECK(!inside.holds(std::vector{-1, 2, 2, 4}));
    const Patches wrapped = make(Border::pad, true, Weights::ones, 0.0);
    CHECK(wrapped.holds(std::vector{0, 2, 5, 4}) && !wrapped.holds(std::vector{0, 2, -1, 4}));
    const Patches free({{4, 1, 3, false, false}}, Border::pad, Weights::ones, 0.0);
    CHECK(!free.holds(std::vector{2, -1, 3}));
    CHECK(free.holds(std::vector{2, 0, 3}) && !free.holds(std::vector{2, 3, 0}));
    CHECK(!free.holds(std::vector{2, 1, 1}) && !free.holds(std::vector{2, 0, 4}));
}

void test_holds_displacements() {
    const Patches contrasts = make(Border::inside, false, Weights::ones, 0.5);
    CHECK(contrasts.holds(std::vector{0, 2, 0, 4, 0, 0}));  // a plain patch
    CHECK(contrasts.holds(std::vector{0, 2, 0, 4, 2, 2}));
    for (const std::vector<std::int32_t>& words : {std::vector<std::int32_t>{0, 2, 0, 4},
                                                   {0, 2, 0, 4, 0},
                                                   {0, 2, 0, 4, 0, 0, 0},
                                                   {0, 2, 0, 4, -1, 0},
                                                   {0, 2, 0, 4, 0, -1},
                                                   {0, 2, 0, 4, 3, 0},
                                                   {0, 2, 0, 4, 0, 3}})
        CHECK(!contrasts.holds(words));
}

// All of a grid of 2^31 - 2 cells: counted in no time, and left once the monitor is stopped.
void test_a_huge_patch() {
    const std::int32_t side = std::numeric_limits<std::int32_t>::max() - 1;
    const Patches patches({{side, 1, side, false, true}}, Border::inside, Weights::signs, 0.0);
    const std::vector<std::int32_t> words{0, side, 1, 1};
    CHECK(patches.holds(words) && patches.most_terms(words) == side);
    Monitor monitor;
    monitor.stop();
    Scratch scratch;
    scratch.monitor = &monitor;
    Terms terms;
    CHECK(is_left([&] { patches.expand(words, scratch, terms); }) && terms.ids.empty());
}

}  // namespace

int main() {
    for (const bool wrap : {false, true}) {
        test_cells(Border::pad, wrap);
        test_cells(Border::inside, wrap);
        for (const bool contiguous : {false, true}) {
            test_boxes(Border::pad, wrap, contiguous);
            test_boxes(Border::inside, wrap, contiguous);
        }
    }
    test_contrast();
    test_holds();
    test_holds_displacements();
    test_a_huge_patch();
    CHECK(make(Border::pad, false, Weights::ones, 0.0).max_cells() == 12);
    CHECK(make(Border::pad, false, Weights::ones, 0.5).max_cells() == 24);
    const PatchAxis large{1 << 16, 1, 1, false, true};
    CHECK(error_of([&] { Patches({large, large}, Border::pad, Weights::ones, 0.0); }) ==
          "the grid has too many cells for a table");
}
