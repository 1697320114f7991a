"""Strategies of hypothesis for training data: rows in any type and memory layout, targets, weights and groups.

Hypothesis draws the shape, the type, the pool of values and a seed; NumPy draws the array from them. So examples shrink
to small shapes and plain pools, and large arrays cost little.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Array = NDArray[Any]
Shape = tuple[int, ...]

WHOLE = ("uint8", "int8", "bool", "int16", "uint16", "int32", "uint32", "int64", "uint64")
REAL = ("float64", "float32", "float16")
_EXACT = {"float16": (6, 3), "float32": (11, 60), "float64": (20, 200)}  # bits of whole numbers, exponent of their unit
_MOST = {"float16": 6e4, "float32": 2.0**120, "float64": 2.0**960}
_LEAST = 1e-290  # the smallest size that the largest value of X may have

SEEDS = st.integers(0, 2**32 - 1)
ROWS = st.integers(20, 80) | st.integers(1, 80)  # few rows leave little to split
_MOST_FEATURES = 64
_SIDES = st.lists(st.integers(1, 8), min_size=1, max_size=3)
SHAPES: st.SearchStrategy[Shape] = _SIDES.filter(lambda sides: math.prod(sides) <= _MOST_FEATURES).map(tuple)


def exact_numbers(dtype: str) -> st.SearchStrategy[Any]:
    """Numbers of which sums over boxes are exact in double precision, in any order."""
    if dtype == "bool":
        return st.booleans()
    if dtype in WHOLE:
        info = np.iinfo(dtype)
        return st.integers(max(int(info.min), -(2**40)), min(int(info.max), 2**40))
    return st.integers(-(2 ** _EXACT[dtype][0]), 2 ** _EXACT[dtype][0]).map(float) | st.just(-0.0)


def any_numbers(dtype: str) -> st.SearchStrategy[Any]:
    """All numbers that rows may hold: subnormal and huge ones, and integers up to 2^53."""
    if dtype == "bool":
        return st.booleans()
    if dtype in WHOLE:
        info = np.iinfo(dtype)
        return st.integers(max(int(info.min), -(2**53)), min(int(info.max), 2**53))
    width = {"float16": 16, "float32": 32, "float64": 64}[dtype]
    return st.floats(-_MOST[dtype], _MOST[dtype], width=width)  # type: ignore[arg-type]


@st.composite
def rows(draw: st.DrawFn, n: int, shape: Shape, *, exact: bool, dtypes: tuple[str, ...] = REAL + WHOLE) -> Array:
    """Rows on a grid, of few values, so that there are ties, or of many; some axes may be constant, with stride 0."""
    dtype = draw(st.sampled_from(dtypes))
    rng = np.random.default_rng(draw(SEEDS))
    numbers = exact_numbers(dtype) if exact else any_numbers(dtype)
    pool = np.array(draw(st.lists(numbers, min_size=2, max_size=8, unique=True)), dtype)
    if dtype in REAL and draw(st.integers(0, 2)) == 0:  # no ties
        pool = rng.integers(-(2 ** _EXACT[dtype][0]), 2 ** _EXACT[dtype][0], size=4096).astype(dtype)
    X = pool[rng.integers(len(pool), size=(n, *shape))]
    if exact and dtype in REAL:
        most = _EXACT[dtype][1]
        X = X * np.array(2.0 ** draw(st.integers(-most, most)), dtype)
    if dtype in REAL and np.abs(X.astype(np.float64)).max() < _LEAST:
        X = np.zeros_like(X)
    if draw(st.integers(0, 19)) == 10:
        axis = draw(st.integers(0, X.ndim - 1))
        return np.broadcast_to(X.take([0], axis=axis), X.shape)
    return np.asarray(X)


# ---- memory layouts ----


def _spread(X: Array) -> Array:
    wide = np.zeros(tuple(2 * side for side in X.shape), X.dtype)
    found = wide[tuple(slice(None, None, 2) for _ in X.shape)]
    found[...] = X
    return found


def _backwards(X: Array) -> Array:
    turned = tuple(slice(None, None, -1) for _ in X.shape)
    return np.ascontiguousarray(X[turned])[turned]


def _transposed(X: Array) -> Array:
    order = (*range(1, X.ndim), 0)
    return np.ascontiguousarray(X.transpose(order)).transpose(np.argsort(order))


def _misaligned(X: Array) -> Array:
    return np.frombuffer(b"." + X.tobytes(), np.uint8)[1:].view(X.dtype).reshape(X.shape)


def _packed(X: Array) -> Array:
    records = np.zeros(len(X), [("flag", "i1"), ("row", X.dtype, X.shape[1:])])
    records["row"] = X
    found: Array = records["row"]
    return found


def _read_only(X: Array) -> Array:
    found = X.copy()
    found.flags.writeable = False
    return found


def _mapped(X: Array) -> Array:
    with tempfile.TemporaryFile() as file:
        file.write(X.tobytes())
        file.flush()
        return np.memmap(file, X.dtype, "r", shape=X.shape)


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "C order": np.ascontiguousarray,
    "Fortran order": np.asfortranarray,
    "every second cell": _spread,
    "backwards": _backwards,
    "transposed": _transposed,
    "misaligned": _misaligned,
    "field of packed records": _packed,
    "read-only": _read_only,
    "memory map": _mapped,
}


@st.composite
def layouts(draw: st.DrawFn) -> Callable[[Array], Array]:
    """Functions that return an equal array in another layout, and perhaps in the other byte order."""
    layout = LAYOUTS[draw(st.sampled_from(list(LAYOUTS)))]
    swapped = draw(st.booleans())
    return lambda X: layout(X.astype(X.dtype.newbyteorder("S")) if swapped else X)


def types_that_hold(X: Array) -> list[str]:
    """Return the number types in which these values are the same, signs of zeros included."""

    def holds(dtype: str) -> bool:
        with np.errstate(all="ignore"):
            there = X.astype(dtype)
            exact = np.array_equal(there, X) and np.array_equal(there.astype(X.dtype), X)
        return exact and np.array_equal(np.signbit(there.astype(np.float64)), np.signbit(X.astype(np.float64)))

    return [dtype for dtype in WHOLE + REAL if holds(dtype)]


# ---- targets, weights, groups ----

_LABELS: dict[str, Callable[[Array], Array]] = {
    "codes": lambda codes: codes,
    "negative": lambda codes: 3 - 5 * codes,
    "text": lambda codes: np.array(["ape", "", "bee", "ä b"])[codes],
    "objects": lambda codes: np.array(["ape", "", "bee", "ä b"], dtype=object)[codes],
    "booleans": lambda codes: codes > 0,
    "whole floats": lambda codes: codes.astype(np.float32) - 1,
}


@st.composite
def labels(draw: st.DrawFn, n: int) -> Array:
    """Class labels of one output or several, of any type."""
    rng = np.random.default_rng(draw(SEEDS))
    n_outputs = draw(st.sampled_from([None, None, 1, 2, 3]))
    codes = rng.integers(draw(st.sampled_from([2, 3, 4, 1])), size=n if n_outputs is None else (n, n_outputs))
    return _LABELS[draw(st.sampled_from(list(_LABELS)))](codes)


@st.composite
def numbers(draw: st.DrawFn, n: int) -> Array:
    """Targets of a regression: of one output or several, with ties or without, far from zero or not."""
    rng = np.random.default_rng(draw(SEEDS))
    n_outputs = draw(st.sampled_from([None, None, 1, 2, 3]))
    size = n if n_outputs is None else (n, n_outputs)
    kinds: dict[str, Callable[[], Array]] = {
        "whole": lambda: rng.integers(-3, 4, size=size),
        "bytes": lambda: rng.integers(0, 256, size=size).astype(np.uint8),
        "normal": lambda: rng.normal(size=size),
        "far from zero": lambda: 1e4 + rng.normal(size=size),
        "single precision": lambda: rng.normal(size=size).astype(np.float32),
        "constant": lambda: np.full(size, 0.1),
    }
    return kinds[draw(st.sampled_from(list(kinds)))]()


@st.composite
def weights(draw: st.DrawFn, n: int, *, zeros: bool = True) -> Array | None:
    """Sample weights: none, whole or fractional ones, some of them zero, in any unit."""
    kind = draw(st.sampled_from(["none", "none", "whole", "fractional"]))
    if kind == "none":
        return None
    rng = np.random.default_rng(draw(SEEDS))
    w: Array = rng.integers(1, 5, size=n) if kind == "whole" else rng.uniform(0.25, 4.0, size=n)
    if zeros and n > 2 and draw(st.booleans()):
        w[2 + np.flatnonzero(rng.random(n - 2) < 0.3)] = 0
    if draw(st.booleans()):
        w = w * 10.0 ** draw(st.integers(-90, 90))
    return w


@st.composite
def groups(draw: st.DrawFn, n: int) -> Array:
    """Groups of rows, at least two of them."""
    n_groups = draw(st.integers(2, max(2, n // 2)))
    codes = np.r_[0, 1, np.random.default_rng(draw(SEEDS)).integers(n_groups, size=n - 2)]
    return np.array([f"subject {code}" for code in codes]) if draw(st.booleans()) else codes
