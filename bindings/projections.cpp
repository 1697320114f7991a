#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "core/projections/dictionary.h"

namespace foliation::bindings {

namespace {

// The words of `count` atoms, one after the other, as a node with this key draws them, and for each
// the number that its cut would draw next. Once a node has no atom left, they are empty.
nb::tuple draw_atoms(const Dictionary& dictionary, std::uint64_t key, std::int64_t count) {
    Scratch scratch;
    std::vector<std::int32_t> words;
    std::vector<std::int64_t> start{0};
    std::vector<std::uint64_t> numbers;
    dictionary.begin_node(scratch);
    for (std::int64_t c = 0; c < count; ++c) {
        Rng rng(chain(key, static_cast<std::uint64_t>(c) + 2));
        if (!dictionary.draw(rng, scratch, words)) words.resize(static_cast<std::size_t>(start.back()));
        start.push_back(static_cast<std::int64_t>(words.size()));
        numbers.push_back(rng.next());
    }
    return nb::make_tuple(to_numpy(std::move(start)), to_numpy(std::move(words)),
                          to_numpy(std::move(numbers)));
}

nb::tuple expand_atom(const Dictionary& dictionary, const In<std::int32_t>& words) {
    Scratch scratch;
    Terms terms = dictionary.expand(span_of(words), scratch);
    return nb::make_tuple(to_numpy(std::move(terms.ids)), to_numpy(std::move(terms.weights)));
}

nb::tuple expand_atoms(const Dictionary& dictionary, const In<std::int64_t>& start,
                       const In<std::int32_t>& words) {
    ExpandedAtoms atoms = expand_all(dictionary, span_of(start), span_of(words));
    return nb::make_tuple(to_numpy(std::move(atoms.start)), to_numpy(std::move(atoms.terms.ids)),
                          to_numpy(std::move(atoms.terms.weights)));
}

// (number of each atom's kind, first atom of each kind): atoms of one kind differ at most in their sign.
nb::tuple kinds_of_atoms(std::vector<std::int64_t> start, std::vector<std::int32_t> ids,
                         std::vector<double> weights) {
    UnsignedAtoms kinds = unsigned_atoms({std::move(start), {std::move(ids), std::move(weights)}});
    return nb::make_tuple(to_numpy(std::move(kinds.of_atom)), to_numpy(std::move(kinds.first)));
}

template <class F, class... Arguments>
void bind_make(nb::module_& module, F (*make)(Arguments...)) {
    module.def(F::kName, [make](Arguments... arguments) { return Family(make(std::move(arguments)...)); });
}

// One function for each member of the variant, named as the family is.
template <class... Families>
void bind_families(nb::module_& module, const std::variant<Families...>*) {
    (bind_make(module, &Families::make), ...);
}

}  // namespace

void bind_projections(nb::module_& module) {
    nb::enum_<Weights>(module, "Weights")
        .value("ones", Weights::ones)
        .value("signs", Weights::signs)
        .value("uniform", Weights::uniform)
        .value("normal", Weights::normal)
        .value("gaussian", Weights::gaussian);
    nb::enum_<Border>(module, "Border").value("pad", Border::pad).value("inside", Border::inside);
    nb::class_<PatchAxis>(module, "PatchAxis")
        .def(
            "__init__",
            [](PatchAxis* self, std::int32_t side, std::int32_t min_size, std::int32_t max_size, bool wrap,
               bool contiguous) { new (self) PatchAxis{side, min_size, max_size, wrap, contiguous}; },
            nb::kw_only(), nb::arg("side"), nb::arg("min_size"), nb::arg("max_size"), nb::arg("wrap"),
            nb::arg("contiguous"));
    nb::class_<GridPlace>(module, "GridPlace")
        .def(
            "__init__",
            [](GridPlace* self, std::int32_t first, std::int32_t pitch) {
                new (self) GridPlace{first, pitch};
            },
            nb::kw_only(), nb::arg("first"), nb::arg("pitch"));
    nb::class_<Family>(module, "Family");
    nb::module_ families = module.def_submodule("families");
    bind_families(families, static_cast<const Family*>(nullptr));
    nb::class_<Dictionary>(module, "Dictionary")
        .def("__init__",
             [](Dictionary* self, const std::vector<Family>& members, std::vector<double> cumulative,
                std::int32_t n_features) {
                 new (self) Dictionary{members, std::move(cumulative), n_features};
             })
        .def("draw",
             [](const Dictionary& self, std::uint64_t key, std::int64_t count) {
                 const nb::tuple drawn = draw_atoms(self, key, count);
                 return nb::make_tuple(drawn[0], drawn[1]);
             })
        .def("draw_with_numbers", &draw_atoms)
        .def("expand", &expand_atom)
        .def("expand_all", &expand_atoms, nb::arg("start"), nb::arg("words"));
    module.def("unsigned_atoms", &kinds_of_atoms, nb::arg("start"), nb::arg("ids"), nb::arg("weights"));
    module.def("chain", &chain);  // how a key grows: chain(key, part)
}

}  // namespace foliation::bindings
