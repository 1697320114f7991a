"""Single features."""

from __future__ import annotations

from dataclasses import dataclass

from foliation import _core
from foliation.data.rows import Grid
from foliation.projections.family import Projections
from foliation.projections.sparse import Sparse

_ONE = 1e-9  # a Poisson rate that never gives more than one feature


@dataclass(eq=False, repr=False)
class Axis(Projections):
    """One feature at a time: the projections of a random forest.

    Within a node, features are drawn without replacement.
    """

    name = "axis"
    distinct_candidates = True

    def family(self, grid: Grid) -> _core.Family:
        return _core.families.axis(grid.n_features)

    def on_features(self, features: list[int]) -> Projections:
        return Sparse(nonzeros=_ONE, features=features)

    def draws_single_features(self, n_features: int) -> bool:
        return True
