"""Sums of a few random features."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from foliation import _core
from foliation.data.rows import Grid
from foliation.projections.family import Projections, feature_ids, number_between, one_of

_MOST_NONZEROS = 1e6  # on average; the table of their distribution grows with it
_NEVER = 1e-6  # a probability that is taken for zero


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
    name = "sparse"

    def family(self, grid: Grid) -> _core.Family:
        features = feature_ids("Sparse", self.features, grid.n_features)
        if self.density is None:
            rate = number_between("Sparse", "nonzeros", self.nonzeros, 1e-9, _MOST_NONZEROS)
        else:
            rate = number_between("Sparse", "density", self.density, 1e-9, 1.0) * (len(features) or grid.n_features)
            if rate > _MOST_NONZEROS:
                text = f"Sparse: density={self.density} means {rate:,.0f} features for an atom"
                raise ValueError(f"{text}: expected at most {_MOST_NONZEROS:,.0f}")
        one_of("Sparse", "weights", self.weights, ("signs", "normal", "uniform", "ones"))
        return _core.families.sparse(grid.n_features, rate, _core.Weights[self.weights], features)

    def on_features(self, features: list[int]) -> Sparse | None:
        return replace(self, features=features) if self.features is None else None

    def draws_single_features(self, n_features: int) -> bool:
        if self.features is not None and len(np.asarray(self.features)) < n_features:
            return False
        rate = self.nonzeros if self.density is None else self.density * n_features
        return math.exp(-rate) * (1 + rate) > _NEVER
