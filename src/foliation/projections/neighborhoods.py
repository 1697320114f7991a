"""Parts of a graph of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import scipy.sparse as sp

from foliation import _core
from foliation.data.arrays import Data, Matrix
from foliation.data.rows import Grid
from foliation.printable import quoted
from foliation.projections.family import Projections, one_of, real


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

    graph: Data
    hops: Sequence[int] = (1, 1)
    size: Sequence[int] | None = None
    weights: str = "ones"

    def family(self, grid: Grid) -> _core.Family:
        adjacency = self.feature_graph(grid.n_features)
        name, bounds, least = ("hops", self.hops, 0) if self.size is None else ("size", self.size, 1)
        if np.shape(bounds) != (2,) or not all(isinstance(b, Integral) and not isinstance(b, bool) for b in bounds):
            raise ValueError(f"Neighborhoods: {name}={quoted(bounds)} must be a pair of integers (lowest, highest)")
        lo, hi = (int(bound) for bound in bounds)
        if not least <= lo <= hi:
            raise ValueError(f"Neighborhoods: {name}=({lo}, {hi}) must be in order and start at {least} or above")
        if name == "size" and hi > grid.n_features:
            raise ValueError(f"Neighborhoods: size=({lo}, {hi}) is above the number of features, {grid.n_features}")
        one_of("Neighborhoods", "weights", self.weights, ("ones", "signs", "uniform", "gaussian"))
        weights = _core.Weights[self.weights]
        start, neighbors = adjacency.indptr.astype(np.int64), adjacency.indices.astype(np.int32)
        return _core.families.neighborhoods(start, neighbors, (lo, min(hi, 2**31 - 1)), name == "size", weights)

    def feature_graph(self, n_features: int) -> Matrix:
        graph: Matrix = self.graph if sp.issparse(self.graph) else np.asarray(self.graph)
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

    def draws_single_features(self, n_features: int) -> bool:
        return self.hops[0] == 0 if self.size is None else self.size[0] == 1
