#include "core/trees/structure.h"

#include <nanobind/stl/optional.h>

#include "trees.h"

namespace foliation::bindings {

namespace {

void check_index(std::int64_t number, std::int64_t count, const char* what) {
    if (number < 0 || number >= count) throw nb::index_error(what);
}

std::int64_t n_splits_of(const TreeArrays& arrays, std::int64_t tree) {
    const Trees trees = arrays.trees();
    check_index(tree, trees.n_trees(), "tree out of range");
    return trees.n_splits(tree);
}

nb::tuple depths(const TreeArrays& arrays, std::optional<std::int64_t> tree) {
    if (tree) n_splits_of(arrays, *tree);
    const Trees trees = arrays.trees();
    NodeDepths depths = Watch("depths of nodes").run_here([&](Monitor& monitor) {
        return node_depths(trees, tree.value_or(0), tree ? *tree + 1 : trees.n_trees(), monitor);
    });
    return tuple_of(to_numpy(std::move(depths.splits)), to_numpy(std::move(depths.leaves)));
}

nb::tuple path(const TreeArrays& arrays, std::int64_t tree, std::int32_t leaf) {
    check_index(leaf, n_splits_of(arrays, tree) + 1, "leaf out of range");
    const Trees trees = arrays.trees();
    Path path =
        Watch("the path to a leaf").run_here([&](const Monitor&) { return path_to_leaf(trees, tree, leaf); });
    return tuple_of(to_numpy(std::move(path.splits)), to_numpy(std::move(path.sides)));
}

auto below(const TreeArrays& arrays, std::int64_t tree, std::int32_t node) {
    const std::int64_t n_splits = n_splits_of(arrays, tree);
    check_index(node >= 0 ? node : ~node, node >= 0 ? n_splits : n_splits + 1, "node out of range");
    const Trees trees = arrays.trees();
    return to_numpy(Watch("a list of leaves").run_here([&](const Monitor&) {
        std::vector<std::int32_t> leaves;
        for (const OrderedLeaf& leaf : leaves_below(trees, tree, node)) leaves.push_back(leaf.leaf);
        return leaves;
    }));
}

nb::tuple some_atoms(const TreeArrays& arrays, const In<std::int64_t>& splits) {
    const Trees trees = arrays.trees();
    for (const std::int64_t split : span_of(splits))
        check_index(split, static_cast<std::int64_t>(trees.threshold.size()), "split out of range");
    AtomList atoms =
        Watch("a list of atoms").run_here([&](const Monitor&) { return atoms_of(trees, span_of(splits)); });
    return tuple_of(to_numpy(std::move(atoms.start)), to_numpy(std::move(atoms.words)));
}

nb::tuple all_atoms(const TreeArrays& arrays) {
    const Trees trees = arrays.trees();
    DistinctAtoms distinct =
        Watch("distinct atoms").run_here([&](Monitor& monitor) { return distinct_atoms(trees, monitor); });
    return tuple_of(to_numpy(std::move(distinct.of_split)), to_numpy(std::move(distinct.atoms.start)),
                    to_numpy(std::move(distinct.atoms.words)));
}

}  // namespace

void bind_structure(nb::module_& module) {
    // (splits above each split, splits above each leaf), of one tree or of all.
    module.def("node_depths", &depths, nb::arg("trees"), nb::arg("tree") = nb::none());
    // (splits, sides) from the root down; side 0 is left.
    module.def("path_to_leaf", &path, nb::arg("trees"), nb::arg("tree"), nb::arg("leaf"));
    // Leaves from left to right; the node is a split, or ~leaf.
    module.def("leaves_below", &below, nb::arg("trees"), nb::arg("tree"), nb::arg("node"));
    // (start, words) of the atoms of splits that are numbered through all trees.
    module.def("atoms_of", &some_atoms, nb::arg("trees"), nb::arg("splits"));
    // (number of each split's atom, start, words), each atom once in the order of its first split.
    module.def("distinct_atoms", &all_atoms, nb::arg("trees"));
}

}  // namespace foliation::bindings
