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
    return tuple_of(to_numpy(std::move(start)), to_numpy(std::move(words)), to_numpy(std::move(numbers)));
}

nb::tuple expand_atom(const Dictionary& dictionary, const In<std::int32_t>& words) {
    Terms terms = Watch("the terms of an atom").run_here([&](Monitor& monitor) {
        Scratch scratch;
        scratch.monitor = &monitor;
        return dictionary.expand(span_of(words), scratch);
    });
    return tuple_of(to_numpy(std::move(terms.ids)), to_numpy(std::move(terms.weights)));
}

nb::tuple expand_atoms(const Dictionary& dictionary, const In<std::int64_t>& start,
                       const In<std::int32_t>& words) {
    ExpandedAtoms atoms = Watch("the terms of atoms").run_here([&](Monitor& monitor) {
        return expand_all(dictionary, span_of(start), span_of(words), monitor);
    });
    return tuple_of(to_numpy(std::move(atoms.start)), to_numpy(std::move(atoms.terms.ids)),
                    to_numpy(std::move(atoms.terms.weights)));
}

// (number of each atom's kind, first atom of each kind): atoms of one kind differ at most in their sign.
nb::tuple kinds_of_atoms(const Dictionary& dictionary, const In<std::int64_t>& start,
                         const In<std::int32_t>& words) {
    UnsignedAtoms kinds = Watch("a comparison of atoms").run_here([&](Monitor& monitor) {
        return unsigned_atoms(dictionary, span_of(start), span_of(words), monitor);
    });
    return tuple_of(to_numpy(std::move(kinds.of_atom)), to_numpy(std::move(kinds.first)));
}

// What Python passes for an argument of a family: axes come as a list.
template <class Argument>
struct Given {
    using Type = Argument;
    static Argument take(Argument argument) { return argument; }
};
template <>
struct Given<std::vector<PatchAxis>> {
    using Type = nb::list;
    static std::vector<PatchAxis> take(const nb::list& axes) { return items_of<PatchAxis>(axes); }
};

template <class F, class... Arguments>
void bind_make(nb::module_& module, F (*make)(Arguments...)) {
    module.def(F::kName, [make](typename Given<Arguments>::Type... given) {
        return Family(make(Given<Arguments>::take(std::move(given))...));
    });
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
    nb::class_<BoxAxis>(module, "BoxAxis")
        .def_ro("start", &BoxAxis::start)
        .def_ro("size", &BoxAxis::size)
        .def_prop_ro(
            "chosen", [](const BoxAxis& self) { return to_numpy(std::vector(self.chosen)); },
            nb::rv_policy::reference);
    nb::class_<BoxAtom>(module, "BoxAtom")
        .def_ro("boxes", &BoxAtom::boxes)
        .def_ro("weighted", &BoxAtom::weighted);
    nb::class_<Dictionary>(module, "Dictionary")
        .def("__init__",
             [](Dictionary* self, const nb::list& members, std::vector<double> cumulative,
                std::int32_t n_features) {
                 new (self) Dictionary{items_of<Family>(members), std::move(cumulative), n_features};
             })
        .def("draw",
             [](const Dictionary& self, std::uint64_t key, std::int64_t count) {
                 const nb::tuple drawn = draw_atoms(self, key, count);
                 return tuple_of(drawn[0], drawn[1]);
             })
        .def("draw_with_numbers", &draw_atoms)
        .def("expand", &expand_atom)
        .def("boxes",
             [](const Dictionary& self, const In<std::int32_t>& words) { return self.boxes(span_of(words)); })
        .def_prop_ro(
            "first_features", [](const Dictionary& self) { return to_numpy(self.first_features()); },
            nb::rv_policy::reference)
        .def("expand_all", &expand_atoms, nb::arg("start"), nb::arg("words"))
        .def("unsigned_atoms", &kinds_of_atoms, nb::arg("start"), nb::arg("words"))
        .def(
            "most_terms",
            [](const Dictionary& self, const In<std::int64_t>& start, const In<std::int32_t>& words) {
                return most_terms(self, span_of(start), span_of(words));
            },
            nb::arg("start"), nb::arg("words"));
    module.def("chain", &chain);  // how a key grows: chain(key, part)
}

}  // namespace foliation::bindings
