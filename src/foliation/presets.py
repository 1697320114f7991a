"""What the names of projections stand for."""

from __future__ import annotations

import math
from typing import Any

from foliation.grid import Grid
from foliation.patches import Patches, usual_size
from foliation.projections import Axis, Projections, Sparse

_COLORS = 4  # most cells of a last axis that is taken for colours, not for a side of the image
_ALL_ROWS = ("image", "channels")  # whose trees do best with all rows
_NAMES = ("axis", "sparse", "patches", "image", "series", "channels")


def resolve(projections: Any, grid: Grid) -> Projections:
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


def bootstraps(forest: Any) -> bool:
    """Say whether trees draw their rows with replacement; those of some presets do not, if they may."""
    if forest.bootstrap != "auto":
        return bool(forest.bootstrap)
    by_oob = bool(forest.oob_score) or (bool(forest.honest) and forest.honest_fill == "oob")
    return by_oob or not (isinstance(forest.projections, str) and forest.projections in _ALL_ROWS)


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
