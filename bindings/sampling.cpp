#include "arrays.h"
#include "core/data/row_plan.h"
#include "targets.h"

namespace foliation::bindings {

namespace {

constexpr const char* kDraws = "the draw of a tree's rows";

RowPlan plan_of(const Sampling& self, std::int64_t tree, const TargetArrays& targets) {
    const Targets view = targets.view();
    return Watch(kDraws).run_here([&](Monitor& monitor) { return draw_rows(self, tree, view, monitor); });
}

// How often a tree drew each row.
auto counts_of(const Sampling& self, std::int64_t tree) {
    return to_numpy(
        Watch(kDraws).run_here([&](Monitor& monitor) { return draw_counts(self, tree, monitor); }));
}

// The rows a tree drew, each as often as drawn.
auto drawn_rows(const Sampling& self, std::int64_t tree) {
    return to_numpy(Watch(kDraws).run_here([&](Monitor& monitor) {
        const std::vector<std::int32_t> counts = draw_counts(self, tree, monitor);
        std::vector<std::int64_t> rows;
        for (std::size_t row = 0; row < counts.size(); ++row) {
            monitor.check();
            rows.insert(rows.end(), static_cast<std::size_t>(counts[row]), static_cast<std::int64_t>(row));
        }
        return rows;
    }));
}

// Samples of a tree and their weights.
struct SampleArrays {
    nb::object rows, weights;
};

SampleArrays give_samples(Samples&& samples) {
    return {to_numpy(std::move(samples.rows)), to_numpy(std::move(samples.weights))};
}

SampleArrays structure_samples(const Sampling& self, std::int64_t tree, const TargetArrays& targets) {
    return give_samples(std::move(plan_of(self, tree, targets).structure));
}

// Those of its own half if the tree is honest, all of its samples otherwise.
SampleArrays estimation_samples(const Sampling& self, std::int64_t tree, const TargetArrays& targets) {
    RowPlan plan = plan_of(self, tree, targets);
    return give_samples(std::move(plan.honest() ? plan.estimation : plan.structure));
}

}  // namespace

void bind_sampling(nb::module_& module) {
    // The key of a tree's root node; those of children and candidates follow by chain().
    module.def("root_key",
               [](std::uint64_t seed, std::int64_t tree) { return tree_key(seed, tree, Purpose::nodes); });
    nb::class_<SampleArrays>(module, "Samples")
        .def_ro("rows", &SampleArrays::rows, nb::rv_policy::reference)
        .def_ro("weights", &SampleArrays::weights, nb::rv_policy::reference);
    nb::class_<Sampling>(module, "Sampling")
        .def(
            "__init__",
            [](Sampling* self, std::uint64_t seed, std::int64_t n_rows, std::int64_t n_draws, bool bootstrap,
               bool balanced_subsample, double structure_share, bool estimate_out_of_bag,
               std::vector<double> weights, std::vector<std::int32_t> groups) {
                new (self) Sampling(seed, n_rows, n_draws, bootstrap, std::move(weights), std::move(groups));
                self->balanced_subsample = balanced_subsample;
                self->structure_share = structure_share;
                self->estimate_out_of_bag = estimate_out_of_bag;
            },
            nb::kw_only(), nb::arg("seed"), nb::arg("n_rows"), nb::arg("n_draws"), nb::arg("bootstrap"),
            nb::arg("balanced_subsample"), nb::arg("structure_share"), nb::arg("estimate_out_of_bag"),
            nb::arg("weights"), nb::arg("groups"))
        .def("counts", &counts_of)
        .def("rows", &drawn_rows)
        // A bit per tree for each row: whether the tree drew the row, or did not.
        .def("membership",
             [](const Sampling& self, std::int64_t n_trees, bool out_of_bag, int n_threads) {
                 return to_numpy(Watch("rows in and out of the bag").run([&](Monitor& monitor) {
                     return membership(self, n_trees, out_of_bag, n_threads, monitor);
                 }));
             })
        .def("structure_samples", &structure_samples, nb::arg("tree"), nb::arg("targets"))
        .def("estimation_samples", &estimation_samples, nb::arg("tree"), nb::arg("targets"));
}

}  // namespace foliation::bindings
