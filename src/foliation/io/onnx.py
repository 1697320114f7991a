"""Forests for other programs: ONNX, which runs where Python does not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.sparse as sp

from foliation.analysis.atlas import atlas
from foliation.data.arrays import Array, Floats, Longs
from foliation.io.onnx_views import MOST_BYTES, view_nodes, wave_bytes
from foliation.model.model import Model
from foliation.projections.views import Views

_NODE_BYTES, _VALUE_BYTES = 48, 24  # that a node and a value of a leaf take in a file, or less
_LARGEST = float(np.finfo(np.float32).max)
_OPSET, _ML_OPSET = 17, 3
_IR = 8


def onnx_model(model: Model) -> Any:
    """Return a model that predicts as an ``onnx.ModelProto``: one sparse linear map, and an ensemble of trees."""
    try:
        import onnx
        from onnx import helper
    except ImportError as error:
        raise ImportError('to_onnx needs onnx, which `pip install "foliation[onnx]"` brings') from error
    return _Graph(model, onnx, helper).proto()


class _Graph:
    """The nodes and tensors of a model, as they are added."""

    def __init__(self, model: Model, onnx: Any, helper: Any) -> None:
        self.model, self.onnx, self.helper = model, onnx, helper
        self.nodes: list[Any] = []
        self.dense: list[Any] = []
        self.sparse: list[Any] = []

    def proto(self) -> Any:
        model, helper, types = self.model, self.helper, self.onnx.TensorProto
        name = "probabilities" if model.targets.kind == "classes" else "values"
        self._mean_of_trees(self._projected(), name)
        graph = helper.make_graph(
            self.nodes,
            "forest",
            [helper.make_tensor_value_info("X", types.DOUBLE, ["n", *model.grid.shape])],
            [helper.make_tensor_value_info(name, types.FLOAT, ["n", model.targets.n_columns])],
            self.dense,
            sparse_initializer=self.sparse,
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", _ML_OPSET)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR, producer_name="foliation")

    def add(self, kind: str, *inputs: str, to: str = "", **attributes: Any) -> str:
        """Add a node; return the name of what it gives."""
        name = to or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(self.helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, array: Array) -> str:
        name = f"constant_{len(self.dense)}"
        self.dense.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    # ---- from rows to projected values ----

    def _projected(self) -> str:
        drawn = atlas(self.model)
        atoms, self.atom_of_split = drawn.atoms, drawn.of_split
        singles = _single_features(atoms)
        self._check_size(0 if singles is not None else atoms.shape[0], atoms.shape[1])
        cells = self._cells()
        if singles is not None:
            self.atom_of_split = singles[self.atom_of_split]
            return cells
        return self.add("MatMul", cells, self._map(atoms))

    def _check_size(self, n_atoms: int, n_cells: int) -> None:
        """Refuse what ONNX cannot hold before any of it is made."""
        trees, views = self.model.trees, self.model.views
        sides = {
            f"the forest has {n_atoms:,} distinct atoms over {n_cells:,} cells: a map": 8 * n_atoms * n_cells,
            "the spectra of its views need waves": 0 if views is None else wave_bytes(views),
            "its trees have nodes and leaves": _NODE_BYTES * (len(trees.threshold) + len(trees.leaf_weight))
            + _VALUE_BYTES * len(trees.value),
        }
        for what, size in sides.items():
            if size > MOST_BYTES:
                raise ValueError(
                    f"{what} of {size:,} bytes, and ONNX holds {MOST_BYTES:,}. Fewer trees, or a smaller max_size, "
                    "make it smaller"
                )

    def _map(self, atoms: Any) -> str:
        """Add the atoms as the columns of a sparse matrix."""
        n_atoms, n_cells = atoms.shape
        by_cell = sp.csc_array(atoms)
        places = np.repeat(n_atoms * np.arange(n_cells, dtype=np.int64), np.diff(by_cell.indptr))
        places += by_cell.indices
        values = self.onnx.numpy_helper.from_array(by_cell.data, "atoms")
        indices = self.onnx.numpy_helper.from_array(places, "atoms_at")
        self.sparse.append(self.helper.make_sparse_tensor(values, indices, [n_cells, n_atoms]))
        return "atoms"

    def _cells(self) -> str:
        """Return rows as tables of cells: as they are, or their views side by side."""
        views = self.model.views
        if views is None:
            return self._flat("X", self.model.grid.n_features)
        rows = self.add("Reshape", "X", self.constant(np.array([-1, *views.shape], np.int64)))
        scales = np.ldexp(1.0, self.model.view_exponents)
        parts = [
            self.add("Mul", self._view(view_nodes(self, rows, views, name), views), self.constant(np.array(scale)))
            for name, scale in zip(views.names, scales, strict=True)
        ]
        return self.add("Concat", *parts, axis=1)

    def _view(self, cells: str, views: Views) -> str:
        """Return a view as a table, padded or cut to the last axis that all views share."""
        *_, side = views.cell_shape
        if side > views.shape[-1]:
            before, after = [0] * (len(views.shape) + 1), [*([0] * len(views.shape)), side]
            padded = self.add("Pad", cells, self.constant(np.array([*before, *after])))
            start, end, last = (self.constant(np.array([bound])) for bound in (0, side, -1))
            cells = self.add("Slice", padded, start, end, last)
        return self._flat(cells, math.prod(views.cell_shape[1:]))

    def _flat(self, rows: str, size: int) -> str:
        return self.add("Reshape", rows, self.constant(np.array([-1, size], np.int64)))

    # ---- from projected values to predictions ----

    def _mean_of_trees(self, values: str, name: str) -> None:
        """Add the trees, and the mean of their leaves; leaves that hold nothing take no part."""
        trees, n_columns, n_trees = self.model.trees, self.model.targets.n_columns, self.model.n_trees
        some_empty = bool((np.diff(trees.value_start) == 0).any())
        weights = trees.value / n_trees
        if len(weights) and np.abs(trees.value).max() > _LARGEST:
            raise ValueError(f"predictions pass {_LARGEST:.3g}, which the float32 of ONNX's trees cannot hold")
        sums = self.add(
            "TreeEnsembleRegressor",
            values,
            to="" if some_empty else name,
            domain="ai.onnx.ml",
            **self._trees(weights, some_empty),
            n_targets=n_columns + int(some_empty),
        )
        if not some_empty:
            return
        split = self.constant(np.array([n_columns, 1], np.int64))
        self.nodes.append(self.helper.make_node("Split", [sums, split], ["sums", "counts"], axis=1))
        least = self.constant(np.full(1, 0.5 / n_trees, np.float32))  # below the share of one tree
        mean = self.add("Div", "sums", self.add("Max", "counts", least))
        any_leaf = self.add("Greater", "counts", self.constant(np.zeros(1, np.float32)))
        prior = self.constant(self.model.prior.astype(np.float32)[None])
        self.add("Where", any_leaf, mean, prior, to=name)

    def _trees(self, weights: Floats, counted: bool) -> dict[str, Any]:
        """Return the trees as attributes, node by node: in each tree the splits, then the leaves."""
        trees = self.model.trees
        split_start, leaf_start = trees.split_start, trees.leaf_start
        n_splits, n_leaves = np.diff(split_start), np.diff(leaf_start)
        tree_of_split = np.repeat(np.arange(len(n_splits)), n_splits)
        tree_of_leaf = np.repeat(np.arange(len(n_leaves)), n_leaves)
        split_ids = np.arange(len(tree_of_split)) - split_start[tree_of_split]
        leaf_ids = np.arange(len(tree_of_leaf)) - leaf_start[tree_of_leaf] + n_splits[tree_of_leaf]
        children = trees.children.reshape(-1, 2).astype(np.int64)
        children = np.where(children < 0, ~children + n_splits[tree_of_split][:, None], children)
        counts = np.diff(trees.value_start)
        holders = np.repeat(np.arange(len(counts)), counts)
        columns, values = trees.value_column.astype(np.int64), weights
        if counted:
            filled = np.flatnonzero(counts)
            holders = np.concatenate([holders, filled])
            columns = np.concatenate([columns, np.full(len(filled), self.model.targets.n_columns)])
            values = np.concatenate([values, np.full(len(filled), 1.0 / len(n_splits))])
        order = np.lexsort((np.concatenate([split_ids, leaf_ids]), np.concatenate([tree_of_split, tree_of_leaf])))
        none = np.zeros(len(leaf_ids), np.int64)

        def by_node(of_splits: Array, of_leaves: Array) -> Array:
            return np.concatenate([of_splits, of_leaves])[order]

        thresholds = by_node(trees.threshold, np.zeros(len(leaf_ids)))
        is_split = by_node(np.ones(len(split_ids), bool), np.zeros(len(leaf_ids), bool))
        return {
            "nodes_treeids": by_node(tree_of_split, tree_of_leaf).tolist(),
            "nodes_nodeids": by_node(split_ids, leaf_ids).tolist(),
            "nodes_featureids": by_node(self.atom_of_split, none).tolist(),
            "nodes_values_as_tensor": self.onnx.numpy_helper.from_array(thresholds, "thresholds"),
            "nodes_modes": np.where(is_split, "BRANCH_LEQ", "LEAF").tolist(),
            "nodes_truenodeids": by_node(children[:, 0], none).tolist(),
            "nodes_falsenodeids": by_node(children[:, 1], none).tolist(),
            "target_treeids": tree_of_leaf[holders].tolist(),
            "target_nodeids": leaf_ids[holders].tolist(),
            "target_ids": columns.tolist(),
            "target_weights_as_tensor": self.onnx.numpy_helper.from_array(values, "leaves"),
        }


def _single_features(atoms: Any) -> Longs | None:
    """Return the features of atoms that are single ones, None if some are not."""
    if (np.diff(atoms.indptr) != 1).any() or (atoms.data != 1.0).any():
        return None
    features: Longs = atoms.indices.astype(np.int64)
    return features
