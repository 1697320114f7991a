"""X as the core reads it: two dimensions, a number type it knows, no NaN, no needless copy."""

from __future__ import annotations

import math
import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _get_feature_names, check_array, check_X_y

from foliation import _core
from foliation.data.arrays import Array, Data, Hashes

Shape = tuple[int, ...]

_LARGEST = 1e290  # weighted sums of larger values could overflow
_SMALLEST = 1e-290  # sums of smaller values could not be told apart
_MOST = 2**31 - 1
_HASHED = 1_000_000  # numbers that are read together, and for a fingerprint


@dataclass(frozen=True)
class Grid:
    """Where the features of a row live: the shape of a row as it was given; ``flat`` if X had two dimensions."""

    shape: Shape
    flat: bool

    @property
    def n_features(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True, eq=False)
class Rows:
    """Training rows in the form of the core: one flat row each, in a number type it knows."""

    values: Array  # (n, p)
    grid: Grid
    names: Array | None = None  # of the columns of a data frame
    views: dict[Hashable, Array] = field(default_factory=dict)  # computed once: cells by views and their exponents

    def __len__(self) -> int:
        return len(self.values)


def read_rows(X: Data, y: Data, owner: str) -> tuple[Rows, Data]:
    """Validate X and y, which may be None, for a fit; ``owner`` is the estimator's name in errors."""
    X, grid = split_shape(X)
    if sp.issparse(y):
        raise TypeError("y is a sparse matrix: expected a dense array")
    n_targets = len(y) if isinstance(y, list | tuple) else (*getattr(y, "shape", ()), None)[0]
    if n_targets is not None and hasattr(X, "shape") and n_targets != X.shape[0]:
        raise ValueError(f"y has {n_targets} rows, but X has {X.shape[0]}")
    names = None
    if not (is_plain(X) and _is_plain_target(y)):
        names = _get_feature_names(X)
        X, y = _checked(X, y, owner)
    if len(X) >= _MOST or X.shape[1] >= _MOST:
        raise ValueError(f"X has shape {X.shape}: expected less than 2^31 - 1 rows and features")
    return Rows(native(X), grid or Grid((X.shape[1],), flat=True), names), y


def _checked(X: Data, y: Data, owner: str) -> tuple[Array, Data]:
    how = {"dtype": "numeric", "ensure_all_finite": False, "ensure_min_samples": 1, "estimator": owner}
    if y is None:
        return check_array(X, input_name="X", **how), None
    X, y = check_X_y(X, y, multi_output=True, **how)
    return X, y


def split_shape(X: Data) -> tuple[Data, Grid | None]:
    """Flatten the rows of an n-dimensional X; return the shape they had, or None if X has two dimensions."""
    if isinstance(X, list | tuple):
        X = _as_array(X)
    _refuse(X)
    shape = getattr(X, "shape", None)
    if shape is None or len(shape) == 2:
        return X, None
    X = np.asarray(X)
    return X.reshape(len(X), math.prod(shape[1:])), Grid(tuple(int(side) for side in shape[1:]), flat=False)


def _refuse(X: Data) -> None:
    """Raise an error for arrays that no conversion can help."""
    shape, kind = getattr(X, "shape", None), getattr(getattr(X, "dtype", None), "kind", "f")
    if X is None or np.isscalar(X) or (shape is not None and len(shape) < 2):
        what = f"is {X!r:.40}" if shape is None else f"has {len(shape)} dimensions"
        raise ValueError(f"X {what}; it must be (n, p) or (n, *grid). Reshape your data")
    if kind == "c":
        raise ValueError(f"Complex data not supported: X has dtype {X.dtype}; it must hold real numbers")
    if kind not in "biufO":
        raise TypeError(f"X has dtype {X.dtype}; it must hold real numbers")


def _as_array(X: Sequence[object]) -> Array:
    try:
        return np.asarray(X)
    except ValueError as error:
        raise ValueError(f"X is a list whose rows differ in length: {error}") from error


def native(X: Array) -> Array:
    """Return X in the narrowest number type of the core that holds its values."""
    _refuse(X)
    kind, width = X.dtype.kind, X.dtype.itemsize
    if kind in "iu" and width == 8 and X.size and not -(2**53) <= int(X.min()) <= int(X.max()) <= 2**53:
        raise ValueError("X holds integers beyond 2^53 in size, which floating-point numbers cannot tell apart")
    if X.strides[0] % width or X.strides[1] % width:
        X = np.ascontiguousarray(X)
    if kind == "b":
        return X.view(np.uint8)
    if kind == "f":
        dtype: type = np.float32 if width <= 4 else np.float64
    elif width <= 2:
        dtype = {("u", 1): np.uint8, ("i", 1): np.int16, ("i", 2): np.int16}.get((kind, width), np.int32)
    else:
        dtype = np.int32 if (kind, width) == ("i", 4) else np.float64
    return X.astype(dtype, copy=False)


# scikit-learn's validation takes 0.2 ms, as long as all else that a small call does. What these two
# find plain, it would return unchanged.


def is_plain(X: Data) -> bool:
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and X.dtype.kind in "biuf"


def _is_plain_target(y: Data) -> bool:
    if type(y) is not np.ndarray or y.ndim != 1:
        return False
    return y.dtype.kind in "biuU" or (y.dtype.kind == "f" and bool(np.isfinite(y).all()))


def scale_of(X: Array, shape: Shape, names: Array | None, machine: _core.Machine) -> _core.Scan:
    """Return the largest absolute value, and whether all values are whole; raise ValueError for NaN and infinity."""
    scan = _core.scan(X, machine)
    if not scan.finite:
        where = feature_label(_core.first_bad_column(X), names, shape)
        raise ValueError(f"X contains NaN or infinity, first in column {where}; impute or drop it")
    if scan.max_abs > _LARGEST:
        raise ValueError(f"X holds a value of size {scan.max_abs:g}; values must stay below {_LARGEST:g}")
    if 0 < scan.max_abs < _SMALLEST:
        raise ValueError(
            f"The largest value of X has size {scan.max_abs:g}; it must be above {_SMALLEST:g}, or 0. Rescale X"
        )
    return scan


def feature_label(number: int, names: Sequence[str] | Array | None, shape: Shape) -> str:
    """Return a feature's name, its place on the grid, or its number."""
    if names is not None:
        return str(names[number])
    place = np.unravel_index(number, shape)
    return str(number) if len(place) == 1 else "[" + ", ".join(str(int(at)) for at in place) + "]"


def fingerprint(X: Array) -> int:
    """Return a number that changes with X, all but surely; of a large X some rows, spread evenly, stand for all."""
    most = max(256, _HASHED // max(1, X.shape[1]))
    some = X if len(X) <= most else X[np.linspace(0, len(X) - 1, most).astype(np.int64)]
    return zlib.crc32((np.asarray(some, dtype=np.float64, order="C") + 0.0).tobytes(), len(X))


def row_hashes(X: Array) -> Hashes:
    """Return a number for each row; different rows have different numbers, all but surely."""
    factors = _mixed(np.arange(1, X.shape[1] + 1, dtype=np.uint64)) | np.uint64(1)
    hashes = np.empty(len(X), dtype=np.uint64)
    step = max(1, _HASHED // max(1, X.shape[1]))
    for first in range(0, len(X), step):
        numbers = np.asarray(X[first : first + step], dtype=np.float64, order="C") + 0.0
        hashes[first : first + step] = (_mixed(numbers.view(np.uint64)) * factors).sum(axis=1, dtype=np.uint64)
    return hashes


def _mixed(x: Hashes) -> Hashes:
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return x ^ (x >> np.uint64(29))
