"""Presets: projections that follow from the shape of the data."""

from __future__ import annotations

import math

from foliation.data.rows import Grid, Shape
from foliation.printable import quoted
from foliation.projections.family import ALL_ROWS, NAMED
from foliation.projections.patches import Patches, usual_size

_COLORS = 4  # most cells of a last axis that is taken for colors, not for a side of the image


def image(grid: Grid) -> Patches:
    """Boxes of an image and of its edges, of up to a third of its sides."""
    sides = _sides("image", grid)
    edges = ("raw", "east", "west", "south", "north") if min(sides[-2:]) > _COLORS else None
    return Patches(max_size=[math.ceil(side / 3) for side in sides], views=edges)


def series(grid: Grid) -> Patches:
    """Intervals of one or two channels, of their differences and spectra, half of them contrasts."""
    return _intervals(grid.shape, contrast=0.5)


def channels(grid: Grid) -> Patches:
    """Intervals as for series, a quarter of them contrasts, and of channels relative to their mean."""
    return _intervals(_sides("channels", grid), contrast=0.25, relative=True)


def _sides(name: str, grid: Grid) -> Shape:
    if len(grid.shape) < 2:
        raise ValueError(
            f"projections={quoted(name)} needs X with at least three dimensions, but its rows have shape {grid.shape}"
        )
    return grid.shape


def _intervals(sides: Shape, contrast: float, *, relative: bool = False) -> Patches:
    ordered = [False] * (len(sides) - 1) + [True]
    largest = [min(side, 2) for side in sides[:-1]] + [usual_size(sides[-1])]
    views: tuple[str, ...] | None = ("raw", "difference", "spectrum") if sides[-1] > 1 else None
    if relative and views is not None and sides[-2] > 1:
        views = (*views, "relative", "relative_spectrum")
    return Patches(max_size=largest, contiguous=ordered, contrast=contrast, views=views)


NAMED.update(image=image, series=series, channels=channels)
ALL_ROWS.update(("image", "channels"))
