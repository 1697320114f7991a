"""Several families at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foliation import _core
from foliation.data.arrays import Floats
from foliation.data.rows import Grid, Shape
from foliation.printable import quoted
from foliation.projections.family import Projections, probabilities
from foliation.projections.views import Views

_MOST_MEMBERS = 16  # of a mixture: each has tables of its own


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

    def members(self, grid: Grid, views: Views | None) -> tuple[list[_core.Family], Floats]:
        members = [family.members(grid, views) for family in self._families()]
        shares = probabilities("Mixture", self.p, len(members))
        p = [share * within for share, (_, within) in zip(shares, members, strict=True)]
        return [family for families, _ in members for family in families], np.concatenate(p)

    def _families(self) -> Sequence[Projections]:
        """Return the families; raise an error for anything else."""
        if not isinstance(self.projections, list | tuple) or len(self.projections) == 0:
            raise ValueError(f"Mixture: projections={quoted(self.projections)} must be a list of families")
        if len(self.projections) > _MOST_MEMBERS:
            raise ValueError(
                f"Mixture: projections has {len(self.projections)} families; at most {_MOST_MEMBERS} are supported"
            )
        for family in self.projections:
            if not isinstance(family, Projections) or isinstance(family, Mixture):
                raise TypeError(
                    f"Mixture: projections holds {quoted(family)}, which is not a family such as Axis() or Patches()"
                )
        return self.projections

    def views_on(self, grid: Grid) -> Views | None:
        own = [family.views_on(grid) for family in self._families()]
        if any(views != own[0] for views in own):
            raise ValueError(
                "Mixture: boxes of views mix only with boxes of the same views, with the same wrap of the last axis; "
                f"projections={quoted(self.projections)}"
            )
        return own[0]

    def shape_on(self, grid: Grid) -> Shape:
        shapes = {family.shape_on(grid) for family in self.projections if family.on_grid}
        return shapes.pop() if len(shapes) == 1 else grid.shape

    def parts(self) -> list[Projections]:
        return list(self.projections)

    def drawn_parts(self) -> list[Projections]:
        shares = probabilities("Mixture", self.p, len(self.projections))
        return [family for family, share in zip(self.projections, shares, strict=True) if share > 0]
