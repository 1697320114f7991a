"""Rows sent down the trees of a model. Rows here are validated: flat, in a number type of the core."""

from __future__ import annotations

import math

import numpy as np

from foliation._core import Machine
from foliation.data.arrays import Array, Floats, Ints, Longs
from foliation.memory import check_memory
from foliation.model.model import Model

_TOGETHER = 4_000_000  # values that are looked up together
_TURNED = 10_000  # rows whose leaf ids are turned together


def cells_of(model: Model, rows: Array, machine: Machine) -> Array:
    """Return what atoms are sums over: the rows, or their views."""
    return rows if model.views is None else model.views.cells(rows, model.view_exponents, machine)


def unscaled_cells(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return the numbers that atoms are sums of in units of X: the rows, or their views, (n, cells)."""
    if model.views is None:
        return np.asarray(rows, dtype=np.float64)
    return np.asarray(model.views.cells(rows, np.zeros_like(model.view_exponents), machine), dtype=np.float64)


def mean_values(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return leaf values averaged over the trees, (n, columns)."""
    mean = model.router.predict(cells_of(model, rows, machine), model.targets.n_columns, machine)
    return np.where(np.isnan(mean), model.prior, mean) if np.isnan(mean).any() else mean


def leaf_ids(model: Model, rows: Array, machine: Machine) -> Ints:
    """Return the leaf that each row reaches in each tree, (trees, n), numbered from 0 within each tree."""
    return model.router.apply(cells_of(model, rows, machine), machine)


def leaf_ids_of_rows(model: Model, rows: Array, machine: Machine) -> Longs:
    """Return the leaf that each row reaches in each tree, (n, trees)."""
    leaves = leaf_ids(model, rows, machine)
    turned = np.empty(leaves.T.shape, dtype=np.int64)
    for first in range(0, len(rows), _TURNED):
        turned[first : first + _TURNED] = leaves[:, first : first + _TURNED].T
    return turned


def tree_values(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return leaf values of every tree, (n, trees, columns)."""
    leaves = leaf_ids(model, rows, machine)
    size = (leaves.shape[1], leaves.shape[0], model.targets.n_columns)
    check_memory(f"the values of {size[1]:,} trees for {size[0]:,} rows", 8.0 * math.prod(size), "fewer rows take less")
    values = np.empty(size)
    step = max(1, _TOGETHER // max(1, math.prod(size[1:])))
    for first in range(0, size[0], step):
        here = slice(first, first + step)
        values[here] = _values_of(model, leaves_of_forest(model, leaves[:, here]))
    return values


def _values_of(model: Model, leaves: Longs) -> Floats:
    """Return the values of leaves that are numbered through all trees, with an axis of columns after the others."""
    trees, start = model.trees, model.trees.value_start
    values = np.zeros((leaves.size, model.targets.n_columns))
    counts = (start[leaves + 1] - start[leaves]).ravel()
    values[counts == 0] = model.prior
    entries = np.repeat(start[leaves].ravel() - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    holders = np.repeat(np.arange(leaves.size), counts)
    values[holders, trees.value_column[entries]] = trees.value[entries]
    return values.reshape(*leaves.shape, model.targets.n_columns)


def leaves_of_forest(model: Model, leaves: Ints) -> Longs:
    """Return leaves numbered through all trees, (n, trees), from those numbered within each, (trees, n)."""
    return leaves.T.astype(np.int64) + model.trees.leaf_start[:-1]
