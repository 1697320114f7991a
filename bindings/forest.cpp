#include <nanobind/stl/string.h>

#include "arrays.h"
#include "core/forest/importance.h"
#include "core/forest/predict.h"
#include "core/trees/check.h"

namespace foliation::bindings {

namespace {

template <class T, class Array>
bool is_array(const nb::dict& arrays, const char* name, Array& out) {
    In<T> found;
    if (!nb::try_cast<In<T>>(arrays[name], found, /*convert=*/false)) return false;
    out = span_of(found);
    return true;
}

void refuse(const char* name) {
    const std::string message =
        std::string("the array '") + name + "' must be one-dimensional, contiguous and of its own type";
    throw nb::type_error(message.c_str());
}

template <class T>
std::span<const T> array(const nb::dict& arrays, const char* name) {
    std::span<const T> found;
    if (!is_array<T>(arrays, name, found)) refuse(name);
    return found;
}

// An array of either type.
template <class Narrow, class Wide>
std::variant<std::span<const Narrow>, std::span<const Wide>> array(const nb::dict& arrays, const char* name) {
    std::variant<std::span<const Narrow>, std::span<const Wide>> found;
    if (!is_array<Narrow>(arrays, name, found) && !is_array<Wide>(arrays, name, found)) refuse(name);
    return found;
}

Trees trees_of(const nb::dict& arrays) {
    return {array<std::int64_t>(arrays, "split_start"),
            array<std::int64_t>(arrays, "leaf_start"),
            array<std::int32_t>(arrays, "children"),
            array<double>(arrays, "threshold"),
            array<float>(arrays, "gain"),
            array<std::int32_t, std::int64_t>(arrays, "atom_start"),
            array<std::int16_t, std::int32_t>(arrays, "atom_words")};
}

LeafValues values_of(const nb::dict& arrays, std::int32_t n_columns = 1) {
    return {array<std::int64_t>(arrays, "value_start"), array<std::int32_t>(arrays, "value_column"),
            array<double>(arrays, "value"), n_columns};
}

Targets targets_of(const nb::dict& targets) {
    return {array<std::int32_t>(targets, "classes"), array<double>(targets, "values"),
            nb::cast<std::int32_t>(targets["n_outputs"]), nb::cast<std::int32_t>(targets["n_columns"]),
            array<std::int32_t>(targets, "class_start")};
}

ForestRules rules_of(const nb::dict& rules) {
    ForestRules r;
    const auto number = [&](const char* name) { return nb::cast<std::int64_t>(rules[name]); };
    r.criterion.name = nb::cast<std::string>(rules["criterion"]);
    r.criterion.variance_floor = nb::cast<double>(rules["variance_floor"]);
    r.prior = static_cast<HonestPrior>(number("honest_prior"));
    r.n_threads = static_cast<int>(number("n_threads"));
    r.grow.n_candidates = number("n_candidates");
    r.grow.extra_candidates = number("patience");
    r.grow.cut.splitter = static_cast<Splitter>(number("splitter"));
    r.grow.cut.isa = r.criterion.isa = static_cast<Isa>(number("isa"));
    Limits& limits = r.grow.cut.limits;
    limits.max_depth = static_cast<std::int32_t>(number("max_depth"));
    limits.min_samples_split = number("min_samples_split");
    limits.min_samples_leaf = number("min_samples_leaf");
    limits.min_weight_fraction_leaf = nb::cast<double>(rules["min_weight_fraction_leaf"]);
    limits.min_balance = nb::cast<double>(rules["min_balance"]);
    limits.max_leaf_nodes = number("max_leaf_nodes");
    limits.min_impurity_decrease = nb::cast<double>(rules["min_impurity_decrease"]);
    return r;
}

ForestArrays forest_of(const nb::dict& arrays) {
    return {trees_of(arrays), array<double>(arrays, "gain_unit"), values_of(arrays),
            array<double>(arrays, "leaf_weight")};
}

nb::dict give_forest(Forest&& forest) {
    nb::dict arrays;
    arrays["split_start"] = give(std::move(forest.split_start));
    arrays["leaf_start"] = give(std::move(forest.leaf_start));
    arrays["children"] = give(std::move(forest.children));
    arrays["threshold"] = give(std::move(forest.threshold));
    arrays["gain"] = give(std::move(forest.gain));
    arrays["gain_unit"] = give(std::move(forest.gain_unit));
    std::visit([&](auto& start) { arrays["atom_start"] = give(std::move(start)); }, forest.atom_start);
    std::visit([&](auto& words) { arrays["atom_words"] = give(std::move(words)); }, forest.atom_words);
    arrays["value_start"] = give(std::move(forest.value_start));
    arrays["value_column"] = give(std::move(forest.value_column));
    arrays["value"] = give(std::move(forest.value));
    arrays["leaf_weight"] = give(std::move(forest.leaf_weight));
    return arrays;
}

// What fit learns of X in its one pass over it: whether all values are whole, and the largest.
struct Magnitude {
    bool whole;
    double max_abs;
};

nb::dict fit(const Dictionary& dictionary, const Rows& rows, nb::tuple magnitude, nb::dict targets_dict,
             const Sampling& sampling, nb::tuple tree_range, nb::dict rules_dict, nb::object tick) {
    const Matrix matrix = matrix_of(rows);
    const Magnitude size{nb::cast<bool>(magnitude[0]), nb::cast<double>(magnitude[1])};
    const Targets targets = targets_of(targets_dict);
    const ForestRules rules = rules_of(rules_dict);
    const auto first = nb::cast<std::int64_t>(tree_range[0]);
    const auto count = nb::cast<std::int64_t>(tree_range[1]);
    Forest forest = Watch(std::move(tick)).run([&](Monitor& monitor) {
        const auto fixed = fixed_points(dictionary, size.max_abs);
        PreparedRows prepared = prepare_rows(dictionary, matrix, fixed, size.whole, size.max_abs);
        prepared.fill_all(rules.n_threads, monitor);
        return fit_forest({dictionary, prepared, targets, sampling}, {first, count}, rules, monitor);
    });
    return give_forest(std::move(forest));
}

// Runs work(router, matrix, monitor) on rows, with what the forest needs to route them.
template <class Work>
void route(const Dictionary& dictionary, double max_abs, const nb::dict& arrays, const Rows& rows,
           nb::tuple isa_and_threads, const Work& work) {
    const Trees trees = trees_of(arrays);
    const Matrix matrix = matrix_of(rows);
    const auto fixed = fixed_points(dictionary, max_abs);
    const Router router{dictionary, fixed, trees, static_cast<Isa>(nb::cast<int>(isa_and_threads[0])),
                        nb::cast<int>(isa_and_threads[1])};
    Watch(nb::none()).run([&](Monitor& monitor) { work(router, matrix, monitor); });
}

auto apply(const Dictionary& dictionary, double max_abs, nb::dict arrays, const Rows& rows,
           nb::tuple isa_and_threads) {
    const std::size_t n_trees = trees_of(arrays).split_start.size() - 1;
    std::vector<std::int32_t> leaves(rows.shape(0) * n_trees);
    route(dictionary, max_abs, arrays, rows, isa_and_threads,
          [&](const Router& router, const Matrix& matrix, Monitor& monitor) {
              apply_forest(router, matrix, leaves.data(), monitor);
          });
    return give(std::move(leaves), {n_trees, rows.shape(0)});
}

auto predict(const Dictionary& dictionary, double max_abs, nb::dict arrays, const Rows& rows,
             nb::tuple isa_and_threads, std::int32_t n_columns) {
    std::vector<double> out(rows.shape(0) * static_cast<std::size_t>(n_columns));
    const LeafValues values = values_of(arrays, n_columns);
    route(dictionary, max_abs, arrays, rows, isa_and_threads,
          [&](const Router& router, const Matrix& matrix, Monitor& monitor) {
              predict_forest(router, values, matrix, out.data(), monitor);
          });
    return give(std::move(out), {rows.shape(0), static_cast<std::size_t>(n_columns)});
}

auto predict_oob(const Dictionary& dictionary, double max_abs, nb::dict arrays, const Rows& rows,
                 nb::tuple isa_and_threads, std::int32_t n_columns, const Sampling& sampling) {
    std::vector<double> out(rows.shape(0) * static_cast<std::size_t>(n_columns));
    const LeafValues values = values_of(arrays, n_columns);
    route(dictionary, max_abs, arrays, rows, isa_and_threads,
          [&](const Router& router, const Matrix& matrix, Monitor& monitor) {
              predict_out_of_bag(router, values, matrix, sampling, out.data(), monitor);
          });
    return give(std::move(out), {rows.shape(0), static_cast<std::size_t>(n_columns)});
}

}  // namespace

void bind_forest(nb::module_& module) {
    module.def("fit", &fit, nb::arg("dictionary"), nb::arg("rows"), nb::arg("magnitude"), nb::arg("targets"),
               nb::arg("sampling"), nb::arg("tree_range"), nb::arg("rules"), nb::arg("tick").none());
    module.def("apply", &apply);
    module.def("predict", &predict);
    module.def("predict_oob", &predict_oob);
    // ValueError unless the arrays are those of a forest.
    module.def("check_forest", [](const Dictionary& dictionary, nb::dict arrays, std::int32_t n_columns,
                                  const In<std::int32_t>& class_start) {
        check_forest(dictionary, forest_of(arrays), {n_columns, span_of(class_start)});
    });
    // Leaves without estimation samples, as (leaf, node, start, from): see BorrowedValues.
    module.def("borrowed_leaves", [](nb::dict arrays, int prior) {
        BorrowedValues found = borrowed_values(trees_of(arrays), array<double>(arrays, "leaf_weight"),
                                               static_cast<HonestPrior>(prior));
        return nb::make_tuple(give(std::move(found.leaf)), give(std::move(found.node)),
                              give(std::move(found.start)), give(std::move(found.from)));
    });
    module.def("importance", [](const Dictionary& dictionary, nb::dict arrays, int kind) {
        const Trees trees = trees_of(arrays);
        return give(Watch(nb::none()).run([&](Monitor& monitor) {
            return importance(dictionary, trees, static_cast<Importance>(kind), monitor);
        }));
    });
}

}  // namespace foliation::bindings
