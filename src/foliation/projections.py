"""Families of projections: the distributions over atoms that the nodes of a forest draw from.

Every class here holds parameters only, as a scikit-learn estimator does, so that a search can reach
``projections__max_size``. What they mean on data of a given shape is worked out at fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from foliation import _core
from foliation._sklearn import Parameters
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
from foliation.grid import Border, Grid, PerAxis, Shape, grid_of


class Projections(Parameters):
    """A family of projections. Subclasses say how their atoms are drawn."""

    def family(self, grid: Grid) -> _core.Family:
        """Return the core's form of this family on data of that shape; complain about what does not fit."""
        raise TypeError(f"{type(self).__name__} has no family of its own")

    def members(self, grid: Grid) -> tuple[list[_core.Family], NDArray[np.float64]]:
        """Return the families drawn from, and their probabilities."""
        return [self.family(grid)], np.ones(1)

    def dictionary(self, grid: Grid) -> _core.Dictionary:
        families, p = self.members(grid)
        return _core.Dictionary(families, cumulative(p), grid.n_features)

    def shape_on(self, grid: Grid) -> Shape:
        """Return the shape in which importances over the features are given."""
        return grid.shape


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
            rate = share("Sparse", "nonzeros", self.nonzeros, 1e-9, 1e6)
        else:
            rate = share("Sparse", "density", self.density, 1e-9, 1.0) * (len(features) or grid.n_features)
        number = weights_number("Sparse", self.weights, ("signs", "normal", "uniform", "ones"))
        return _core.families.sparse(grid.n_features, rate, number, features)


@dataclass(eq=False, repr=False)
class Patches(Projections):
    """Random boxes of an n-dimensional grid: the projections of MORF.

    The features of a row lie on a grid; an atom is the sum over a box of it.

    Parameters
    ----------
    shape : tuple of int, optional
        Shape of the grid. Taken from ``X`` if not given: ``X.shape[1:]``.
    min_size, max_size : int or tuple of int, default=1 and None
        Range of the box's size along each axis; sizes are uniform on it. ``max_size=None`` is
        ``max(2, round(sqrt(side)))``, at most the side and at least ``min_size``.
    wrap : bool or tuple of bool, default=False
        Whether an axis is a circle, so that a box may cross its seam.
    contiguous : bool or tuple of bool, default=True
        False for an axis without order, such as channels: a random subset of it is taken.
    border : {"pad", "inside"}, default="pad"
        ``"pad"``: the size is drawn first, then a start between ``1 - size`` and ``side - 1``; what lies
        outside counts zero. Every feature is equally likely to be in a box. ``"inside"``: the start is
        drawn first, between 0 and ``side - min_size``, then the size among those that fit.
    weights : {"ones", "signs", "uniform", "gaussian"}, default="ones"
        Weights of the cells: one; plus or minus one; uniform on (0, 1); a bump with its top in the middle
        of the box and a standard deviation of a quarter of its size.
    contrast : float, default=0.0
        Share of atoms that are the sum over one box minus that over an equal box nearby. The displacement
        is uniform over all non-zero vectors that move the box by at most 3 cells (and at most half the side)
        along each contiguous axis, to a place where ``border`` could have put it.
    """

    shape: Shape | None = None
    min_size: PerAxis = 1
    max_size: PerAxis | None = None
    wrap: bool | Sequence[bool] = False
    contiguous: bool | Sequence[bool] = True
    border: Border = "pad"
    weights: str = "ones"
    contrast: float = 0.0

    def family(self, grid: Grid) -> _core.Family:
        shape = self.shape_on(grid)
        contrast = share("Patches", "contrast", self.contrast, 0.0, 1.0)
        axes = self._axes(shape)
        number = weights_number("Patches", self.weights, ("ones", "signs", "uniform", "gaussian"))
        return _core.families.patches(axes.ravel(), border_number("Patches", self.border), number, contrast)

    def shape_on(self, grid: Grid) -> Shape:
        return grid_of("Patches", self.shape, grid)

    def _axes(self, shape: Shape) -> NDArray[np.int32]:
        smallest = per_axis("Patches", "min_size", self.min_size, shape)
        usual = [min(side, max(2, round(math.sqrt(side)))) for side in shape]
        if self.max_size is None:
            largest = [max(low, size) for low, size in zip(smallest, usual, strict=True)]
        else:
            largest = per_axis("Patches", "max_size", self.max_size, shape)
        for axis, (low, high) in enumerate(zip(smallest, largest, strict=True)):
            if low > high:
                raise ValueError(f"Patches: min_size={low} is above max_size={high} on axis {axis}")
        wrap, contiguous = self._flags(shape)
        return np.array(list(zip(shape, smallest, largest, wrap, contiguous, strict=True)), dtype=np.int32)

    def _flags(self, shape: Shape) -> tuple[list[bool], list[bool]]:
        wrap = per_axis_flags("Patches", "wrap", self.wrap, shape)
        contiguous = per_axis_flags("Patches", "contiguous", self.contiguous, shape)
        for axis, (circle, ordered) in enumerate(zip(wrap, contiguous, strict=True)):
            if circle and not ordered:
                raise ValueError(f"Patches: axis {axis} has wrap=True and contiguous=False; only an ordered axis wraps")
        return wrap, contiguous


@dataclass(eq=False, repr=False)
class Kernels(Projections):
    """A kernel of a bank, placed at random on the grid.

    Parameters
    ----------
    bank : array of shape (k, *size)
        The kernels, such as :func:`gabor_bank` makes. Each is equally likely.
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
        for number, kernel in enumerate(bank):
            if not np.isfinite(kernel).all() or not kernel.any():
                raise ValueError(f"Kernels: kernel {number} of bank must be finite and not all zero")
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
        As in :class:`Patches`; ``"gaussian"`` falls off with the distance in hops from the first feature,
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
        pattern = sp.coo_array(graph)
        if not np.isfinite(real("Neighborhoods", "graph", pattern)).all():
            raise ValueError("Neighborhoods: graph holds NaN or infinity; non-zero means neighbours, zero means none")
        rows, columns = pattern.coords
        edges = (pattern.data != 0) & (rows != columns)
        rows, columns = rows[edges], columns[edges]
        ends = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        adjacency = sp.csr_array((np.ones(len(ends[0])), ends), shape=graph.shape)
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
        given: Any = self.matrix if sp.issparse(self.matrix) else np.asarray(self.matrix)
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
        The families, none of them a mixture.
    p : array, optional
        Probability of each; equal if not given.
    """

    projections: Sequence[Projections]
    p: ArrayLike | None = None

    def members(self, grid: Grid) -> tuple[list[_core.Family], NDArray[np.float64]]:
        if not isinstance(self.projections, list | tuple) or len(self.projections) == 0:
            raise ValueError(f"Mixture: projections={self.projections!r} must be a list of families")
        for family in self.projections:
            if not isinstance(family, Projections) or isinstance(family, Mixture):
                raise TypeError(f"Mixture: {family!r} is not a family such as Axis() or Patches()")
        return [f.family(grid) for f in self.projections], probabilities("Mixture", self.p, len(self.projections))

    def shape_on(self, grid: Grid) -> Shape:
        shapes = {f.shape_on(grid) for f in self.projections if isinstance(f, Patches | Kernels)}
        return shapes.pop() if len(shapes) == 1 else grid.shape
