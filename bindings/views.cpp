#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "core/views/series.h"

namespace foliation::bindings {

template <class Cell>
nb::object rows_of(const SeriesViews& self, const Rows& rows, const In<double>& scales, int n_threads) {
    const Matrix matrix = matrix_of(rows);
    std::vector<Cell> cells = Watch("views").run(
        [&](Monitor& monitor) { return self.rows<Cell>(matrix, span_of(scales), n_threads, monitor); });
    return to_numpy(std::move(cells), {static_cast<std::size_t>(matrix.n_rows), self.n_cells()});
}

void bind_views(nb::module_& module) {
    nb::class_<SeriesGrid>(module, "SeriesGrid")
        .def("__init__",
             [](SeriesGrid* self, std::int64_t n_series, std::int64_t side, bool circle, std::int64_t height,
                bool tube) { new (self) SeriesGrid{n_series, side, circle, height, tube}; });
    nb::class_<ViewOutline>(module, "ViewOutline")
        .def_ro("name", &ViewOutline::name)
        .def_ro("length", &ViewOutline::length)
        .def_ro("circle", &ViewOutline::circle)
        .def_ro("label", &ViewOutline::label)
        .def_ro("keeps_whole", &ViewOutline::keeps_whole)
        .def_ro("frequencies", &ViewOutline::frequencies);
    module.def("view_outlines", &view_outlines, nb::arg("grid"));
    nb::class_<SeriesViews>(module, "SeriesViews")
        .def("__init__",
             [](SeriesViews* self, const nb::list& names, const SeriesGrid& grid) {
                 new (self) SeriesViews(items_of<std::string>(names), grid);
             })
        .def("rows", &rows_of<double>)
        .def("whole_rows", &rows_of<std::int16_t>);
}

}  // namespace foliation::bindings
