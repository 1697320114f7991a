#include <stdexcept>

#include "arrays.h"
#include "core/data/row_plan.h"
#include "core/data/scan.h"

namespace foliation::bindings {

namespace {

template <class T>
AnyColumns columns_of(const Rows& rows) {
    return Columns<T>{static_cast<const T*>(rows.data()), rows.stride(0), rows.stride(1)};
}

}  // namespace

Matrix matrix_of(const Rows& rows) {
    Matrix matrix;
    matrix.n_rows = static_cast<std::int64_t>(rows.shape(0));
    matrix.n_features = static_cast<std::int64_t>(rows.shape(1));
    if (rows.dtype() == nb::dtype<std::uint8_t>()) {
        matrix.columns = columns_of<std::uint8_t>(rows);
    } else if (rows.dtype() == nb::dtype<std::int16_t>()) {
        matrix.columns = columns_of<std::int16_t>(rows);
    } else if (rows.dtype() == nb::dtype<std::int32_t>()) {
        matrix.columns = columns_of<std::int32_t>(rows);
    } else if (rows.dtype() == nb::dtype<float>()) {
        matrix.columns = columns_of<float>(rows);
    } else if (rows.dtype() == nb::dtype<double>()) {
        matrix.columns = columns_of<double>(rows);
    } else {
        throw std::invalid_argument("rows must be uint8, int16, int32, float32 or float64");
    }
    return matrix;
}

bool Watch::ask(std::int64_t done) {
    const nb::gil_scoped_acquire acquired;
    if (error_) return true;
    try {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !tick_.is_none() && nb::cast<bool>(tick_(done));
    } catch (...) {
        error_ = std::current_exception();
        return true;
    }
}

void bind_rows(nb::module_& module) {
    module.def("scan", [](const Rows& rows, int isa, int n_threads) {
        const Matrix matrix = matrix_of(rows);
        const Scan found = Watch(nb::none()).run([&](Monitor& monitor) {
            return scan(matrix, static_cast<Isa>(isa), n_threads, monitor);
        });
        return nb::make_tuple(found.finite, found.whole, found.max_abs);
    });
    module.def("first_bad_column", [](const Rows& rows) { return first_bad_column(matrix_of(rows)); });
    // The key of a tree's root node; those of children and candidates follow by chain().
    module.def("root_key",
               [](std::uint64_t seed, std::int64_t tree) { return tree_key(seed, tree, Purpose::nodes); });
    nb::class_<Sampling>(module, "Sampling")
        .def("__init__",
             [](Sampling* self, std::uint64_t seed, std::int64_t n_rows, std::int64_t n_draws, bool bootstrap,
                bool balanced_subsample, double structure_share, bool estimate_out_of_bag,
                std::vector<double> weights, std::vector<std::int32_t> groups) {
                 new (self) Sampling(seed, n_rows, n_draws, bootstrap, std::move(weights), std::move(groups));
                 self->balanced_subsample = balanced_subsample;
                 self->structure_share = structure_share;
                 self->estimate_out_of_bag = estimate_out_of_bag;
             })
        // The rows a tree drew, each as often as drawn.
        .def("rows",
             [](const Sampling& self, std::int64_t tree) {
                 const std::vector<std::int32_t> counts = draw_counts(self, tree);
                 std::vector<std::int64_t> rows;
                 for (std::size_t row = 0; row < counts.size(); ++row)
                     rows.insert(rows.end(), static_cast<std::size_t>(counts[row]),
                                 static_cast<std::int64_t>(row));
                 return give(std::move(rows));
             })
        // A bit per tree for each row: whether the tree drew the row, or did not.
        .def("membership",
             [](const Sampling& self, std::int64_t n_trees, bool out_of_bag, int n_threads) {
                 return give(Watch(nb::none()).run([&](Monitor& monitor) {
                     return membership(self, n_trees, out_of_bag, n_threads, monitor);
                 }));
             })
        // Rows and weights of the structure samples, and those of the estimation samples (empty: the same).
        // Classes are needed where they are balanced.
        .def("plan", [](const Sampling& self, std::int64_t tree, const In<std::int32_t>& classes,
                        std::int32_t n_outputs, std::int32_t n_columns) {
            RowPlan plan = draw_rows(self, tree, Targets{span_of(classes), {}, n_outputs, n_columns, {}});
            return nb::make_tuple(
                give(std::move(plan.structure.rows)), give(std::move(plan.structure.weights)),
                give(std::move(plan.estimation.rows)), give(std::move(plan.estimation.weights)));
        });
}

}  // namespace foliation::bindings
