// Any data and parameters that the Python package lets through can be trained on: what is grown is a forest
// that a file may hold, it is the same on any number of threads, and rows of any size go down its trees.
#include "core/forest/predict.h"
#include "core/trees/check.h"
#include "tests/fuzz/make/dictionary.h"
#include "tests/fuzz/make/rows.h"

using namespace foliation;
using namespace foliation::fuzz;

namespace {

constexpr double kLargestTarget = 1e150;                 // as data/targets.py says
constexpr double kLightest = 1e-100, kHeaviest = 1e100;  // the largest weight, as data/weights.py says

// The scan of a fit; a row has the same digest alone.
Scan check_scan(const Matrix& matrix, Monitor& monitor) {
    const DigestedScan all = scan_and_digest(matrix, newest_isa(), 1, monitor);
    const std::int64_t last = matrix.n_rows - 1;
    const DigestedScan alone = scan_and_digest(matrix.from_row(last, 1), Isa::baseline, 1, monitor);
    expect(alone.digests[0] == all.digests.back(), "a row has the same digest alone");
    return all.scan;
}

// Few; sometimes as many as histograms take, of few features.
std::int32_t make_n_rows(Bytes& bytes, std::int32_t n_features) {
    if (!bytes.rarely()) return bytes.between(1, 40);
    return bytes.between(1, std::clamp(20'000 / n_features, 100, 5000));
}

struct FuzzTargets {
    std::vector<std::int32_t> classes, class_start{0};
    std::vector<double> values;
    std::int32_t n_outputs = 0, n_columns = 0;

    Targets view() const { return {classes, values, n_outputs, n_columns, class_start}; }
};

FuzzTargets make_targets(Bytes& bytes, std::int64_t n_rows) {
    FuzzTargets targets;
    targets.n_outputs = bytes.between(0, 2);
    const bool classes = targets.n_outputs > 0 && bytes.flag();
    Rng rng(bytes.any<std::uint8_t>());
    const double scale = bytes.number(kLargestTarget);
    targets.n_columns = targets.n_outputs;
    for (std::int32_t o = 0; classes && o < targets.n_outputs; ++o)
        targets.class_start.push_back(targets.class_start.back() + bytes.one_of({1, 2, 3, 5, 300}));
    if (classes) targets.n_columns = targets.class_start.back();
    for (std::int64_t k = 0; k < n_rows * targets.n_outputs; ++k) {
        const auto o = static_cast<std::size_t>(k % targets.n_outputs);
        if (classes) {
            targets.classes.push_back(rng.between(targets.class_start[o], targets.class_start[o + 1] - 1));
        } else {
            targets.values.push_back(scale * (2.0 * rng.uniform() - 1.0));
        }
    }
    return targets;
}

std::vector<double> make_weights(Bytes& bytes, std::int64_t n_rows) {
    std::vector<double> weights(static_cast<std::size_t>(n_rows));
    for (double& weight : weights) weight = bytes.rarely() ? 0.0 : bytes.between(0, 4);
    const double scale = std::clamp(std::abs(bytes.number()), kLightest, kHeaviest / 8.0);
    for (double& weight : weights) weight *= scale;
    weights[0] = scale;  // one is positive
    if (n_rows > 1) weights[1] = scale;
    return weights;
}

Sampling make_sampling(Bytes& bytes, std::int64_t n_rows, bool classes) {
    std::vector<double> weights;
    std::vector<std::int32_t> groups;
    if (bytes.rarely()) weights = make_weights(bytes, n_rows);
    std::int64_t n_units = n_rows;
    if (n_rows >= 3 && bytes.rarely()) {
        n_units = bytes.between(2, 3);
        for (std::int64_t row = 0; row < n_rows; ++row)
            groups.push_back(static_cast<std::int32_t>(row % n_units));
    }
    const bool bootstrap = bytes.flag();
    const auto n = static_cast<std::int32_t>(n_units);
    const std::int32_t n_draws = bytes.flag() ? n : bytes.between(1, bootstrap ? 2 * n : n);
    Sampling sampling(bytes.any<std::uint64_t>(), n_rows, n_draws, bootstrap, std::move(weights),
                      std::move(groups));
    sampling.balanced_subsample = classes && bootstrap && bytes.rarely();
    const bool may_be_honest = n_draws >= 2 && n_units >= 2;
    if (may_be_honest && bytes.flag()) sampling.structure_share = bytes.one_of({0.5, 1e-9, 0.999});
    if (may_be_honest && (bootstrap || n_draws < n) && bytes.rarely()) {
        sampling.structure_share = 0.5;
        sampling.estimate_out_of_bag = true;
    }
    return sampling;
}

Limits make_limits(Bytes& bytes) {
    Limits limits;
    if (bytes.rarely()) limits.max_depth = bytes.between(1, 5);
    if (bytes.rarely())
        limits.min_samples_split = bytes.one_of({2, 5, std::numeric_limits<std::int32_t>::max()});
    if (bytes.rarely())
        limits.min_samples_leaf = bytes.one_of({1, 3, std::numeric_limits<std::int32_t>::max()});
    if (bytes.rarely()) limits.min_weight_fraction_leaf = bytes.one_of({0.1, 0.5});
    if (bytes.rarely()) limits.min_balance = bytes.one_of({1e-12, 0.2, 0.5});
    if (bytes.rarely()) limits.max_leaf_nodes = bytes.between(2, 9);
    if (bytes.rarely()) limits.min_impurity_decrease = std::abs(bytes.number());
    return limits;
}

ForestRules make_rules(Bytes& bytes, const Targets& targets, const Dictionary& dictionary) {
    ForestRules rules;
    const CriterionNames names = criterion_names();
    const bool clusters = targets.n_outputs == 0;
    const auto& own = clusters                   ? names.of_clusters
                      : targets.classification() ? names.of_classes
                                                 : names.of_numbers;
    rules.criterion.name = own[bytes.below(own.size())];
    rules.criterion.variance_floor = clusters ? bytes.one_of({1e-2, 1e-9, 1.0}) : 0.0;
    rules.criterion.isa = rules.grow.cut.isa = bytes.flag() ? Isa::baseline : newest_isa();
    rules.prior = bytes.one_of({HonestPrior::ancestor, HonestPrior::ignore, HonestPrior::empirical});
    if (targets.classification() && bytes.rarely()) rules.prior = HonestPrior::uniform;
    const bool axis = !dictionary.is_mixture() && std::holds_alternative<Axis>(dictionary.members[0]);
    rules.grow.n_candidates = bytes.between(1, axis ? std::min(dictionary.n_features, 8) : 8);
    if (clusters && bytes.flag()) rules.grow.extra_candidates = bytes.between(1, 1000);
    rules.grow.cut.limits = make_limits(bytes);
    rules.grow.cut.splitter = bytes.flag() ? Splitter::automatic : Splitter::exact;
    if (!clusters && bytes.flag())
        rules.grow.cut.splitter = bytes.one_of({Splitter::histogram, Splitter::random});
    return rules;
}

bool are_equal(const Forest& a, const Forest& b) {
    return a.split_start == b.split_start && a.children == b.children && a.threshold == b.threshold &&
           a.atom_words == b.atom_words && a.value_column == b.value_column && a.value == b.value;
}

bool is_accepted(const Dictionary& dictionary, const Forest& forest, const FuzzTargets& targets) {
    LeafColumns columns{targets.n_columns, {}};
    if (!targets.classes.empty()) columns.class_start = targets.class_start;
    try {
        check_forest(
            dictionary,
            {forest.trees(), forest.gain_unit, forest.leaf_values(targets.n_columns), forest.leaf_weight},
            columns);
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return false;
    }
    return true;
}

void predict(const Router& router, const Forest& forest, std::int32_t n_columns, const FuzzRows& rows) {
    Monitor monitor;
    std::vector<double> out(static_cast<std::size_t>(rows.n_rows * n_columns));
    predict_forest(router, forest.leaf_values(n_columns), rows.matrix(), out.data(), monitor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const Dictionary dictionary = make_dictionary(bytes);
    const FuzzRows rows =
        make_rows(bytes, make_n_rows(bytes, dictionary.n_features), dictionary.n_features, kLargest);
    const Matrix matrix = rows.matrix();
    Monitor monitor;
    const Scan scanned = check_scan(matrix, monitor);
    if (!may_be_trained_on(scanned)) return 0;
    const FuzzTargets targets = make_targets(bytes, rows.n_rows);
    const Sampling sampling = make_sampling(bytes, rows.n_rows, !targets.classes.empty());
    ForestRules rules = make_rules(bytes, targets.view(), dictionary);
    const auto fixed = fixed_points(dictionary, scanned.max_abs);
    PreparedRows prepared = prepare_rows(dictionary, matrix, fixed, scanned.whole, scanned.max_abs);
    prepared.fill_all(1, monitor);
    const Targets view = targets.view();
    const TrainingData training{dictionary, prepared, view, sampling};
    const std::int32_t n_trees = bytes.between(1, 3);
    const Forest forest = fit_forest(training, {0, n_trees}, rules, monitor);
    expect(is_accepted(dictionary, forest, targets), "a forest that was grown passes the check of files");
    if (bytes.rarely()) {
        rules.n_threads = 2;
        rules.grow.least_part = 8;
        expect(are_equal(forest, fit_forest(training, {0, n_trees}, rules, monitor)),
               "a forest is the same on two threads");
    }
    const Trees trees = forest.trees();
    const Router router{dictionary, fixed, trees, newest_isa(), 1};
    predict(router, forest, targets.n_columns, rows);
    predict(router, forest, targets.n_columns, make_rows(bytes, bytes.between(1, 20), dictionary.n_features));
    return 0;
}
