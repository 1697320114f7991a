#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <stdexcept>
#include <string>

#include "core/forest/importance.h"
#include "core/forest/predict.h"
#include "machine.h"
#include "targets.h"
#include "trees.h"

namespace foliation::bindings {

namespace {

// The largest absolute value of the training rows, and whether all of them are whole numbers.
struct Scale {
    double max_abs = 0.0;
    bool whole = false;
};

// An object that Python made, held as long as this lives.
template <class T>
class Shared {
  public:
    explicit Shared(nb::handle_t<T> object) : object_(nb::borrow<nb::object>(object)) {}
    const T& operator*() const { return *nb::inst_ptr<T>(object_); }
    const T* operator->() const { return nb::inst_ptr<T>(object_); }

  private:
    nb::object object_;
};

// What all trees of a fit share.
struct Plan {
    Shared<Dictionary> dictionary;
    Scale scale;
    Shared<TargetArrays> targets;
    Shared<Sampling> sampling;
    ForestRules rules;
};

// Trees and what it takes to route rows through them.
struct Router {
    Shared<Dictionary> dictionary;
    Shared<TreeArrays> arrays;
    std::vector<FixedPoint> fixed;
};

// The rows, if they have as many features as the dictionary.
Matrix checked_matrix(const Rows& rows, const Dictionary& dictionary) {
    if (rows.shape(1) != static_cast<std::size_t>(dictionary.n_features))
        throw std::invalid_argument("rows have " + std::to_string(rows.shape(1)) + " features: expected " +
                                    std::to_string(dictionary.n_features));
    return matrix_of(rows);
}

GrownArrays grow(const Plan& plan, const Rows& rows, TreeRange range, const Machine& machine,
                 nb::object tick) {
    const Matrix matrix = checked_matrix(rows, *plan.dictionary);
    const Targets targets = plan.targets->view();
    ForestRules rules = plan.rules;
    rules.n_threads = machine.n_threads;
    rules.grow.cut.isa = rules.criterion.isa = machine.isa;
    Forest forest = Watch("fit", std::move(tick)).run([&](Monitor& monitor) {
        const auto fixed = fixed_points(*plan.dictionary, plan.scale.max_abs);
        PreparedRows prepared =
            prepare_rows(*plan.dictionary, matrix, fixed, plan.scale.whole, plan.scale.max_abs);
        prepared.fill_all(rules.n_threads, monitor);
        return fit_forest({*plan.dictionary, prepared, targets, *plan.sampling}, range, rules, monitor);
    });
    return GrownArrays(std::move(forest));
}

// Runs work(router, matrix, monitor) on rows.
template <class Work>
void route(const char* operation, const Router& self, const Rows& rows, const Machine& machine,
           const Work& work) {
    const Trees trees = self.arrays->trees();
    const Matrix matrix = checked_matrix(rows, *self.dictionary);
    const foliation::Router router{*self.dictionary, self.fixed, trees, machine.isa, machine.n_threads};
    Watch(operation).run([&](Monitor& monitor) { work(router, matrix, monitor); });
}

auto apply(const Router& self, const Rows& rows, const Machine& machine) {
    const auto n_trees = static_cast<std::size_t>(self.arrays->trees().n_trees());
    auto leaves = result_of<std::int32_t>("apply", n_trees, rows.shape(0));
    route("apply", self, rows, machine, [&](const auto& router, const Matrix& matrix, Monitor& monitor) {
        apply_forest(router, matrix, leaves.data(), monitor);
    });
    return to_numpy(std::move(leaves), {n_trees, rows.shape(0)});
}

auto predict(const Router& self, const Rows& rows, std::int32_t n_columns, const Machine& machine) {
    auto out = result_of<double>("predict", rows.shape(0), static_cast<std::size_t>(n_columns));
    const LeafValues values = self.arrays->values(n_columns);
    route("predict", self, rows, machine, [&](const auto& router, const Matrix& matrix, Monitor& monitor) {
        predict_forest(router, values, matrix, out.data(), monitor);
    });
    return to_numpy(std::move(out), {rows.shape(0), static_cast<std::size_t>(n_columns)});
}

auto predict_oob(const Router& self, const Rows& rows, const Sampling& sampling, std::int32_t n_columns,
                 const Machine& machine) {
    auto out =
        result_of<double>("prediction out of the bag", rows.shape(0), static_cast<std::size_t>(n_columns));
    const LeafValues values = self.arrays->values(n_columns);
    const auto predict = [&](const auto& router, const Matrix& matrix, Monitor& monitor) {
        predict_out_of_bag(router, values, matrix, sampling, out.data(), monitor);
    };
    route("prediction out of the bag", self, rows, machine, predict);
    return to_numpy(std::move(out), {rows.shape(0), static_cast<std::size_t>(n_columns)});
}

// Leaves without estimation samples, and the leaves whose values they borrow; see core's BorrowedValues.
struct BorrowedArrays {
    nb::object leaf, node, first, last, lender;

    explicit BorrowedArrays(BorrowedValues&& borrowed)
        : leaf(to_numpy(std::move(borrowed.leaf))),
          node(to_numpy(std::move(borrowed.node))),
          first(to_numpy(std::move(borrowed.first))),
          last(to_numpy(std::move(borrowed.last))),
          lender(to_numpy(std::move(borrowed.lender))) {}
};

}  // namespace

void bind_forest(nb::module_& module) {
    nb::class_<Scale>(module, "Scale")
        .def(
            "__init__", [](Scale* self, double max_abs, bool whole) { new (self) Scale{max_abs, whole}; },
            nb::arg("max_abs"), nb::arg("whole"));
    nb::class_<Plan>(module, "Plan")
        .def(
            "__init__",
            [](Plan* self, nb::handle_t<Dictionary> dictionary, const Scale& scale,
               nb::handle_t<TargetArrays> targets, nb::handle_t<Sampling> sampling,
               const ForestRules& rules) {
                new (self) Plan{Shared(dictionary), scale, Shared(targets), Shared(sampling), rules};
            },
            nb::arg("dictionary"), nb::arg("scale"), nb::arg("targets"), nb::arg("sampling"),
            nb::arg("rules"));
    module.def(
        "grow",
        [](const Plan& plan, const Rows& rows, std::pair<std::int64_t, std::int64_t> range,
           const Machine& machine, nb::object tick) {
            return grow(plan, rows, {range.first, range.second - range.first}, machine, std::move(tick));
        },
        nb::arg("plan"), nb::arg("rows"), nb::arg("range"), nb::arg("machine"), nb::arg("tick").none());
    nb::class_<Router>(module, "Router")
        .def(
            "__init__",
            [](Router* self, nb::handle_t<Dictionary> dictionary, nb::handle_t<TreeArrays> trees,
               double max_abs) {
                Shared shared(dictionary);
                auto fixed = fixed_points(*shared, max_abs);
                new (self) Router{std::move(shared), Shared(trees), std::move(fixed)};
            },
            nb::arg("dictionary"), nb::arg("trees"), nb::arg("max_abs"))
        .def("apply", &apply)
        .def("predict", &predict)
        .def("predict_oob", &predict_oob);
    nb::class_<BorrowedArrays>(module, "BorrowedLeaves")
        .def_ro("leaf", &BorrowedArrays::leaf, nb::rv_policy::reference)
        .def_ro("node", &BorrowedArrays::node, nb::rv_policy::reference)
        .def_ro("first", &BorrowedArrays::first, nb::rv_policy::reference)
        .def_ro("last", &BorrowedArrays::last, nb::rv_policy::reference)
        .def_ro("lender", &BorrowedArrays::lender, nb::rv_policy::reference);
    module.def(
        "borrowed_leaves",
        [](const TreeArrays& arrays, HonestPrior prior) {
            const Trees trees = arrays.trees();
            return BorrowedArrays(Watch("leaf_weights").run_here([&](Monitor& monitor) {
                return borrowed_values(trees, span_of(arrays.leaf_weight), prior, monitor);
            }));
        },
        nb::arg("trees"), nb::arg("prior"));
    nb::enum_<Importance>(module, "Importance")
        .value("count", Importance::count)
        .value("gain", Importance::gain);
    module.def(
        "importance",
        [](const Dictionary& dictionary, const TreeArrays& arrays, Importance kind) {
            const Trees trees = arrays.trees();
            return to_numpy(Watch("importance").run([&](Monitor& monitor) {
                return importance(dictionary, trees, kind, monitor);
            }));
        },
        nb::arg("dictionary"), nb::arg("trees"), nb::arg("kind"));
}

}  // namespace foliation::bindings
