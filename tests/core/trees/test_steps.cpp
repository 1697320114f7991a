// Rows arrive at the same leaves whether they come alone or with many others, down the trees as they are
// stored or as they are written out.
#include <cmath>
#include <cstring>

#include "core/data/scan.h"
#include "core/forest/predict.h"
#include "core/trees/steps.h"
#include "tests/core/check.h"

using namespace foliation;

namespace {

constexpr std::int64_t kTrain = 250;
constexpr std::int64_t kRows = 600;  // to predict, in blocks of 256
constexpr std::int64_t kFeatures = 24;

// Bytes, eighths in single precision (all sums are exact), or anything in double precision.
template <class T>
T draw_value(Rng& rng) {
    if constexpr (std::is_same_v<T, std::uint8_t>) return static_cast<T>(rng.below(3));
    if constexpr (std::is_same_v<T, float>) return static_cast<T>(std::rint(8.0 * rng.normal()) / 8.0);
    return static_cast<T>(rng.normal());
}

template <class T>
struct Problem {
    std::vector<T> train, rows;
    std::vector<std::int32_t> classes;

    // Two rows to predict are 100 times larger if `large`, the last hundred hold whole numbers.
    explicit Problem(bool large) {
        Rng rng(1);
        for (std::int64_t i = 0; i < kTrain * kFeatures; ++i) train.push_back(draw_value<T>(rng));
        for (std::int64_t i = 0; i < kTrain; ++i) classes.push_back(static_cast<std::int32_t>(rng.below(2)));
        for (std::int64_t i = 0; i < kRows * kFeatures; ++i) {
            const std::int64_t row = i / kFeatures;
            const T value = draw_value<T>(rng);
            rows.push_back(static_cast<T>(row >= kRows - 100                  ? std::rint(value)
                                          : large && (row == 7 || row == 400) ? 100 * value
                                                                              : value));
        }
    }
};

template <class T>
Matrix matrix_of(const std::vector<T>& x) {
    return {Columns<T>{x.data(), kFeatures, 1}, static_cast<std::int64_t>(x.size()) / kFeatures, kFeatures};
}

struct Fitted {
    const Dictionary& dictionary;
    std::vector<FixedPoint> fixed;
    Forest forest;
    Trees trees;

    Fitted(const Dictionary& d, const Matrix& matrix, const std::vector<std::int32_t>& classes,
           std::int64_t n_trees)
        : dictionary(d) {
        Monitor monitor;
        const Scan scanned = scan_rows(matrix, newest_isa());
        fixed = fixed_points(dictionary, scanned.max_abs);
        PreparedRows prepared = prepare_rows(dictionary, matrix, fixed, scanned.whole, scanned.max_abs);
        prepared.fill_all(1, monitor);
        ForestRules rules;
        rules.grow.n_candidates = 2;
        const Sampling sampling(5, kTrain, kTrain, true, {});
        const Targets targets{classes, {}, 1, 2, {}};
        forest = fit_forest({dictionary, prepared, targets, sampling}, {0, n_trees}, rules, monitor);
        trees = forest.trees();
    }
};

struct Arrived {
    std::vector<std::int32_t> leaves;
    std::vector<double> means;

    bool operator==(const Arrived& other) const {
        return leaves == other.leaves &&
               std::memcmp(means.data(), other.means.data(), means.size() * sizeof(double)) == 0;
    }
};

// Sends so many rows at a time.
Arrived send(const Fitted& fitted, const Matrix& matrix, std::int64_t together, int n_threads) {
    const Router router{fitted.dictionary, fitted.fixed, fitted.trees, newest_isa(), n_threads};
    const LeafValues values = fitted.forest.leaf_values(2);
    const std::int64_t n_trees = fitted.trees.n_trees();
    Arrived arrived{std::vector<std::int32_t>(static_cast<std::size_t>(kRows * n_trees)),
                    std::vector<double>(2 * kRows)};
    std::vector<std::int32_t> leaves(arrived.leaves.size());
    Monitor monitor;
    for (std::int64_t row = 0; row < kRows; row += together) {
        const Matrix part = matrix.from_row(row, std::min(together, kRows - row));
        apply_forest(router, part, leaves.data(), monitor);
        for (std::int64_t k = 0; k < part.n_rows * n_trees; ++k)
            arrived.leaves[static_cast<std::size_t>((row + k % part.n_rows) * n_trees + k / part.n_rows)] =
                leaves[static_cast<std::size_t>(k)];
        predict_forest(router, values, part, arrived.means.data() + 2 * row, monitor);
    }
    return arrived;
}

// The leaves by the written-out atoms; right if their sums are exact.
template <class T>
std::vector<std::int32_t> leaves_of(const Fitted& fitted, const std::vector<T>& x) {
    const Trees& trees = fitted.trees;
    AtomReader atom(trees);
    Scratch scratch;
    std::vector<Terms> atoms;
    for (std::size_t s = 0; s < trees.threshold.size(); ++s)
        atoms.push_back(fitted.dictionary.expand(atom(s), scratch));
    const auto value = [&](std::size_t s, std::int64_t row) {
        double sum = 0.0;
        for (std::size_t k = 0; k < atoms[s].ids.size(); ++k)
            sum += atoms[s].weights[k] * x[static_cast<std::size_t>(row * kFeatures + atoms[s].ids[k])];
        return sum;
    };
    std::vector<std::int32_t> leaves;
    for (std::int64_t row = 0; row < kRows; ++row) {
        for (std::int64_t tree = 0; tree < trees.n_trees(); ++tree) {
            std::int32_t at = trees.n_splits(tree) > 0 ? 0 : ~0;
            while (at >= 0) {
                const auto s =
                    static_cast<std::size_t>(trees.split_start[static_cast<std::size_t>(tree)] + at);
                at = trees.children[2 * s + (value(s, row) <= trees.threshold[s] ? 0 : 1)];
            }
            leaves.push_back(~at);
        }
    }
    return leaves;
}

template <class T>
void test_leaf_ids(const Fitted& fitted, const std::vector<T>& x) {
    const Matrix matrix = matrix_of(x);
    const Arrived alone = send(fitted, matrix, 1, 1);
    for (const std::int64_t together : {5, 20, 300}) CHECK(send(fitted, matrix, together, 1) == alone);
    CHECK(send(fitted, matrix, kRows, 1) == alone);
    CHECK(send(fitted, matrix, kRows, 3) == alone);
    if (!std::is_same_v<T, double>) CHECK(alone.leaves == leaves_of(fitted, x));
}

template <class T>
void test_type(const Dictionary& dictionary, bool written_out, std::int64_t n_trees) {
    for (const bool large : {false, true}) {
        Problem<T> problem(large);
        const Matrix train = matrix_of(problem.train);
        const Fitted fitted(dictionary, train, problem.classes, n_trees);
        // Up to 20 rows go down the trees as they are stored, 300 and more down written-out ones.
        const std::int64_t n_splits = fitted.trees.split_start.back() / n_trees;
        CHECK(2 * 20 < n_splits && n_splits < 2 * 300);
        Monitor monitor;
        const AnySteps steps = write_steps(dictionary, fitted.trees, 2, monitor);
        CHECK(std::holds_alternative<std::monostate>(steps) == !written_out);
        test_leaf_ids(fitted, problem.rows);

        if (!large) continue;
        // No tree has a split; some have one.
        for (std::int32_t& c : problem.classes) c = 1;
        const Fitted none(dictionary, train, problem.classes, n_trees);
        CHECK(none.trees.threshold.empty());
        test_leaf_ids(none, problem.rows);
        problem.classes[0] = 0;
        const Fitted some(dictionary, train, problem.classes, n_trees);
        CHECK(!some.trees.threshold.empty());
        CHECK(std::find(some.trees.leaf_start.begin(), some.trees.leaf_start.end(), 1) !=
              some.trees.leaf_start.end());
        test_leaf_ids(some, problem.rows);
    }
}

void test(const std::vector<Family>& families, bool written_out, std::int64_t n_trees = 6) {
    const Dictionary dictionary{families, families.size() > 1 ? std::vector{0.5, 1.0} : std::vector{1.0},
                                static_cast<std::int32_t>(kFeatures)};
    test_type<std::uint8_t>(dictionary, written_out, n_trees);
    test_type<float>(dictionary, written_out, n_trees);
    test_type<double>(dictionary, written_out, n_trees);
}

}  // namespace

int main() {
    test({Axis{kFeatures}}, true, 300);  // more trees than a row goes down at a time
    for (const double nonzeros : {1.5, 12.0})
        for (const Weights weights : {Weights::signs, Weights::uniform, Weights::normal})
            test({Sparse(kFeatures, nonzeros, weights)}, true);
    for (const double contrast : {0.0, 0.5}) {
        for (const bool wrap : {false, true}) {
            const auto patches = [&](std::vector<PatchAxis> axes) {
                return Patches(std::move(axes), Border::pad, Weights::ones, contrast);
            };
            test({patches({{24, 1, 7, wrap, true}})}, true);
            test({patches({{4, 1, 3, wrap, true}, {6, 1, 6, false, true}})}, true);
            test({patches({{4, 1, 4, false, true}, {6, 2, 4, wrap, true}})}, true);
            test({patches({{2, 1, 2, false, true}, {3, 1, 2, wrap, true}, {4, 1, 3, false, true}})},
                 contrast == 0.0);
            test({patches({{4, 1, 3, false, false}, {6, 1, 4, wrap, true}})}, false);
            test({Axis{kFeatures}, patches({{4, 1, 3, wrap, true}, {6, 1, 6, false, true}})}, false);
        }
    }
    test({Patches({{24, 1, 7, false, true}}, Border::inside, Weights::signs, 0.0)}, false);
    test({Kernels{
             {{4, 2, 2, false, true}, {6, 2, 2, true, true}}, Border::pad, {1, -1, 0.5, 0, 1, 2, -1, -2}}},
         false);
}
