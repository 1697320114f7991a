"""Parameters of projections in the form of the core; a ValueError in one line for what does not fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

from foliation.data.arrays import Data, Floats, Ints, Matrix
from foliation.data.grid import PerAxis, Shape


def per_axis(owner: str, name: str, value: PerAxis, shape: Shape) -> list[int]:
    """Sizes, one for each axis, each between 1 and the side of the grid."""
    sizes = list(np.atleast_1d(np.asarray(value, dtype=object)))
    if not all(isinstance(size, Integral) and not isinstance(size, bool | np.bool_) for size in sizes):
        raise TypeError(f"{owner}: {name}={value!r} must be an integer or one integer for each axis")
    if np.ndim(value) == 0:
        sizes *= len(shape)
    if len(sizes) != len(shape):
        raise ValueError(f"{owner}: {name}={value!r} has {len(sizes)} entries; the grid {shape} has {len(shape)} axes")
    for axis, (size, side) in enumerate(zip(sizes, shape, strict=True)):
        if not 1 <= size <= side:
            raise ValueError(
                f"{owner}: {name}={value!r} must lie between 1 and the side of the grid {shape}, "
                f"which is {side} on axis {axis}"
            )
    return [int(size) for size in sizes]


def per_axis_flags(owner: str, name: str, value: bool | Sequence[bool], shape: Shape) -> list[bool]:
    """Booleans, one for each axis."""
    flags = [value] * len(shape) if np.ndim(value) == 0 else list(value)  # type: ignore[arg-type]
    if len(flags) != len(shape) or not all(isinstance(flag, bool | np.bool_) for flag in flags):
        raise ValueError(f"{owner}: {name}={value!r} must be a bool or one bool for each of {len(shape)} axes")
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
        raise ValueError(f"{owner}: features={features!r} must be a list of numbers of features")
    numbers = np.unique(array)
    if len(numbers) < len(array) or numbers[0] < 0 or numbers[-1] >= n_features:
        raise ValueError(f"{owner}: features must be different numbers from 0 to {n_features - 1}")
    return numbers.astype(np.int32)


def number_between(owner: str, name: str, value: float, least: float, most: float) -> float:
    """A real number between two bounds, both allowed."""
    if not isinstance(value, Real) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{owner}: {name}={value!r} must be a number between {least:g} and {most:g}")
    return float(value)


def one_of(owner: str, name: str, value: str, allowed: Sequence[str]) -> None:
    """Raise ValueError unless a value is among those allowed."""
    if value not in allowed:
        raise ValueError(f"{owner}: {name}={value!r} is unknown; it must be one of {', '.join(allowed)}")


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
        raise ValueError(f"{owner}: p={p!r} must hold probabilities, none of them negative or NaN")
    if not math.isclose(array.sum(), 1.0, abs_tol=1e-9):
        raise ValueError(f"{owner}: p must hold probabilities that sum to 1, not {array.sum():g}")
    return array


def cumulative(p: Floats) -> Floats:
    """Sums of probabilities that end at exactly 1, so that what has none is never drawn."""
    sums = np.cumsum(p)
    return np.asarray(sums / sums[-1])
