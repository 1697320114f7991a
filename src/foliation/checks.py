"""Parameters of projections in the form the core reads; a complaint in one line where one does not fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foliation.grid import PerAxis, Shape


def same(a: Any, b: Any) -> bool:
    """Whether two parameters mean the same; arrays, lists and parameter objects are compared by content."""
    if hasattr(a, "get_params"):
        return type(a) is type(b) and same(a.get_params(deep=False), b.get_params(deep=False))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if hasattr(a, "tocsr") or hasattr(b, "tocsr"):
        both = hasattr(a, "tocsr") and hasattr(b, "tocsr") and a.shape == b.shape
        return both and (a.tocsr() != b.tocsr()).nnz == 0
    if isinstance(a, list | tuple):
        return isinstance(b, list | tuple) and len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(a, b)


def group_numbers(groups: Any, n_rows: int) -> NDArray[np.int32]:
    """Groups of rows, numbered from 0; empty if there are none."""
    if groups is None:
        return np.empty(0, np.int32)
    try:
        array = np.asarray(groups)
    except ValueError as error:
        raise ValueError(f"groups must be one group for each row of X: {error}") from error
    if array.shape != (n_rows,):
        raise ValueError(f"groups has shape {array.shape}; it must be ({n_rows},), one group for each row of X")
    if any(label is None or label != label for label in array.tolist()):
        raise ValueError("groups contains NaN or None; every row must belong to a group")
    try:
        numbers = np.unique(array, return_inverse=True)[1].astype(np.int32)
    except TypeError as error:
        raise TypeError(f"groups mixes labels that cannot be ordered: {error}") from error
    if numbers.max() == 0:
        raise ValueError("groups has one group only; trees draw groups, so there must be at least two")
    return numbers


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


def feature_numbers(owner: str, features: Any, n_features: int) -> NDArray[np.int32]:
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


def share(owner: str, name: str, value: float, least: float, most: float) -> float:
    """A real number between two bounds, both allowed."""
    if not isinstance(value, Real) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{owner}: {name}={value!r} must be a number between {least:g} and {most:g}")
    return float(value)


def border_number(owner: str, border: str) -> int:
    if border not in ("pad", "inside"):
        raise ValueError(f'{owner}: border={border!r} is unknown; it must be "pad" or "inside"')
    return 0 if border == "pad" else 1


_WEIGHTS = {"ones": 0, "signs": 1, "uniform": 2, "normal": 3, "gaussian": 4}


def weights_number(owner: str, weights: str, allowed: Sequence[str]) -> int:
    if weights not in allowed:
        raise ValueError(f"{owner}: weights={weights!r} is unknown; it must be one of {', '.join(allowed)}")
    return _WEIGHTS[weights]


def real(owner: str, name: str, array: Any) -> NDArray[np.float64]:
    """Return a dense array, or a sparse one's values, as float64; complain of anything but real numbers."""
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{owner}: {name} has dtype {array.dtype}; it must hold real numbers")
    values: Any = array.data if hasattr(array, "tocsr") else array
    numbers = np.ascontiguousarray(values, dtype=np.float64)
    if numbers.size and np.abs(numbers[np.isfinite(numbers)]).max(initial=0) > 1e9:
        raise ValueError(f"{owner}: {name} holds a number beyond 1e9 in size; weights must stay below it")
    return numbers


def probabilities(owner: str, p: ArrayLike | None, n: int) -> NDArray[np.float64]:
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


def cumulative(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of probabilities that end at exactly 1, so that what has none is never drawn."""
    sums = np.cumsum(p)
    return np.asarray(sums / sums[-1])
