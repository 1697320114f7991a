"""Where the features of a row live, and parameters that are given per axis of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal

import numpy as np

Shape = tuple[int, ...]
PerAxis = int | Sequence[int]
Border = Literal["pad", "inside"]

MAX_AXES = 8


@dataclass(frozen=True)
class Grid:
    """The shape of one row as it was given; ``flat`` if X had two dimensions."""

    shape: Shape
    flat: bool

    @property
    def n_features(self) -> int:
        return math.prod(self.shape)


def grid_of(owner: str, shape: Shape | None, grid: Grid) -> Shape:
    """Return the shape a family lives on: its own ``shape`` if given, else that of the data."""
    if shape is None:
        found = grid.shape
    else:
        sides = tuple(np.atleast_1d(np.asarray(shape)).tolist())
        if not all(isinstance(side, Integral) and side >= 1 for side in sides):
            raise ValueError(f"{owner}: shape={shape!r} must hold positive integers")
        found = tuple(int(side) for side in sides)
    if len(found) > MAX_AXES:
        raise ValueError(f"{owner}: shape={found} has {len(found)} axes; at most {MAX_AXES} are supported")
    if math.prod(found) != grid.n_features:
        raise ValueError(f"{owner}: shape={found} has {math.prod(found)} cells, but X has {grid.n_features} features")
    if not grid.flat and found != grid.shape:
        raise ValueError(f"{owner}: shape={found} differs from that of X's rows, {grid.shape}")
    return found


def per_axis(owner: str, name: str, value: PerAxis, shape: Shape) -> list[int]:
    """Sizes, one for each axis, each between 1 and the side of the grid."""
    sizes = [value] * len(shape) if isinstance(value, Integral) else list(np.atleast_1d(value))
    if len(sizes) != len(shape):
        raise ValueError(f"{owner}: {name}={value!r} has {len(sizes)} entries; the grid {shape} has {len(shape)} axes")
    for size, side in zip(sizes, shape, strict=True):
        if not isinstance(size, Integral) or isinstance(size, bool | np.bool_):
            raise TypeError(f"{owner}: {name}={value!r} must be an integer or one integer for each axis")
        if not 1 <= int(size) <= side:
            raise ValueError(f"{owner}: {name}={value!r} must lie between 1 and the side of the grid {shape}")
    return [int(size) for size in sizes]


def per_axis_flags(owner: str, name: str, value: bool | Sequence[bool], shape: Shape) -> list[bool]:
    """Booleans, one for each axis."""
    flags = [value] * len(shape) if np.ndim(value) == 0 else list(value)  # type: ignore[arg-type]
    if len(flags) != len(shape) or not all(isinstance(flag, bool | np.bool_) for flag in flags):
        raise ValueError(f"{owner}: {name}={value!r} must be a bool or one bool for each of {len(shape)} axes")
    return [bool(flag) for flag in flags]


def share(owner: str, name: str, value: float, least: float, most: float) -> float:
    """A real number between two bounds, both allowed."""
    if not isinstance(value, Real) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{owner}: {name}={value!r} must be a number between {least:g} and {most:g}")
    return float(value)


def border_number(owner: str, border: str) -> int:
    if border not in ("pad", "inside"):
        raise ValueError(f'{owner}: border={border!r} is unknown; it must be "pad" or "inside"')
    return 0 if border == "pad" else 1
