"""Proximities: the share of trees in which two rows are in the same leaf."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from foliation.analysis.comparison import Affinity, Comparison
from foliation.analysis.leaf_cooccurrence import LeafIds
from foliation.data.arrays import Array, Floats, Matrix
from foliation.memory import check_memory
from foliation.model.training import RowSet
from foliation.printable import quoted
from foliation.validation import check_flag, is_number, is_one_of


def rows_to_compare(how: Comparison, X: Array | None, Y: Array | None, kind: RowSet) -> tuple[LeafIds, LeafIds]:
    """Return the leaves of X, or of the training rows, and of Y, or of X."""
    if X is None and Y is not None:
        raise ValueError("Y was given without X; proximity(X, Y) compares rows X with rows Y")
    if X is not None and not is_one_of(kind, ("all",)):
        raise ValueError(f"rows={quoted(kind)} tells training rows apart; leave X out to compare these")
    given = how.of_training_rows(kind) if X is None else how.of_rows(X)
    return given, given if Y is None else how.of_rows(Y)


def proximity(
    how: Comparison, rows: tuple[LeafIds, LeafIds], *, sparse: bool = True, min_value: float = 0.0
) -> Matrix | Floats:
    """Return the proximities of rows to others; rows compared with themselves have a diagonal of ones."""
    check_flag("sparse", sparse)
    if not is_number(min_value, 0, 1):
        raise ValueError(f"min_value={quoted(min_value)} must be a number between 0 and 1")
    given, others = rows
    affinity = how.between(given, others)
    affinity.warn_of_pairs()
    to_itself = given is others
    return _sparse(affinity, min_value, to_itself) if sparse else _dense(affinity, min_value, to_itself)


def _sparse(affinity: Affinity, min_value: float, to_itself: bool) -> Matrix:
    affinity.check_size(min_value)
    matrix = sp.vstack([block for _, block in affinity.blocks(min_value)], format="csr")
    missing = matrix.diagonal() == 0 if to_itself else np.zeros(0, dtype=bool)  # no tree counts for these rows
    return matrix + sp.diags_array(missing.astype(float)).tocsr() if missing.any() else matrix


def _dense(affinity: Affinity, min_value: float, to_itself: bool) -> Floats:
    what = f"a dense proximity matrix of shape {affinity.shape}"
    check_memory(what, 8.0 * affinity.shape[0] * affinity.shape[1], "sparse=True takes less")
    matrix = np.empty(affinity.shape)
    for here, block in affinity.blocks(min_value):
        block.toarray(out=matrix[here])
    if to_itself:
        np.fill_diagonal(matrix, 1.0)
    return matrix
