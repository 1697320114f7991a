// Words that a dictionary holds are those of an atom: it can be written out and evaluated, and both agree.
// What a dictionary draws, it holds.
#include "core/trees/route.h"
#include "tests/fuzz/make/dictionary.h"
#include "tests/fuzz/make/rows.h"

using namespace foliation;
using namespace foliation::fuzz;

namespace {

void check_draws(Bytes& bytes, const Dictionary& dictionary) {
    Scratch scratch;
    Rng rng(bytes.any<std::uint16_t>());
    dictionary.begin_node(scratch);
    for (int k = 0; k < 8; ++k) {
        std::vector<std::int32_t> words;
        if (!dictionary.draw(rng, scratch, words)) return;
        expect(dictionary.holds(words), "a dictionary holds what it draws");
    }
}

void check_terms(const Dictionary& dictionary, const Terms& terms) {
    for (std::size_t k = 0; k < terms.ids.size(); ++k) {
        expect(terms.ids[k] >= (k > 0 ? terms.ids[k - 1] + 1 : 0) && terms.ids[k] < dictionary.n_features,
               "terms are features, ascending");
        expect(std::isfinite(terms.weights[k]) && terms.weights[k] != 0.0, "weights are finite and not zero");
    }
}

// What rules call an atom by lies on its grid.
void check_boxes(const BoxAtom& atom) {
    expect(atom.boxes.size() <= 2, "an atom is a box, or one less another");
    for (const Box& box : atom.boxes)
        for (const BoxAxis& axis : box)
            expect(axis.start >= 0 && axis.size >= 1 &&
                       (axis.chosen.empty() || std::ssize(axis.chosen) == axis.size),
                   "a box has places on its grid");
}

// The value of an atom is the sum of its terms, but for rounding: of the sum, and in tables of the largest
// value.
void check_value(const Matrix& matrix, const Terms& terms, std::int64_t row, double largest, double value) {
    std::visit(
        [&](const auto& columns) {
            double sum = 0.0;
            double size = 0.0;
            for (std::size_t k = 0; k < terms.ids.size(); ++k) {
                const double term = terms.weights[k] * columns.at(row, terms.ids[k]);
                sum += term;
                size += std::abs(term);
            }
            expect(std::abs(value - sum) <= 1e-9 * (size + largest),
                   "the value of an atom is the sum of its terms");
        },
        matrix.columns);
}

// As training evaluates atoms, on rows within range.
void project_all(const Dictionary& dictionary, const Drawn& atoms, const PreparedRows& prepared,
                 std::vector<double>& values) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(prepared.matrix.n_rows));
    std::iota(rows.begin(), rows.end(), 0);
    Scratch scratch;
    const auto run = [&]<class V>(V) {
        std::vector<V> own(atoms.size() * rows.size());
        project(dictionary, atoms, prepared, rows, scratch, own.data());
        values.assign(own.begin(), own.end());
    };
    const int bits = whole_bits(dictionary, prepared);
    if (bits == 16) return run(std::int16_t{});
    if (bits == 32) return run(std::int32_t{});
    run(double{});
}

void check_values(const Dictionary& dictionary, const Drawn& atoms, const FuzzRows& rows) {
    const Matrix matrix = rows.matrix();
    const Scan scanned = scan_rows(matrix, newest_isa());
    if (!may_be_trained_on(scanned)) return;
    expect(first_bad_column(matrix) == -1, "rows are finite");
    const auto fixed = fixed_points(dictionary, scanned.max_abs);
    PreparedRows prepared = prepare_rows(dictionary, matrix, fixed, scanned.whole, scanned.max_abs);
    prepared.fill(0, matrix.n_rows);
    std::vector<double> projected;
    project_all(dictionary, atoms, prepared, projected);
    Scratch scratch, other;
    with_evaluator(dictionary, prepared, scratch, [&](const auto& value) {
        for (std::size_t k = 0; k < atoms.size(); ++k) {
            const Terms terms = dictionary.expand(atoms[k], other);
            for (std::int64_t row = 0; row < matrix.n_rows; ++row) {
                const double one = value(atoms[k], row);
                check_value(matrix, terms, row, scanned.max_abs, one);
                const double same =
                    projected[k * static_cast<std::size_t>(matrix.n_rows) + static_cast<std::size_t>(row)];
                expect(one == same || (std::isnan(one) && std::isnan(same)),
                       "a row has the same value in training and in prediction");
            }
        }
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const Dictionary dictionary = make_dictionary(bytes);
    check_draws(bytes, dictionary);
    Drawn atoms;
    Scratch scratch;
    for (std::size_t k = 1 + bytes.below(8); k > 0; --k) {
        std::vector<std::int32_t> words;
        make_words(bytes, dictionary, words);
        if (!dictionary.holds(words)) continue;
        const Terms terms = dictionary.expand(words, scratch);
        check_terms(dictionary, terms);
        expect(std::ssize(terms.ids) <= dictionary.most_terms(words),
               "an atom has no more terms than it says");
        check_boxes(dictionary.boxes(words));
        atoms.words.insert(atoms.words.end(), words.begin(), words.end());
        atoms.start.push_back(atoms.words.size());
    }
    check_values(dictionary, atoms, make_rows(bytes, bytes.between(1, 12), dictionary.n_features, kLargest));
    return 0;
}
