// Every call of the core on tiny data, each returning a fingerprint of all that it computes.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

#include "core/data/scan.h"
#include "core/forest/importance.h"
#include "core/forest/predict.h"
#include "core/proximity/depth_affinity.h"
#include "core/proximity/neighbors.h"
#include "core/trees/check.h"
#include "core/views/series.h"
#include "tests/core/fingerprint.h"
#include "tests/core/make.h"

struct Hash {
    std::uint64_t value = kNoFingerprint;

    template <class... Values>
    Hash& add(const Values&... values) {
        ((value = fingerprint(values, value)), ...);
        return *this;
    }
};

constexpr std::int32_t kSide = 4;  // of a square grid
constexpr std::int32_t kFeatures = kSide * kSide;
constexpr std::size_t kRows = 40;

// The families by name. A member of a mixture is one of them.
struct NamedFamily {
    std::string name;
    std::function<foliation::Dictionary()> make;
};

inline std::vector<foliation::PatchAxis> square(std::int32_t low, std::int32_t high, bool wrap,
                                                bool contiguous = true) {
    return {{kSide, low, high, false, contiguous}, {kSide, low, high, wrap, true}};
}

inline std::vector<NamedFamily> all_families() {
    using namespace foliation;
    const auto alone = [](auto make) { return [make] { return Dictionary{{make()}, {1.0}, kFeatures}; }; };
    const auto patches = [](bool wrap, Border border, Weights weights, double contrast,
                            bool contiguous = true) {
        return Patches(square(1, 3, wrap, contiguous), border, weights, contrast);
    };
    const auto line = [](std::int32_t hops, bool connected, Weights weights) {
        std::vector<std::int64_t> start{0};
        std::vector<std::int32_t> neighbors;
        for (std::int32_t id = 0; id < kFeatures; ++id) {
            if (id > 0) neighbors.push_back(id - 1);
            if (id + 1 < kFeatures) neighbors.push_back(id + 1);
            start.push_back(std::ssize(neighbors));
        }
        return Neighborhoods::make(start, neighbors, {1, hops}, connected, weights);
    };
    const auto kernels = [] {
        return Kernels{square(2, 2, true), Border::pad, {1.0, -1.0, 0.5, 0.0, 0.0, 1.0, 2.0, -2.0}};
    };
    return {
        {"axis", alone([] { return Axis{kFeatures}; })},
        {"signs", alone([] { return Sparse(kFeatures, 6.0, Weights::signs); })},
        {"sparse", alone([] { return Sparse(kFeatures, 2.0, Weights::normal); })},
        {"boxes", alone([=] { return patches(false, Border::pad, Weights::ones, 0.0); })},
        {"contrasts", alone([=] { return patches(true, Border::inside, Weights::ones, 1.0); })},
        {"free axis", alone([=] { return patches(false, Border::pad, Weights::ones, 0.5, false); })},
        {"weighted patches", alone([=] { return patches(true, Border::pad, Weights::uniform, 0.5); })},
        {"kernels", alone(kernels)},
        {"hops", alone([=] { return line(3, false, Weights::ones); })},
        {"connected parts", alone([=] { return line(5, true, Weights::gaussian); })},
        {"atoms", alone([] { return Atoms::make({0, 1, 3}, {2, 0, 5}, {1.0, 0.5, -1.5}, {0.5, 1.0}); })},
        {"mixture",
         [=] {
             return Dictionary{{Axis{kFeatures}, patches(true, Border::pad, Weights::ones, 0.5), kernels()},
                               {0.3, 0.7, 1.0},
                               kFeatures};
         }},
    };
}

// What a forest is to learn.
struct Task {
    std::string name;
    std::string criterion;
    bool classes = false;
    bool honest = false;
    foliation::Splitter splitter = foliation::Splitter::automatic;
};

inline std::vector<Task> all_tasks() {
    using foliation::Splitter;
    return {{"classification", "gini", true},
            {"histogram", "entropy", true, false, Splitter::histogram},
            {"random", "gini", true, false, Splitter::random},
            {"regression", "squared_error"},
            {"honest", "gini", true, true},
            {"geodesic", "fast_bic"},
            {"two means", "two_means"}};
}

struct TinyData {
    std::vector<double> x = normals(1, kRows* kFeatures);
    std::vector<double> far = x;  // the same with values out of the tables' range
    std::vector<std::int32_t> classes;
    std::vector<double> values;
    std::vector<std::int32_t> class_start{0, 3};

    TinyData() {
        for (std::size_t row = 0; row < kRows; ++row) {
            classes.push_back(static_cast<std::int32_t>(row % 3));
            values.push_back(x[row * kFeatures] + x[row * kFeatures + 5]);
            far[row * kFeatures + row % kFeatures] = 1e17;
        }
    }
    foliation::Targets targets(const Task& task) const {
        if (task.classes) return {classes, {}, 1, 3, class_start};
        return {{}, values, 1, 1, {}};
    }
};

constexpr double kMaxAbs = 6.0;

inline foliation::Sampling tiny_sampling(const Task& task) {
    foliation::Sampling sampling(3, kRows, kRows, true, {});
    if (task.honest) sampling.structure_share = 0.5;
    return sampling;
}

inline foliation::Forest fit(const foliation::Dictionary& dictionary, const TinyData& data, const Task& task,
                             int n_threads) {
    using namespace foliation;
    Monitor monitor;
    const auto fixed = fixed_points(dictionary, kMaxAbs);
    PreparedRows prepared = prepare_rows(dictionary, row_major(data.x, kFeatures), fixed, false, kMaxAbs);
    prepared.fill_all(n_threads, monitor);
    ForestRules rules;
    rules.n_threads = n_threads;
    rules.criterion = {.name = task.criterion, .variance_floor = 0.01};
    rules.grow.n_candidates = 3;
    rules.grow.least_part = 4;  // trees grow in parts
    rules.grow.cut.splitter = task.splitter;
    rules.grow.cut.limits.max_depth = 4;
    const Targets targets = data.targets(task);
    const Sampling sampling = tiny_sampling(task);
    return fit_forest({dictionary, prepared, targets, sampling}, {0, 2}, rules, monitor);
}

inline std::uint64_t hash_of(const foliation::Forest& forest) {
    Hash hash;
    hash.add(forest.children, forest.threshold, forest.gain, forest.atom_words, forest.value_start,
             forest.value_column, forest.value, forest.leaf_weight);
    return hash.value;
}

// What is asked of a grown forest.
struct TinyForest {
    TinyForest(foliation::Dictionary d, const TinyData& given, const Task& t)
        : dictionary(std::move(d)), data(given), task(t), forest(fit(dictionary, data, task, 1)) {}
    TinyForest(const TinyForest&) = delete;

    std::int32_t n_columns() const { return task.classes ? 3 : 1; }

    template <class Use>
    void route(int n_threads, const Use& use) const {
        const auto fixed = fixed_points(dictionary, kMaxAbs);
        const foliation::Trees trees = forest.trees();
        foliation::Monitor monitor;
        use(foliation::Router{dictionary, fixed, trees, foliation::Isa::baseline, n_threads}, monitor);
    }

    std::uint64_t predict(const std::vector<double>& x, std::size_t n_rows, int n_threads) const {
        std::vector<double> out(n_rows * static_cast<std::size_t>(n_columns()));
        foliation::Matrix rows = row_major(x, kFeatures);
        rows.n_rows = static_cast<std::int64_t>(n_rows);
        route(n_threads, [&](const foliation::Router& router, foliation::Monitor& monitor) {
            predict_forest(router, forest.leaf_values(n_columns()), rows, out.data(), monitor);
        });
        return Hash().add(out).value;
    }

    std::uint64_t predict_out_of_bag(int n_threads) const {
        std::vector<double> out(kRows * static_cast<std::size_t>(n_columns()));
        route(n_threads, [&](const foliation::Router& router, foliation::Monitor& monitor) {
            foliation::predict_out_of_bag(router, forest.leaf_values(n_columns()),
                                          row_major(data.x, kFeatures), tiny_sampling(task), out.data(),
                                          monitor);
        });
        std::replace_if(out.begin(), out.end(), [](double v) { return v != v; }, -1.0);
        return Hash().add(out).value;
    }

    std::vector<std::int32_t> leaves(int n_threads) const {
        std::vector<std::int32_t> leaf(2 * kRows);
        route(n_threads, [&](const foliation::Router& router, foliation::Monitor& monitor) {
            apply_forest(router, row_major(data.x, kFeatures), leaf.data(), monitor);
        });
        return leaf;
    }

    template <class Index>
    static std::uint64_t compare(const Index& index, const foliation::LeafIds& ids, int n_threads) {
        foliation::Monitor monitor;
        std::vector<double> proximity(kRows * 3);
        std::vector<std::int64_t> neighbor(kRows * 3), self(kRows, -1);
        index.nearest(ids, 3, self, n_threads, monitor, proximity.data(), neighbor.data());
        Hash hash;
        hash.add(proximity, neighbor);
        for (const auto& near : index.near(ids, 0, kRows, 0.1, n_threads, monitor))
            for (const foliation::Near& one : near)
                hash.add(std::vector<double>{static_cast<double>(one.row), one.proximity});
        return hash.value;
    }

    std::uint64_t neighbors(int n_threads) const {
        const std::vector<std::int32_t> leaf = leaves(n_threads);
        foliation::Monitor monitor;
        const auto bits = membership(tiny_sampling(task), 2, true, n_threads, monitor);
        const foliation::Membership members{bits, 1};
        const foliation::LeafIds ids{leaf, kRows, &members};
        return compare(foliation::LeafIndex(ids, forest.leaf_start, n_threads, monitor), ids, n_threads);
    }

    std::uint64_t depth_affinity(int n_threads) const {
        const std::vector<std::int32_t> leaf = leaves(n_threads);
        const foliation::Membership all;
        const foliation::LeafIds ids{leaf, kRows, &all};
        return compare(foliation::DepthAffinity(forest.trees(), ids), ids, n_threads);
    }

    std::uint64_t importance() const {
        foliation::Monitor monitor;
        return Hash()
            .add(foliation::importance(dictionary, forest.trees(), foliation::Importance::count, monitor),
                 foliation::importance(dictionary, forest.trees(), foliation::Importance::gain, monitor))
            .value;
    }

    std::uint64_t structure() const {
        const foliation::Trees trees = forest.trees();
        const foliation::NodeDepths depths = node_depths(trees, 0, 2);
        const foliation::Path path = path_to_leaf(trees, 0, 1);
        Hash hash;
        hash.add(depths.splits, depths.leaves, path.splits, path.sides);
        for (const auto& leaf : leaves_below(trees, 1, 0)) hash.add(std::vector<std::int32_t>{leaf.leaf});
        const foliation::BorrowedValues borrowed =
            borrowed_values(trees, forest.leaf_weight, foliation::HonestPrior::ancestor);
        return hash.add(borrowed.leaf, borrowed.node, borrowed.first, borrowed.last, borrowed.lender).value;
    }

    std::uint64_t expand() const {
        const foliation::Monitor monitor;
        const foliation::DistinctAtoms distinct = distinct_atoms(forest.trees());
        const foliation::ExpandedAtoms atoms =
            expand_all(dictionary, distinct.atoms.start, distinct.atoms.words, monitor);
        const foliation::UnsignedAtoms kinds =
            unsigned_atoms(dictionary, distinct.atoms.start, distinct.atoms.words, monitor);
        return Hash()
            .add(distinct.of_split, atoms.start, atoms.terms.ids, atoms.terms.weights, kinds.of_atom,
                 kinds.first)
            .value;
    }

    std::uint64_t check() const {
        foliation::LeafColumns columns{n_columns(), {}};
        if (task.classes) columns.class_start = data.class_start;
        check_forest(dictionary,
                     {forest.trees(), forest.gain_unit, forest.leaf_values(n_columns()), forest.leaf_weight},
                     columns);
        return 1;
    }

    const foliation::Dictionary dictionary;
    const TinyData& data;
    const Task task;
    const foliation::Forest forest;
};

inline std::uint64_t view(const TinyData& data, int n_threads) {
    using namespace foliation;
    const SeriesGrid grid{kSide, kSide, false, kSide, false};
    std::vector<std::string> names;
    for (const ViewOutline& outline : view_outlines(grid))
        if (outline.length > 0) names.push_back(outline.name);
    Monitor monitor;
    const std::vector<double> scales(names.size(), 1.0);
    const SeriesViews views(names, grid);
    return Hash().add(views.rows<double>(row_major(data.x, kFeatures), scales, n_threads, monitor)).value;
}

inline std::uint64_t scan(const TinyData& data, int n_threads) {
    foliation::Monitor monitor;
    const foliation::Scan found =
        foliation::scan(row_major(data.x, kFeatures), foliation::Isa::baseline, n_threads, monitor);
    return Hash().add(std::vector<double>{found.max_abs}).value;
}
