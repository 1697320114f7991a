"""What the names of projections stand for."""

from __future__ import annotations

from typing import Any

from foliation.grid import Grid
from foliation.projections import Axis, Patches, Projections, Sparse

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


def _preset(name: str, grid: Grid) -> Patches:
    """Return what "image", "series" and "channels" stand for on data of that shape."""
    sides = grid.shape
    if name == "series":
        return Patches(contrast=0.5, contiguous=[axis == len(sides) - 1 for axis in range(len(sides))])
    if len(sides) < 2:
        raise ValueError(
            f"projections={name!r} needs X with at least three dimensions, but its rows have shape {sides}"
        )
    if name == "image":
        return Patches(min_size=1, max_size=[min(5, side) for side in sides], contrast=0.5)
    return Patches(contrast=0.5, contiguous=[False] * (len(sides) - 1) + [True])
