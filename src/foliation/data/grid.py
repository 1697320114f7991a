"""Where the features of a row live."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
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
        if not all(isinstance(side, Integral) and int(side) >= 1 for side in sides):
            raise ValueError(f"{owner}: shape={shape!r} must hold positive integers")
        found = tuple(int(side) for side in sides)
    if len(found) > MAX_AXES:
        raise ValueError(f"{owner}: shape={found} has {len(found)} axes; at most {MAX_AXES} are supported")
    if math.prod(found) != grid.n_features:
        raise ValueError(f"{owner}: shape={found} has {math.prod(found)} cells, but X has {grid.n_features} features")
    if not grid.flat and found != grid.shape:
        raise ValueError(f"{owner}: shape={found} differs from that of X's rows, {grid.shape}")
    return found
