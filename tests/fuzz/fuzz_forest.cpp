// Whatever check_forest() accepts can be used: rows go down the trees, alone and together, and all that reads
// trees ends without an access out of bounds, a hang or more memory than the arrays explain.
#include "core/forest/importance.h"
#include "core/forest/predict.h"
#include "core/proximity/depth_affinity.h"
#include "core/proximity/neighbors.h"
#include "core/trees/honest_prior.h"
#include "tests/fuzz/make/forest.h"
#include "tests/fuzz/make/rows.h"

using namespace foliation;
using namespace foliation::fuzz;

namespace {

bool is_accepted(const Dictionary& dictionary, const FuzzForest& fuzzed) {
    try {
        check_forest(dictionary, fuzzed.arrays(), fuzzed.columns());
    } catch (const std::invalid_argument&) {
        return false;
    }
    return true;
}

// leaves[tree * n_rows + row]; the same for a row alone as for many together.
std::vector<std::int32_t> reached_leaves(const Router& router, const FuzzRows& rows, Monitor& monitor) {
    const auto n_trees = static_cast<std::size_t>(router.trees.n_trees());
    const auto n_rows = static_cast<std::size_t>(rows.n_rows);
    const Matrix matrix = rows.matrix();
    std::vector<std::int32_t> leaves(n_trees * n_rows), alone(n_trees);
    apply_forest(router, matrix, leaves.data(), monitor);
    for (std::size_t row = 0; row < std::min<std::size_t>(n_rows, 3); ++row) {
        apply_forest(router, matrix.from_row(static_cast<std::int64_t>(row), 1), alone.data(), monitor);
        for (std::size_t tree = 0; tree < n_trees; ++tree)
            expect(alone[tree] == leaves[tree * n_rows + row], "a row reaches the same leaf alone");
    }
    for (std::size_t tree = 0; tree < n_trees; ++tree)
        for (std::size_t row = 0; row < n_rows; ++row)
            expect(leaves[tree * n_rows + row] >= 0 &&
                       leaves[tree * n_rows + row] <= router.trees.n_splits(static_cast<std::int64_t>(tree)),
                   "rows reach leaves of their tree");
    return leaves;
}

void use_structure(const Dictionary& dictionary, const FuzzForest& fuzzed, const Trees& trees,
                   Monitor& monitor) {
    const NodeDepths depths = node_depths(trees, 0, trees.n_trees());
    expect(depths.leaves.size() == fuzzed.forest.leaf_weight.size(), "every leaf has a depth");
    for (std::int64_t tree = 0; tree < trees.n_trees(); ++tree) {
        const std::vector<OrderedLeaf> leaves = leaves_below(trees, tree, trees.n_splits(tree) > 0 ? 0 : ~0);
        expect(std::ssize(leaves) == trees.n_splits(tree) + 1, "every leaf is below the root");
        for (const OrderedLeaf& leaf : leaves)
            expect(std::ssize(path_to_leaf(trees, tree, leaf.leaf).splits) == leaf.depth,
                   "the path to a leaf is as long as the leaf is deep");
    }
    const DistinctAtoms distinct = distinct_atoms(trees);
    const ExpandedAtoms expanded =
        expand_all(dictionary, distinct.atoms.start, distinct.atoms.words, monitor);
    unsigned_atoms(dictionary, distinct.atoms.start, distinct.atoms.words, monitor);
    for (const std::int32_t id : expanded.terms.ids)
        expect(id >= 0 && id < dictionary.n_features, "terms are features");
    for (const auto kind : {Importance::count, Importance::gain})
        importance(dictionary, trees, kind, monitor);
    for (const auto prior : {HonestPrior::ancestor, HonestPrior::empirical})
        borrowed_values(trees, fuzzed.forest.leaf_weight, prior);
}

void use_leaves(const Trees& trees, const std::vector<std::int32_t>& leaves, const Membership& members,
                Monitor& monitor) {
    const std::size_t n_rows = leaves.size() / static_cast<std::size_t>(trees.n_trees());
    constexpr std::size_t kNearest = 2;
    if (n_rows <= kNearest) return;  // as Python asks for
    const LeafIds rows{leaves, n_rows, &members};
    std::vector<std::int64_t> self(n_rows), neighbor(kNearest * n_rows);
    std::iota(self.begin(), self.end(), 0);
    std::vector<double> proximity(kNearest * n_rows);
    const auto ask = [&](const auto& index) {
        index.nearest(rows, kNearest, self, 1, monitor, proximity.data(), neighbor.data());
        index.near(rows, 0, n_rows, 0.5, 1, monitor);
        for (const std::int64_t other : neighbor)
            expect(other >= 0 && other < std::ssize(self), "neighbors are rows");
    };
    ask(LeafIndex(rows, trees.leaf_start, 1, monitor));
    ask(DepthAffinity(trees, rows));
}

void use_rows(Bytes& bytes, const Dictionary& dictionary, const FuzzForest& fuzzed, const Trees& trees,
              Monitor& monitor) {
    const std::vector<FixedPoint> fixed = fixed_points(dictionary, std::abs(bytes.number()));
    const FuzzRows rows = make_rows(bytes, bytes.between(0, 40), dictionary.n_features);
    const Matrix matrix = rows.matrix();
    const Router router{dictionary, fixed, trees, newest_isa(), 1};
    const std::vector<std::int32_t> leaves = reached_leaves(router, rows, monitor);
    std::vector<double> out(static_cast<std::size_t>(rows.n_rows * fuzzed.n_columns));
    predict_forest(router, fuzzed.values(), matrix, out.data(), monitor);
    use_leaves(trees, leaves, Membership{}, monitor);
    if (rows.n_rows == 0) return;
    const Sampling sampling(bytes.any<std::uint64_t>(), rows.n_rows, rows.n_rows, true, {});
    predict_out_of_bag(router, fuzzed.values(), matrix, sampling, out.data(), monitor);
    const std::vector<std::uint64_t> bits = membership(sampling, trees.n_trees(), bytes.flag(), 1, monitor);
    use_leaves(trees, leaves, Membership{bits, static_cast<std::size_t>(trees.n_trees() + 63) / 64}, monitor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    const Dictionary dictionary = make_dictionary(bytes);
    const FuzzForest fuzzed = make_forest(bytes, dictionary);
    if (!is_accepted(dictionary, fuzzed)) return 0;
    const Trees trees = fuzzed.forest.trees();
    if (trees.n_trees() == 0) return 0;  // the Python package refuses it
    Monitor monitor;
    use_structure(dictionary, fuzzed, trees, monitor);
    use_rows(bytes, dictionary, fuzzed, trees, monitor);
    return 0;
}
