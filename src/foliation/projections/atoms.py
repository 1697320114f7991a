"""Rows of a user's own dictionary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from foliation import _core
from foliation.data.arrays import Data, Matrix
from foliation.data.rows import Grid
from foliation.projections.family import Projections, cumulative, probabilities, real


@dataclass(eq=False, repr=False)
class Atoms(Projections):
    """Rows of an explicit dictionary.

    Parameters
    ----------
    matrix : sparse or dense matrix of shape (m, p)
        One atom in each row.
    p : array of shape (m,), optional
        Probability of each atom; equal if not given.
    """

    matrix: Data
    p: ArrayLike | None = None

    def family(self, grid: Grid) -> _core.Family:
        given: Matrix = sp.csr_array(self.matrix) if sp.issparse(self.matrix) else np.asarray(self.matrix)  # type: ignore[call-overload]
        if given.ndim != 2 or given.shape[0] == 0 or given.shape[1] != grid.n_features:
            raise ValueError(
                f"Atoms: matrix has shape {given.shape}; X has {grid.n_features} features, so it must be "
                f"(m, {grid.n_features})"
            )
        if not np.isfinite(real("Atoms", "matrix", given)).all():
            raise ValueError("Atoms: matrix holds NaN or infinity; all weights must be finite")
        matrix = sp.csr_array(given, dtype=np.float64, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        if (np.diff(matrix.indptr) == 0).any():
            empty = int(np.flatnonzero(np.diff(matrix.indptr) == 0)[0])
            raise ValueError(f"Atoms: row {empty} of matrix is all zero; every atom needs a non-zero weight")
        p = probabilities("Atoms", self.p, matrix.shape[0])
        start, ids = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
        return _core.families.atoms(start, ids, matrix.data, cumulative(p))

    def draws_single_features(self, n_features: int) -> bool:
        matrix = sp.csr_array(self.matrix)
        drawn = probabilities("Atoms", self.p, matrix.shape[0]) > 0
        single = (np.diff(matrix.indptr) == 1) & drawn
        return len(np.unique(matrix.indices[matrix.indptr[:-1][single]])) == n_features
