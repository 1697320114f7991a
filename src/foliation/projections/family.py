"""What a family of projections is: its base class, its names, and the checks of its parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from foliation import _core
from foliation.data.arrays import Data, Floats, Ints, Matrix
from foliation.data.rows import Grid, Shape
from foliation.parameters import Parameters
from foliation.printable import quoted
from foliation.projections.views import Views
from foliation.validation import is_integer

PerAxis = int | Sequence[int]
Border = Literal["pad", "inside"]

MAX_AXES = 8


class Projections(Parameters):
    """A family of projections. A subclass says how its atoms are drawn; all else has defaults."""

    name: ClassVar[str] = ""  # by which users may ask for the family with its defaults
    distinct_candidates: ClassVar[bool] = False  # candidates of a node are drawn without replacement
    on_grid: ClassVar[bool] = False  # features are places of a grid, not columns of a table

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):  # not of a base
            NAMED[cls.name] = lambda grid: cls()

    def family(self, grid: Grid) -> _core.Family:
        """Return the core's form of this family on data of that shape; raise ValueError for what does not fit."""
        raise TypeError(f"{type(self).__name__} has no family of its own")

    def members(self, grid: Grid, views: Views | None) -> tuple[list[_core.Family], Floats]:
        """Return the families of the core that are drawn from, of the features or of views, and their probabilities."""
        return [self.family(grid)], np.ones(1)

    def views_on(self, grid: Grid) -> Views | None:
        """Return the views that atoms are sums over, None for the features themselves."""
        return None

    def shape_on(self, grid: Grid) -> Shape:
        """Return the shape of the grid that the features live on."""
        return grid.shape

    def on_features(self, features: list[int]) -> Projections | None:
        """Return the same family on some features only; None if it does not draw single features apart."""
        return None

    def feature_graph(self, n_features: int) -> Matrix | None:
        """Return the adjacency matrix of the features; None if they have no graph."""
        return None

    def parts(self) -> list[Projections]:
        """Return the families of a mixture; the family itself otherwise."""
        return [self]

    def drawn_parts(self) -> list[Projections]:
        """Return the parts with a positive probability."""
        return self.parts()

    def circles(self, shape: Shape) -> list[bool]:
        """Return for each axis whether it is a circle."""
        return [False] * len(shape)

    def ordered(self, shape: Shape) -> list[bool]:
        """Return for each axis whether its places have an order; those of channels have none."""
        return [True] * len(shape)

    def draws_single_features(self, n_features: int) -> bool:
        """Return whether every single feature is an atom, as the theory of consistency asks."""
        return False

    def is_finite(self) -> bool:
        """Return whether there are finitely many atoms."""
        return getattr(self, "weights", "ones") not in ("normal", "uniform")


Given = Projections | str | None  # what users give as ``projections``

NAMED: dict[str, Callable[[Grid], Projections]] = {}  # what a name stands for on data of a shape
ALL_ROWS: set[str] = set()  # names of presets whose trees do best with all rows, without a bootstrap


def resolve(projections: Given, grid: Grid) -> Projections:
    """Turn the forests' ``projections`` parameter into a family: None, a name or the family itself."""
    if isinstance(projections, Projections):
        return projections
    if projections is None:
        projections = "sparse" if grid.flat else "patches"
    if not isinstance(projections, str) or projections not in NAMED:
        raise ValueError(
            f"projections={quoted(projections)} is unknown; it must be a family such as Patches() or "
            f"Mixture([Axis(), Patches()]), or one of {', '.join(sorted(NAMED))}"
        )
    return NAMED[projections](grid)


def dictionary_of(projections: Projections, grid: Grid, views: Views | None) -> _core.Dictionary:
    """Return what the core draws from; raise ValueError for projections that cannot be drawn from."""
    families, p = projections.members(grid, views)
    sums = cumulative(p)
    return _core.Dictionary(families, sums, math.prod(grid.shape if views is None else views.cell_shape))


def grid_of(owner: str, shape: Shape | None, grid: Grid) -> Shape:
    """Return the shape a family lives on: its own ``shape`` if given, else that of the data."""
    if shape is None:
        sides = grid.shape
    else:
        given = tuple(np.atleast_1d(np.asarray(shape)).tolist())
        if not all(is_integer(side, 1) for side in given):
            raise ValueError(f"{owner}: shape={quoted(shape)} must hold positive integers below 2^31")
        sides = tuple(int(side) for side in given)
    if len(sides) > MAX_AXES:
        raise ValueError(f"{owner}: shape={sides} has {len(sides)} axes; at most {MAX_AXES} are supported")
    if math.prod(sides) != math.prod(grid.shape):
        raise ValueError(f"{owner}: shape={sides} has {math.prod(sides)} cells, but X has {grid.n_features} features")
    if not grid.flat and sides != grid.shape:
        raise ValueError(f"{owner}: shape={sides} differs from that of X's rows, {grid.shape}")
    return sides


def per_axis(owner: str, name: str, value: PerAxis, shape: Shape) -> list[int]:
    """Sizes, one for each axis, each between 1 and the side of the grid."""
    sizes = list(np.atleast_1d(np.asarray(value, dtype=object)))
    if not all(isinstance(size, Integral) and not isinstance(size, bool | np.bool_) for size in sizes):
        raise TypeError(f"{owner}: {name}={quoted(value)} must be an integer or one integer for each axis")
    if np.ndim(value) == 0:
        sizes *= len(shape)
    if len(sizes) != len(shape):
        raise ValueError(
            f"{owner}: {name}={quoted(value)} has {len(sizes)} entries; the grid {shape} has {len(shape)} axes"
        )
    for axis, (size, side) in enumerate(zip(sizes, shape, strict=True)):
        if not 1 <= size <= side:
            raise ValueError(
                f"{owner}: {name}={quoted(value)} must lie between 1 and the side of the grid {shape}, "
                f"which is {side} on axis {axis}"
            )
    return [int(size) for size in sizes]


def per_axis_flags(owner: str, name: str, value: bool | Sequence[bool], shape: Shape) -> list[bool]:
    """Booleans, one for each axis."""
    flags = [value] * len(shape) if np.ndim(value) == 0 else list(value)  # type: ignore[arg-type]
    if len(flags) != len(shape) or not all(isinstance(flag, bool | np.bool_) for flag in flags):
        raise ValueError(f"{owner}: {name}={quoted(value)} must be a bool or one bool for each of {len(shape)} axes")
    return [bool(flag) for flag in flags]


def feature_ids(owner: str, features: Data, n_features: int) -> Ints:
    """Numbers of features, ascending; empty if all are meant."""
    if features is None:
        return np.empty(0, np.int32)
    array = np.asarray(features, dtype=object)
    if (
        array.ndim != 1
        or not array.size
        or not all(isinstance(f, Integral) and not isinstance(f, bool | np.bool_) for f in array)
    ):
        raise ValueError(f"{owner}: features={quoted(features)} must be a list of numbers of features")
    numbers = np.unique(array)
    if len(numbers) < len(array) or numbers[0] < 0 or numbers[-1] >= n_features:
        raise ValueError(f"{owner}: features must be different numbers from 0 to {n_features - 1}")
    return numbers.astype(np.int32)


def number_between(owner: str, name: str, value: float, least: float, most: float) -> float:
    """A real number between two bounds, both allowed."""
    if not isinstance(value, Real) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{owner}: {name}={quoted(value)} must be a number between {least:g} and {most:g}")
    return float(value)


def one_of(owner: str, name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise ValueError unless a value is among those allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{owner}: {name}={quoted(value)} is unknown; it must be one of {', '.join(allowed)}")


def real(owner: str, name: str, array: Matrix) -> Floats:
    """Return a dense array, or a sparse one's values, as float64; raise TypeError for anything but real numbers."""
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{owner}: {name} has dtype {array.dtype}; it must hold real numbers")
    values: Matrix = array.data if hasattr(array, "tocsr") else array
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if numbers.size and np.abs(numbers[np.isfinite(numbers)]).max(initial=0) > 1e9:
        raise ValueError(f"{owner}: {name} holds a number beyond 1e9 in size; weights must stay below it")
    return numbers


def probabilities(owner: str, p: ArrayLike | None, n: int) -> Floats:
    if p is None:
        return np.full(n, 1.0 / n)
    array = real(owner, "p", np.asarray(p))
    if array.shape != (n,):
        raise ValueError(f"{owner}: p has shape {array.shape}; it must hold {n} probabilities")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"{owner}: p={quoted(p)} must hold probabilities, none of them negative or NaN")
    if not math.isclose(array.sum(), 1.0, abs_tol=1e-9):
        raise ValueError(f"{owner}: p must hold probabilities that sum to 1, not {array.sum():g}")
    return array


def cumulative(p: Floats) -> Floats:
    """Sums of probabilities that end at exactly 1, so that what has none is never drawn."""
    sums = np.cumsum(p)
    return np.asarray(sums / sums[-1])
