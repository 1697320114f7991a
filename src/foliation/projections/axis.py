"""Single features."""

from __future__ import annotations

from dataclasses import dataclass

from foliation import _core
from foliation.data.rows import Grid
from foliation.projections.family import Projections


@dataclass(eq=False, repr=False)
class Axis(Projections):
    """One feature at a time: the projections of a random forest.

    Within a node, features are drawn without replacement.
    """

    name = "axis"
    distinct_candidates = True

    def family(self, grid: Grid) -> _core.Family:
        return _core.families.axis(grid.n_features)

    def draws_single_features(self, n_features: int) -> bool:
        return True
