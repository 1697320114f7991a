"""Boxes of a grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foliation import _core
from foliation.checks import border_number, per_axis, per_axis_flags, share, weights_number
from foliation.family import Projections
from foliation.grid import Border, Grid, PerAxis, Shape, grid_of


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
