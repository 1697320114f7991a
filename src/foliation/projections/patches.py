"""Boxes of a grid, and of views of its last axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from foliation import _core
from foliation.data.arrays import Floats
from foliation.data.rows import Grid, Shape
from foliation.projections.family import (
    Border,
    PerAxis,
    Projections,
    grid_of,
    number_between,
    one_of,
    per_axis,
    per_axis_flags,
)
from foliation.projections.views import Part, Views, views_of


class _Axis(NamedTuple):
    """An axis of the grid, and the sizes of boxes along it."""

    side: int
    min_size: int
    max_size: int
    wrap: bool
    contiguous: bool


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
    views : list of str, optional
        Views of the last axis, of length T, that are drawn from: ``"raw"``, its values; ``"difference"``, ``x[t + 1] -
        x[t]``, of length T - 1; ``"spectrum"``, the magnitudes of frequencies 1 to T // 2 of the series without its
        mean. Of several channels along the axis before the last also ``"relative"``, their values less the mean of all
        channels at that time, and ``"relative_spectrum"``, the spectrum of that. Of an image also its edges, by the
        direction in which it gets brighter: ``max(0, x[t + 1] - x[t])`` to the ``"east"`` and ``max(0, x[t] - x[t +
        1])`` to the ``"west"``, and the same along the axis before the last to the ``"south"`` and to the ``"north"``.
        The forest works them out itself, from rows as they are. For the sake of exact sums it multiplies each by the
        power of two that brings the largest training value of the view to between 1 and 2. It does not if X has a type
        of integers (of up to 16 bits, or int32) and no view makes fractions of them, as spectra and relative views do;
        whole numbers in float64 or int64 are multiplied as fractions are. Nobody needs to know: trees, rules and plots
        speak in units of X, or of the view as it is defined here (`forest.cells(X)`). An atom is a box of one
        view, each view equally likely, and all that is said above of the last axis is said of the view's, with
        ``max_size`` capped at its length. On a circle there are T differences, the last being ``x[0] - x[T - 1]``; a
        spectrum is no circle. Importances have a leading axis of views.
    """

    shape: Shape | None = None
    min_size: PerAxis = 1
    max_size: PerAxis | None = None
    wrap: bool | Sequence[bool] = False
    contiguous: bool | Sequence[bool] = True
    border: Border = "pad"
    weights: str = "ones"
    contrast: float = 0.0
    views: Sequence[str] | None = None
    name = "patches"
    on_grid = True

    def members(self, grid: Grid, views: Views | None) -> tuple[list[_core.Family], Floats]:
        axes = self._axes(grid)
        last = axes[-1]
        whole = Part("", 0, last.side, last.wrap, last.side)
        families = [self._family(axes, part) for part in ([whole] if views is None else views.parts())]
        return families, np.full(len(families), 1.0 / len(families))

    def views_on(self, grid: Grid) -> Views | None:
        if self.views is None:
            return None
        shape = grid_of("Patches", self.shape, grid)
        return views_of("Patches", self.views, shape, per_axis_flags("Patches", "wrap", self.wrap, shape))

    def shape_on(self, grid: Grid) -> Shape:
        return grid_of("Patches", self.shape, grid)

    def _family(self, axes: list[_Axis], part: Part) -> _core.Family:
        """Return boxes of one part of a row, with the last axis as long as it is there."""
        *before, last = axes
        if last.min_size > part.length:
            given = f"min_size={last.min_size}"
            raise ValueError(f'Patches: {given} is above the length of the view "{part.name}", {part.length}')
        last = last._replace(side=part.length, max_size=min(last.max_size, part.length), wrap=part.circle)
        return _core.families.patches(
            [_core.PatchAxis(**axis._asdict()) for axis in (*before, last)],
            _core.Border[self.border],
            _core.Weights[self.weights],
            float(self.contrast),
            _core.GridPlace(first=part.first, pitch=part.pitch),
        )

    def circles(self, shape: Shape) -> list[bool]:
        return per_axis_flags("Patches", "wrap", self.wrap, shape)

    def ordered(self, shape: Shape) -> list[bool]:
        return per_axis_flags("Patches", "contiguous", self.contiguous, shape)

    def draws_single_features(self, n_features: int) -> bool:
        seen = self.views is None or "raw" in self.views
        return seen and bool(np.all(np.asarray(self.min_size) == 1)) and self.contrast < 1

    def _axes(self, grid: Grid) -> list[_Axis]:
        """Return the axes of the grid; raise an error for parameters that make no sense on it."""
        one_of("Patches", "weights", self.weights, ("ones", "signs", "uniform", "gaussian"))
        one_of("Patches", "border", self.border, ("pad", "inside"))
        number_between("Patches", "contrast", self.contrast, 0.0, 1.0)
        shape = grid_of("Patches", self.shape, grid)
        smallest = per_axis("Patches", "min_size", self.min_size, shape)
        largest = None if self.max_size is None else per_axis("Patches", "max_size", self.max_size, shape)
        wrap = per_axis_flags("Patches", "wrap", self.wrap, shape)
        contiguous = per_axis_flags("Patches", "contiguous", self.contiguous, shape)
        if largest is None:
            largest = [max(low, usual_size(side)) for low, side in zip(smallest, shape, strict=True)]
        for axis, (low, high) in enumerate(zip(smallest, largest, strict=True)):
            if low > high:
                raise ValueError(f"Patches: min_size={low} is above max_size={high} on axis {axis}")
            if wrap[axis] and not contiguous[axis]:
                raise ValueError(f"Patches: axis {axis} has wrap=True and contiguous=False; only an ordered axis wraps")
        return [_Axis(*axis) for axis in zip(shape, smallest, largest, wrap, contiguous, strict=True)]


def usual_size(side: int) -> int:
    """Return the largest size of a box along an axis, unless another is given."""
    return min(side, max(2, round(math.sqrt(side))))
