"""Rows sent down the trees of a model. Rows here are validated: flat, in a number type of the core."""

from __future__ import annotations

import numpy as np

from foliation._core import Machine
from foliation.data.arrays import Array, Floats, Ints, Longs
from foliation.model.model import Model


def cells_of(model: Model, rows: Array, machine: Machine) -> Array:
    """Return what atoms are sums over: the rows, or their views."""
    return rows if model.views is None else model.views.cells(rows, model.view_exponents, machine)


def mean_values(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return leaf values averaged over the trees, (n, columns)."""
    mean = model.router.predict(cells_of(model, rows, machine), model.targets.n_columns, machine)
    return np.where(np.isnan(mean), model.prior, mean) if np.isnan(mean).any() else mean


def leaf_ids(model: Model, rows: Array, machine: Machine) -> Ints:
    """Return the leaf that each row reaches in each tree, (trees, n), numbered from 0 within each tree."""
    return model.router.apply(cells_of(model, rows, machine), machine)


def tree_values(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return leaf values of every tree, (n, trees, columns)."""
    trees, n_columns = model.trees, model.targets.n_columns
    leaves = leaves_of_forest(model, leaf_ids(model, rows, machine))
    start = trees.value_start
    values = np.zeros((leaves.size, n_columns))
    counts = (start[leaves + 1] - start[leaves]).ravel()
    values[counts == 0] = model.prior
    entries = np.repeat(start[leaves].ravel() - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    holders = np.repeat(np.arange(leaves.size), counts)
    values[holders, trees.value_column[entries]] = trees.value[entries]
    return values.reshape(*leaves.shape, n_columns)


def leaves_of_forest(model: Model, leaves: Ints) -> Longs:
    """Return leaves numbered through all trees, (n, trees), from those numbered within each, (trees, n)."""
    return leaves.T.astype(np.int64) + model.trees.leaf_start[:-1]
