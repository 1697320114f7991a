"""Views of a grid, each on its own scale: what rows are before boxes of them are summed."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from foliation import _core
from foliation.data.arrays import Array, Ints
from foliation.data.rows import Shape
from foliation.printable import quoted

LARGEST_EXPONENT = 1000  # of a scale


@functools.cache
def view_outline(name: str) -> _core.ViewOutline:
    """Return what the core says of a view on any grid: its label, and whether its last axis has frequencies."""
    return next(one for one in _core.view_outlines(_core.SeriesGrid(8, 8, False, 8, False)) if one.name == name)


class Part(NamedTuple):
    """One view among the cells of a row: where it begins, how long its last axis is, and whether that is a circle.

    ``pitch`` is the number of cells from one series of the view to the next.
    """

    name: str
    first: int
    length: int
    circle: bool
    pitch: int


@dataclass(frozen=True)
class Views:
    """The views of a grid, in order; together they are one grid with an axis of views before the others.

    The last axis is that of the grid, or as long as the longest view. A shorter view is followed by zeros that no atom
    reads.
    """

    names: tuple[str, ...]
    shape: Shape  # of the grid
    circle: bool  # whether its last axis is one
    tube: bool = False  # whether the axis before it is one

    @cached_property
    def cell_shape(self) -> Shape:
        """Shape of all views together: an axis of views, the grid's axes, the last one long enough for each view."""
        *before, side = self.shape
        return len(self.names), *before, max([side, *(outline.length for outline in self._outlines)])

    @property
    def n_cells(self) -> int:
        return math.prod(self.cell_shape)

    def parts(self) -> list[Part]:
        size = math.prod(self.cell_shape[1:])
        return [
            Part(view.name, number * size, view.length, view.circle, self.cell_shape[-1])
            for number, view in enumerate(self._outlines)
        ]

    @cached_property
    def _outlines(self) -> list[_core.ViewOutline]:
        known = {outline.name: outline for outline in _core.view_outlines(self.grid)}
        return [known[name] for name in self.names]

    @property
    def grid(self) -> _core.SeriesGrid:
        *before, side = self.shape
        return _core.SeriesGrid(math.prod(before), side, self.circle, (1, *before)[-1], self.tube)

    @cached_property
    def _series(self) -> _core.SeriesViews:
        return _core.SeriesViews(list(self.names), self.grid)

    def cells(self, X: Array, exponents: Ints, machine: _core.Machine) -> Array:
        """Return the views of rows, flat, each multiplied by its power of two; those of bytes in two bytes."""
        narrow = X.dtype.kind in "ub" and X.itemsize == 1 and self._whole and not exponents.any()
        rows = self._series.whole_rows if narrow else self._series.rows
        return rows(X, np.ldexp(1.0, exponents), machine.n_threads)

    @property
    def _whole(self) -> bool:
        """Whether views of whole numbers are whole."""
        return all(view_outline(name).keeps_whole for name in self.names)

    def fit(self, X: Array, machine: _core.Machine) -> tuple[Array, Ints]:
        """Return the views of training rows, flat, and the exponents that bring the largest of each to order one.

        Whole numbers stay whole: sums of them are exact on any scale, and held in fewer bits.
        """
        unscaled = np.zeros(len(self.names), np.int32)
        cells = self.cells(X, unscaled, machine)
        if X.dtype.kind in "iub" and self._whole:
            return cells, unscaled
        by_view = cells.reshape(len(X), len(self.names), -1)
        largest = np.maximum(by_view.max(axis=(0, 2)), -by_view.min(axis=(0, 2)))
        exponents = np.where(largest > 0, 1 - np.frexp(largest)[1], 0)
        exponents = np.clip(exponents, -LARGEST_EXPONENT, LARGEST_EXPONENT).astype(np.int32)
        by_view *= np.ldexp(1.0, exponents)[:, None]
        return cells, exponents


def views_of(owner: str, names: Sequence[str], shape: Shape, wrap: Sequence[bool]) -> Views:
    """Return the views of these names; raise ValueError for unknown names and axes without such a view."""
    empty = Views((), shape, wrap[-1], len(wrap) > 1 and wrap[-2])
    known = {outline.name: outline.length for outline in _core.view_outlines(empty.grid)}
    if not isinstance(names, list | tuple) or not names:
        raise ValueError(f"{owner}: views={quoted(names)} must be None or a list of views: {', '.join(known)}")
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise ValueError(
                f"{owner}: views={quoted(names)} holds {quoted(name)}; a view must be one of {', '.join(known)}"
            )
        if known[name] < 1:
            raise ValueError(f'{owner}: a grid of shape {shape} is too small for the view "{name}"')
    if len(set(names)) < len(names):
        raise ValueError(f"{owner}: views={quoted(names)} names a view twice")
    views = replace(empty, names=tuple(names))
    if views.n_cells >= 2**31 - 1:
        raise ValueError(f"{owner}: views={quoted(names)} of a grid {shape} have more than 2^31 - 2 cells")
    return views
