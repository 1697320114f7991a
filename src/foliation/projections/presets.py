"""What the names of projections stand for."""

from __future__ import annotations

import math

from foliation.data.grid import Grid
from foliation.projections.axis import Axis
from foliation.projections.family import Projections
from foliation.projections.patches import Patches, usual_size
from foliation.projections.sparse import Sparse

Given = Projections | str | None  # what users give as ``projections``

_COLORS = 4  # most cells of a last axis that is taken for colours, not for a side of the image
_ALL_ROWS = ("image", "channels")  # whose trees do best with all rows
_NAMES = ("axis", "sparse", "patches", "image", "series", "channels")


def resolve(projections: Given, grid: Grid) -> Projections:
    """Turn the forests' ``projections`` parameter into a family: None, a name or the family itself."""
    if isinstance(projections, Projections):
        return projections
    if projections is None:
        projections = "sparse" if grid.flat else "patches"
    if not isinstance(projections, str) or projections not in _NAMES:
        raise ValueError(
            f"projections={projections!r} is unknown; it must be a family such as Patches() or "
            f"Mixture([Axis(), Patches()]), or one of {', '.join(_NAMES)}"
        )
    if projections in ("axis", "sparse"):
        return Axis() if projections == "axis" else Sparse()
    return Patches() if projections == "patches" else _preset(projections, grid)


def prefers_all_rows(projections: Given) -> bool:
    """Return whether trees of this preset do best with all rows, without a bootstrap."""
    return isinstance(projections, str) and projections in _ALL_ROWS


def _preset(name: str, grid: Grid) -> Patches:
    """Return what "image", "series" and "channels" stand for on data of that shape."""
    sides = grid.shape
    if name != "series" and len(sides) < 2:
        raise ValueError(
            f"projections={name!r} needs X with at least three dimensions, but its rows have shape {sides}"
        )
    if name == "image":
        edges = ("raw", "east", "west", "south", "north") if min(sides[-2:]) > _COLORS else None
        return Patches(max_size=[math.ceil(side / 3) for side in sides], views=edges)
    ordered = [False] * (len(sides) - 1) + [True]
    largest = [min(side, 2) for side in sides[:-1]] + [usual_size(sides[-1])]
    views: tuple[str, ...] | None = ("raw", "difference", "spectrum") if sides[-1] > 1 else None
    if name == "series":
        return Patches(max_size=largest, contiguous=ordered, contrast=0.5, views=views)
    if views is not None and sides[-2] > 1:
        views = (*views, "relative", "relative_spectrum")
    return Patches(max_size=largest, contiguous=ordered, contrast=0.25, views=views)
