"""What a family of projections is."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from foliation import _core
from foliation.data.arrays import Floats
from foliation.data.grid import Grid, Shape
from foliation.parameters import Parameters
from foliation.projections.validation import cumulative
from foliation.projections.views import Views


class Projections(Parameters):
    """A family of projections. A subclass says how its atoms are drawn; all else has defaults."""

    distinct_candidates: ClassVar[bool] = False  # candidates of a node are drawn without replacement
    on_grid: ClassVar[bool] = False  # features are places of a grid, not columns of a table

    def family(self, grid: Grid) -> _core.Family:
        """Return the core's form of this family on data of that shape; raise ValueError for what does not fit."""
        raise TypeError(f"{type(self).__name__} has no family of its own")

    def members(self, grid: Grid) -> tuple[list[_core.Family], Floats]:
        """Return the families drawn from, and their probabilities."""
        return [self.family(grid)], np.ones(1)

    def views_on(self, grid: Grid) -> Views | None:
        """Return the views that atoms are sums over, None for the features themselves."""
        return None

    def dictionary(self, grid: Grid) -> _core.Dictionary:
        families, p = self.members(grid)
        views = self.views_on(grid)
        return _core.Dictionary(families, cumulative(p), grid.n_features if views is None else views.n_cells)

    def shape_on(self, grid: Grid) -> Shape:
        """Return the shape of the grid that the features live on."""
        return grid.shape

    def parts(self) -> list[Projections]:
        """Return the families of a mixture; the family itself otherwise."""
        return [self]

    def drawn_parts(self) -> list[Projections]:
        """Return the parts with a positive probability."""
        return self.parts()

    def circles(self, shape: Shape) -> list[bool]:
        """Return for each axis whether it is a circle."""
        return [False] * len(shape)

    def ordered(self, shape: Shape) -> list[bool]:
        """Return for each axis whether its places have an order; those of channels have none."""
        return [True] * len(shape)

    def draws_single_features(self, n_features: int) -> bool:
        """Return whether every single feature is an atom, as the theory of consistency asks."""
        return False

    def is_finite(self) -> bool:
        """Return whether there are finitely many atoms."""
        return getattr(self, "weights", "ones") not in ("normal", "uniform")
