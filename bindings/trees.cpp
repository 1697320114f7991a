#include "trees.h"

#include <nanobind/stl/variant.h>

namespace foliation::bindings {

namespace {

template <class Narrow, class Wide>
std::variant<std::span<const Narrow>, std::span<const Wide>> spans_of(
    const std::variant<In<Narrow>, In<Wide>>& array) {
    std::variant<std::span<const Narrow>, std::span<const Wide>> spans;
    std::visit([&](const auto& own) { spans = span_of(own); }, array);
    return spans;
}

}  // namespace

Trees TreeArrays::trees() const {
    return {span_of(split_start), span_of(leaf_start),  span_of(children),   span_of(threshold),
            span_of(gain),        spans_of(atom_start), spans_of(atom_words)};
}

GrownArrays::GrownArrays(Forest&& forest)
    : split_start(to_numpy(std::move(forest.split_start))),
      leaf_start(to_numpy(std::move(forest.leaf_start))),
      children(to_numpy(std::move(forest.children))),
      threshold(to_numpy(std::move(forest.threshold))),
      gain(to_numpy(std::move(forest.gain))),
      gain_unit(to_numpy(std::move(forest.gain_unit))),
      value_start(to_numpy(std::move(forest.value_start))),
      value_column(to_numpy(std::move(forest.value_column))),
      value(to_numpy(std::move(forest.value))),
      leaf_weight(to_numpy(std::move(forest.leaf_weight))) {
    std::visit([&](auto& start) { atom_start = to_numpy(std::move(start)); }, forest.atom_start);
    std::visit([&](auto& words) { atom_words = to_numpy(std::move(words)); }, forest.atom_words);
}

void bind_trees(nb::module_& module) {
    nb::class_<TreeArrays>(module, "Trees")
        .def(
            "__init__",
            [](TreeArrays* self, In<std::int64_t> split_start, In<std::int64_t> leaf_start,
               In<std::int32_t> children, In<double> threshold, In<float> gain, In<double> gain_unit,
               std::variant<In<std::int32_t>, In<std::int64_t>> atom_start,
               std::variant<In<std::int16_t>, In<std::int32_t>> atom_words, In<std::int64_t> value_start,
               In<std::int32_t> value_column, In<double> value, In<double> leaf_weight) {
                TreeArrays arrays{std::move(split_start),  std::move(leaf_start), std::move(children),
                                  std::move(threshold),    std::move(gain),       std::move(gain_unit),
                                  std::move(atom_start),   std::move(atom_words), std::move(value_start),
                                  std::move(value_column), std::move(value),      std::move(leaf_weight)};
                arrays.forest();  // or what is wrong with one of them
                new (self) TreeArrays(std::move(arrays));
            },
            nb::kw_only(), nb::arg("split_start").noconvert(), nb::arg("leaf_start").noconvert(),
            nb::arg("children").noconvert(), nb::arg("threshold").noconvert(), nb::arg("gain").noconvert(),
            nb::arg("gain_unit").noconvert(), nb::arg("atom_start").noconvert(),
            nb::arg("atom_words").noconvert(), nb::arg("value_start").noconvert(),
            nb::arg("value_column").noconvert(), nb::arg("value").noconvert(),
            nb::arg("leaf_weight").noconvert())
        .def("__len__", [](const TreeArrays& self) { return self.trees().n_trees(); });
    nb::class_<GrownArrays>(module, "GrownTrees")
        .def_ro("split_start", &GrownArrays::split_start, nb::rv_policy::reference)
        .def_ro("leaf_start", &GrownArrays::leaf_start, nb::rv_policy::reference)
        .def_ro("children", &GrownArrays::children, nb::rv_policy::reference)
        .def_ro("threshold", &GrownArrays::threshold, nb::rv_policy::reference)
        .def_ro("gain", &GrownArrays::gain, nb::rv_policy::reference)
        .def_ro("gain_unit", &GrownArrays::gain_unit, nb::rv_policy::reference)
        .def_ro("atom_start", &GrownArrays::atom_start, nb::rv_policy::reference)
        .def_ro("atom_words", &GrownArrays::atom_words, nb::rv_policy::reference)
        .def_ro("value_start", &GrownArrays::value_start, nb::rv_policy::reference)
        .def_ro("value_column", &GrownArrays::value_column, nb::rv_policy::reference)
        .def_ro("value", &GrownArrays::value, nb::rv_policy::reference)
        .def_ro("leaf_weight", &GrownArrays::leaf_weight, nb::rv_policy::reference);
    // ValueError unless the arrays are those of a forest.
    module.def(
        "check_trees",
        [](const TreeArrays& arrays, const Dictionary& dictionary, std::int32_t n_columns,
           const In<std::int32_t>& class_start) {
            const ForestArrays forest = arrays.forest();
            Watch("load").run([&](Monitor& monitor) {
                run_here(monitor, [&] {
                    check_forest(dictionary, forest, {n_columns, span_of(class_start)}, monitor);
                });
            });
        },
        nb::arg("trees"), nb::arg("dictionary"), nb::arg("n_columns"), nb::arg("class_start"));
    module.def(
        "most_terms",
        [](const TreeArrays& arrays, const Dictionary& dictionary) {
            const Trees trees = arrays.trees();
            return Watch("terms of projections").run_here([&](Monitor& monitor) {
                return most_terms(dictionary, trees, monitor);
            });
        },
        nb::arg("trees"), nb::arg("dictionary"));
}

}  // namespace foliation::bindings
