#include "core/projections/dictionary.h"

#include "arrays.h"

namespace foliation::bindings {

namespace {

// Rows of (side, min_size, max_size, wrap, contiguous).
using AxisTable = nb::ndarray<const std::int32_t, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;

std::vector<PatchAxis> axes_of(const AxisTable& table) {
    std::vector<PatchAxis> axes;
    for (std::size_t a = 0; a < table.shape(0); ++a) {
        const std::int32_t* row = table.data() + 5 * a;
        axes.push_back({row[0], row[1], row[2], row[3] != 0, row[4] != 0});
    }
    return axes;
}

// The words of `count` atoms, one after the other, as a node with this key draws them, and for each
// the uniform number that a random cut would use next. Once a node has no atom left, they are empty.
nb::tuple draw_atoms(const Dictionary& dictionary, std::uint64_t key, std::int64_t count) {
    Scratch scratch;
    std::vector<std::int32_t> words;
    std::vector<std::int64_t> start{0};
    std::vector<double> uniforms;
    dictionary.begin_node(scratch);
    for (std::int64_t c = 0; c < count; ++c) {
        Rng rng(chain(key, static_cast<std::uint64_t>(c) + 2));
        if (!dictionary.draw(rng, scratch, words)) words.resize(static_cast<std::size_t>(start.back()));
        start.push_back(static_cast<std::int64_t>(words.size()));
        uniforms.push_back(rng.uniform());
    }
    return nb::make_tuple(give(std::move(start)), give(std::move(words)), give(std::move(uniforms)));
}

nb::tuple expand_atom(const Dictionary& dictionary, const In<std::int32_t>& words) {
    Scratch scratch;
    Terms terms = dictionary.expand(span_of(words), scratch);
    return nb::make_tuple(give(std::move(terms.ids)), give(std::move(terms.weights)));
}

}  // namespace

void bind_projections(nb::module_& module) {
    nb::class_<Family>(module, "Family");
    module.def("axis", [](std::int32_t n_features) { return Family(Axis{n_features}); });
    module.def("sparse", [](std::int32_t n_features, double nonzeros, int weights) {
        return Family(Sparse(n_features, nonzeros, static_cast<Weights>(weights)));
    });
    module.def("patches", [](const AxisTable& axes, int border, int weights, double contrast) {
        return Family(
            Patches(axes_of(axes), static_cast<Border>(border), static_cast<Weights>(weights), contrast));
    });
    module.def("kernels", [](const AxisTable& axes, int border, const In<double>& bank) {
        return Family(Kernels{axes_of(axes), static_cast<Border>(border), vector_of(bank)});
    });
    module.def("neighborhoods", [](const In<std::int64_t>& start, const In<std::int32_t>& neighbors,
                                   std::int32_t lo, std::int32_t hi, bool connected_part, int weights) {
        return Family(Neighborhoods{vector_of(start), vector_of(neighbors), lo, hi, connected_part,
                                    static_cast<Weights>(weights)});
    });
    module.def("atoms", [](const In<std::int64_t>& start, const In<std::int32_t>& ids,
                           const In<double>& weights, const In<double>& cumulative) {
        return Family(Atoms{vector_of(start), vector_of(ids), vector_of(weights), vector_of(cumulative)});
    });
    nb::class_<Dictionary>(module, "Dictionary")
        .def("__init__", [](Dictionary* self, const std::vector<Family>& members,
                            const In<double>& cumulative, std::int32_t n_features) {
            new (self) Dictionary{members, vector_of(cumulative), n_features};
        })
        .def("draw",
             [](const Dictionary& self, std::uint64_t key, std::int64_t count) {
                 const nb::tuple drawn = draw_atoms(self, key, count);
                 return nb::make_tuple(drawn[0], drawn[1]);
             })
        .def("draw_with_uniforms", &draw_atoms)
        .def("expand", &expand_atom);
    module.def("chain", &chain);  // how a key grows: chain(key, part)
}

}  // namespace foliation::bindings
