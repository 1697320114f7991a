"""Families and samples to compare the core with the reference on, and the comparison of two trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import foliation as fo
from foliation.model.tree import Tree

SHAPE = (3, 4)


def line_graph(n: int) -> Any:
    return sp.csr_array(np.eye(n, k=1) + np.eye(n, k=-1))


FAMILIES: dict[str, Any] = {
    "axis": fo.Axis(),
    "sparse": fo.Sparse(),
    "sparse normal": fo.Sparse(nonzeros=3, weights="normal"),
    "sparse uniform": fo.Sparse(density=0.3, weights="uniform"),
    "patches": fo.Patches(max_size=(2, 3)),
    "patches inside": fo.Patches(min_size=2, max_size=3, border="inside"),
    "patches cylinder": fo.Patches(max_size=(2, 4), wrap=(False, True)),
    "patches channels": fo.Patches(max_size=(2, 3), contiguous=(False, True)),
    "patches signs": fo.Patches(max_size=3, weights="signs"),
    "patches uniform": fo.Patches(max_size=3, weights="uniform", wrap=True),
    "patches gaussian": fo.Patches(max_size=3, weights="gaussian", contrast=0.5),
    "contrast": fo.Patches(max_size=2, contrast=0.7),
    "contrast torus": fo.Patches(max_size=2, contrast=1.0, wrap=True),
    "kernels": fo.Kernels(fo.gabor_bank(3)),
    "neighborhoods": fo.Neighborhoods(line_graph(12), hops=(0, 2)),
    "connected parts": fo.Neighborhoods(line_graph(12), size=(1, 4), weights="signs"),
    "atoms": fo.Atoms(np.eye(12)[::2] - np.eye(12)[1::2], p=[0.1, 0.1, 0.2, 0.2, 0.3, 0.1]),
    "mixture": fo.Mixture([fo.Axis(), fo.Patches(max_size=2), fo.Sparse()], p=[0.5, 0.25, 0.25]),
}


def make_rows(kind: str, rng: np.random.Generator, n: int) -> NDArray[Any]:
    if kind == "float64":
        return rng.normal(size=(n, *SHAPE))
    if kind == "float32":
        return rng.normal(size=(n, *SHAPE)).astype(np.float32)
    low, high = {"uint8": (0, 6), "int16": (-300, 300), "int32": (-(2**20), 2**20)}[kind]
    return rng.integers(low, high, size=(n, *SHAPE)).astype(kind)


def compare(tree: Tree, ours: int, theirs: dict[str, Any], where: str = "root") -> int:
    """Compare one node and all below it; return how many nodes there were."""
    if ours < 0:
        assert "value" in theirs, f"{where}: the core made a leaf, the reference a split"
        np.testing.assert_allclose(tree.value[~ours], theirs["value"], rtol=1e-9, atol=1e-12, err_msg=where)
        np.testing.assert_allclose(tree.leaf_weight[~ours], theirs["weight"], rtol=1e-12, err_msg=where)
        return 1
    assert "atom" in theirs, f"{where}: the core made a split, the reference a leaf"
    begin, end = tree._atom_start[ours : ours + 2]
    np.testing.assert_array_equal(tree._atom_words[begin:end], theirs["atom"], err_msg=where)
    np.testing.assert_allclose(tree.threshold[ours], theirs["threshold"], rtol=1e-9, atol=1e-9, err_msg=where)
    unit = max(1.0, tree.leaf_weight.sum())  # gains are weights times impurities
    np.testing.assert_allclose(tree.gain[ours], theirs["gain"], rtol=1e-6, atol=1e-9 * unit, err_msg=where)
    left, right = (int(child) for child in tree.children[ours])
    below = compare(tree, left, theirs["left"], where + " L") + compare(tree, right, theirs["right"], where + " R")
    return 1 + below
