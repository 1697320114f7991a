"""The polytope of all rows that reach a leaf."""

from __future__ import annotations

from numbers import Integral

import numpy as np
import scipy.sparse as sp

from foliation import _core
from foliation.data.arrays import Floats, Matrix
from foliation.model.atoms import expand_atoms
from foliation.model.model import Model
from foliation.model.tree import tree_of
from foliation.printable import quoted


def leaf_polytope(model: Model, number: int, leaf: int) -> tuple[Matrix, Floats]:
    """Return the (A, b) of A x <= b; conditions come in order from the root."""
    tree = tree_of(model, number)
    if not isinstance(leaf, Integral):
        raise TypeError(f"leaf number {quoted(leaf)} must be an integer")
    if not 0 <= leaf < tree.n_leaves:
        raise IndexError(f"leaf {quoted(leaf)} does not exist; this tree has {tree.n_leaves} leaves")
    splits, sides = tree.path(int(leaf))
    signs, cuts = np.where(sides == 0, 1.0, -1.0), tree.threshold[splits]
    bounds = np.where(sides == 0, cuts, -np.nextafter(cuts, np.inf))
    first_split = model.trees.split_start[int(number) % model.n_trees]
    words = _core.atoms_of(model.core_trees, first_split + splits.astype(np.int64))
    start, ids, weights = expand_atoms(model.dictionary, *words, what="leaf_polytope")
    weights = weights * np.repeat(signs, np.diff(start))
    return sp.csr_matrix((weights, ids, start), shape=(len(splits), model.n_cells)), bounds
