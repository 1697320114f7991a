"""Families of projections: the distributions over atoms that the nodes of a forest draw from.

Every class here holds parameters only, as a scikit-learn estimator does, so that a search can reach
``projections__max_size``. What they mean on data of a given shape is worked out at fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from foliation import _core
from foliation.checks import (
    border_number,
    cumulative,
    feature_numbers,
    per_axis,
    per_axis_flags,
    probabilities,
    real,
    share,
    weights_number,
)
from foliation.family import Projections
from foliation.grid import Border, Grid, Shape, grid_of
from foliation.patches import Patches
from foliation.views import Views

_MOST_NONZEROS = 1e6  # on average; the table of their distribution grows with it
_MOST_MEMBERS = 16  # of a mixture: each has tables of its own

__all__ = ["Atoms", "Axis", "Kernels", "Mixture", "Neighborhoods", "Patches", "Projections", "Sparse"]


@dataclass(eq=False, repr=False)
class Axis(Projections):
    """One feature at a time: the projections of a random forest.

    Within a node, features are drawn without replacement.
    """

    def family(self, grid: Grid) -> _core.Family:
        return _core.families.axis(grid.n_features)


@dataclass(eq=False, repr=False)
class Sparse(Projections):
    """A few random features with random weights: the projections of SPORF.

    An atom has ``max(1, Poisson(nonzeros))`` distinct features, each equally likely.

    Parameters
    ----------
    nonzeros : float, default=1.5
        Rate of the Poisson number of features.
    density : float, optional
        The rate as a fraction of the number of features, in place of ``nonzeros``.
    weights : {"signs", "normal", "uniform", "ones"}, default="signs"
        Plus or minus one; standard normal; uniform on (-1, 1); one.
    features : list of int, optional
        Numbers of the features that may be drawn, of which ``density`` is a fraction; all if not given.
    """

    nonzeros: float = 1.5
    density: float | None = None
    weights: str = "signs"
    features: ArrayLike | None = None

    def family(self, grid: Grid) -> _core.Family:
        features = feature_numbers("Sparse", self.features, grid.n_features)
        if self.density is None:
            rate = share("Sparse", "nonzeros", self.nonzeros, 1e-9, _MOST_NONZEROS)
        else:
            rate = share("Sparse", "density", self.density, 1e-9, 1.0) * (len(features) or grid.n_features)
            if rate > _MOST_NONZEROS:
                text = f"Sparse: density={self.density} means {rate:,.0f} features for an atom; {_MOST_NONZEROS:,.0f}"
                raise ValueError(f"{text} are the most")
        number = weights_number("Sparse", self.weights, ("signs", "normal", "uniform", "ones"))
        return _core.families.sparse(grid.n_features, rate, number, features)


@dataclass(eq=False, repr=False)
class Kernels(Projections):
    """A kernel of a bank, placed at random on the grid.

    Parameters
    ----------
    bank : array of shape (k, *size)
        The kernels, such as ``gabor_bank`` makes. Each is equally likely.
    shape : tuple of int, optional
        Shape of the grid. Taken from ``X`` if not given.
    wrap : bool or tuple of bool, default=False
        Whether an axis is a circle.
    border : {"pad", "inside"}, default="pad"
        Whether a kernel may reach past the grid, where everything counts zero.
    """

    bank: Any
    shape: Shape | None = None
    wrap: bool | Sequence[bool] = False
    border: Border = "pad"

    def family(self, grid: Grid) -> _core.Family:
        shape = self.shape_on(grid)
        bank = real("Kernels", "bank", np.asarray(self.bank))
        if bank.ndim != len(shape) + 1 or bank.size == 0:
            raise ValueError(
                f"Kernels: bank has shape {bank.shape}; on a grid of shape {shape} it must be (k, *size) "
                f"with {len(shape)} sizes"
            )
        flat = bank.reshape(len(bank), -1)
        unusable = np.flatnonzero(~np.isfinite(flat).all(axis=1) | ~flat.any(axis=1))
        if len(unusable):
            raise ValueError(f"Kernels: kernel {unusable[0]} of bank must be finite and not all zero")
        sizes = per_axis("Kernels", "size of bank", bank.shape[1:], shape)
        wrap = per_axis_flags("Kernels", "wrap", self.wrap, shape)
        axes = np.array([(n, s, s, w, True) for n, s, w in zip(shape, sizes, wrap, strict=True)], np.int32)
        return _core.families.kernels(axes.ravel(), border_number("Kernels", self.border), bank.ravel())

    def shape_on(self, grid: Grid) -> Shape:
        return grid_of("Kernels", self.shape, grid)


@dataclass(eq=False, repr=False)
class Neighborhoods(Projections):
    """Parts of a graph whose nodes are the features.

    Parameters
    ----------
    graph : sparse or dense matrix of shape (p, p)
        Non-zero where two features are neighbours. Direction and values do not matter.
    hops : (int, int), default=(1, 1)
        An atom is all features within k hops of a random one, k uniform on this range.
    size : (int, int), optional
        Instead of ``hops``: a random connected part with a number of features uniform on this range, grown
        from a random feature by adding one of the part's neighbours at a time, each equally likely.
    weights : {"ones", "signs", "uniform", "gaussian"}, default="ones"
        As in ``Patches``; ``"gaussian"`` falls off with the distance in hops from the first feature,
        with a standard deviation of one hop.
    """

    graph: Any
    hops: Sequence[int] = (1, 1)
    size: Sequence[int] | None = None
    weights: str = "ones"

    def family(self, grid: Grid) -> _core.Family:
        adjacency = self._adjacency(grid.n_features)
        name, bounds, least = ("hops", self.hops, 0) if self.size is None else ("size", self.size, 1)
        if np.shape(bounds) != (2,) or not all(isinstance(b, Integral) and not isinstance(b, bool) for b in bounds):
            raise ValueError(f"Neighborhoods: {name}={bounds!r} must be a pair of integers (lowest, highest)")
        lo, hi = (int(bound) for bound in bounds)
        if not least <= lo <= hi:
            raise ValueError(f"Neighborhoods: {name}=({lo}, {hi}) must be in order and start at {least} or above")
        if name == "size" and hi > grid.n_features:
            raise ValueError(f"Neighborhoods: size=({lo}, {hi}) is above the number of features, {grid.n_features}")
        number = weights_number("Neighborhoods", self.weights, ("ones", "signs", "uniform", "gaussian"))
        start, neighbors = adjacency.indptr.astype(np.int64), adjacency.indices.astype(np.int32)
        return _core.families.neighborhoods(start, neighbors, (lo, min(hi, 2**31 - 1)), name == "size", number)

    def _adjacency(self, n_features: int) -> Any:
        graph: Any = self.graph if sp.issparse(self.graph) else np.asarray(self.graph)
        if graph.ndim != 2 or graph.shape != (n_features, n_features):
            raise ValueError(
                f"Neighborhoods: graph has shape {graph.shape}; X has {n_features} features, so it must be "
                f"({n_features}, {n_features})"
            )
        pattern = sp.csr_array(graph)
        if not np.isfinite(real("Neighborhoods", "graph", pattern)).all():
            raise ValueError("Neighborhoods: graph holds NaN or infinity; non-zero means neighbours, zero means none")
        rows = np.repeat(np.arange(n_features, dtype=np.int32), np.diff(pattern.indptr))
        edges = (pattern.data != 0) & (rows != pattern.indices)
        one_way = sp.csr_array((edges, pattern.indices, pattern.indptr), shape=graph.shape, copy=True)
        one_way.eliminate_zeros()
        adjacency = sp.csr_array(one_way + one_way.T)
        adjacency.sum_duplicates()
        return adjacency


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

    matrix: Any
    p: ArrayLike | None = None

    def family(self, grid: Grid) -> _core.Family:
        given: Any = sp.csr_array(self.matrix) if sp.issparse(self.matrix) else np.asarray(self.matrix)  # type: ignore[call-overload]
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


@dataclass(eq=False, repr=False)
class Mixture(Projections):
    """One of several families for each candidate.

    Candidates of a node are independent draws, also those of ``Axis``, so that with ``Axis()`` among the families any
    single feature may be all that a node has to choose from.

    Parameters
    ----------
    projections : list of projections
        The families, none of them a mixture. Boxes of views do not mix with families that have none, or others.
    p : array, optional
        Probability of each; equal if not given.
    """

    projections: Sequence[Projections]
    p: ArrayLike | None = None

    def members(self, grid: Grid) -> tuple[list[_core.Family], NDArray[np.float64]]:
        if not isinstance(self.projections, list | tuple) or len(self.projections) == 0:
            raise ValueError(f"Mixture: projections={self.projections!r} must be a list of families")
        if len(self.projections) > _MOST_MEMBERS:
            raise ValueError(f"Mixture: there are {len(self.projections)} families; {_MOST_MEMBERS} are the most")
        for family in self.projections:
            if not isinstance(family, Projections) or isinstance(family, Mixture):
                raise TypeError(f"Mixture: {family!r} is not a family such as Axis() or Patches()")
        members = [family.members(grid) for family in self.projections]
        shares = probabilities("Mixture", self.p, len(self.projections))
        p = [share * within for share, (_, within) in zip(shares, members, strict=True)]
        return [family for families, _ in members for family in families], np.concatenate(p)

    def views_on(self, grid: Grid) -> Views | None:
        found = [family.views_on(grid) for family in self.projections]
        if any(views != found[0] for views in found):
            raise ValueError(
                "Mixture: boxes of views mix only with boxes of the same views, with the same wrap of the last axis; "
                f"projections={self.projections!r}"
            )
        return found[0]

    def shape_on(self, grid: Grid) -> Shape:
        shapes = {f.shape_on(grid) for f in self.projections if isinstance(f, Patches | Kernels)}
        return shapes.pop() if len(shapes) == 1 else grid.shape
