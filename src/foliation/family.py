"""What a family of projections is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foliation import _core
from foliation._sklearn import Parameters
from foliation.checks import cumulative
from foliation.grid import Grid, Shape
from foliation.views import Views


class Projections(Parameters):
    """A family of projections. Subclasses say how their atoms are drawn."""

    def family(self, grid: Grid) -> _core.Family:
        """Return the core's form of this family on data of that shape; complain about what does not fit."""
        raise TypeError(f"{type(self).__name__} has no family of its own")

    def members(self, grid: Grid) -> tuple[list[_core.Family], NDArray[np.float64]]:
        """Return the families drawn from, and their probabilities."""
        return [self.family(grid)], np.ones(1)

    def views_on(self, grid: Grid) -> Views | None:
        """Return the views that atoms are sums over, None for the features themselves."""
        return None

    def dictionary(self, grid: Grid) -> _core.Dictionary:
        families, p = self.members(grid)
        views = self.views_on(grid)
        return _core.Dictionary(families, cumulative(p), grid.n_features * (1 if views is None else len(views.names)))

    def shape_on(self, grid: Grid) -> Shape:
        """Return the shape of the grid that the features live on."""
        return grid.shape
