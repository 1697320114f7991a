#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "core/forest/forest.h"

namespace foliation::bindings {

namespace {

void make_rules(ForestRules* self, const char* criterion, double variance_floor, HonestPrior prior,
                Splitter splitter, std::int64_t n_candidates, std::int64_t extra_candidates,
                const Limits& limits) {
    ForestRules rules;
    rules.criterion.name = criterion;
    rules.criterion.variance_floor = variance_floor;
    rules.prior = prior;
    rules.grow.n_candidates = n_candidates;
    rules.grow.extra_candidates = extra_candidates;
    rules.grow.cut.splitter = splitter;
    rules.grow.cut.limits = limits;
    new (self) ForestRules(std::move(rules));
}

}  // namespace

void bind_rules(nb::module_& module) {
    nb::enum_<Splitter>(module, "Splitter")
        .value("auto", Splitter::automatic)
        .value("exact", Splitter::exact)
        .value("histogram", Splitter::histogram)
        .value("random", Splitter::random);
    nb::enum_<HonestPrior>(module, "HonestPrior")
        .value("ancestor", HonestPrior::ancestor)
        .value("uniform", HonestPrior::uniform)
        .value("empirical", HonestPrior::empirical)
        .value("ignore", HonestPrior::ignore);
    nb::class_<Limits>(module, "Limits")
        .def(
            "__init__",
            [](Limits* self, std::int32_t max_depth, std::int64_t min_samples_split,
               std::int64_t min_samples_leaf, double min_weight_fraction_leaf, double min_balance,
               std::int64_t max_leaf_nodes, double min_impurity_decrease) {
                new (self)
                    Limits{max_depth,   min_samples_split, min_samples_leaf,     min_weight_fraction_leaf,
                           min_balance, max_leaf_nodes,    min_impurity_decrease};
            },
            nb::kw_only(), nb::arg("max_depth"), nb::arg("min_samples_split"), nb::arg("min_samples_leaf"),
            nb::arg("min_weight_fraction_leaf"), nb::arg("min_balance"), nb::arg("max_leaf_nodes"),
            nb::arg("min_impurity_decrease"));
    nb::class_<CriterionNames>(module, "CriterionNames")
        .def_ro("of_classes", &CriterionNames::of_classes)
        .def_ro("of_numbers", &CriterionNames::of_numbers)
        .def_ro("of_clusters", &CriterionNames::of_clusters);
    module.def("criterion_names", &criterion_names);
    nb::class_<ForestRules>(module, "Rules")
        .def("__init__", &make_rules, nb::kw_only(), nb::arg("criterion"), nb::arg("variance_floor"),
             nb::arg("prior"), nb::arg("splitter"), nb::arg("n_candidates"), nb::arg("extra_candidates"),
             nb::arg("limits"));
}

}  // namespace foliation::bindings
