"""X as the core reads it: two dimensions, a number type it knows, no NaN, no needless copy."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _get_feature_names, check_array, check_X_y

from foliation import _core
from foliation.data.arrays import Array, Data, Hashes
from foliation.printable import printable, printable_errors, quoted

Shape = tuple[int, ...]

_LARGEST = 1e290  # weighted sums of larger values could overflow
_SMALLEST = 1e-290  # sums of smaller values could not be told apart
_MOST = 2**31 - 1
_AS_ARRAYS = ("__len__", "__array__", "__array_interface__", "__dataframe__", "__arrow_c_stream__")


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
        with printable_errors():
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
    if (not _may_hold_rows(X) if shape is None else len(shape) < 2) or np.isscalar(X):
        what = f"is {quoted(X)}" if shape is None else f"has {len(shape)} dimensions"
        raise ValueError(f"X {what}; it must be (n, p) or (n, *grid). Reshape your data")
    if kind == "c":
        raise ValueError(f"Complex data not supported: X has dtype {X.dtype}; it must hold real numbers")
    if kind not in "biufO":
        raise TypeError(f"X has dtype {X.dtype}; it must hold real numbers")


def _may_hold_rows(X: object) -> bool:
    """Return whether something without a shape is a sequence, or says how it becomes an array."""
    return not isinstance(X, dict | set | frozenset) and any(hasattr(X, name) for name in _AS_ARRAYS)


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
    if not X.flags.aligned or X.strides[0] % width or X.strides[1] % width:
        X = np.array(X, order="C")
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
    if y is None:
        return True
    if type(y) is not np.ndarray or y.ndim != 1:
        return False
    return y.dtype.kind in "biuU" or (y.dtype.kind == "f" and bool(np.isfinite(y).all()))


def check_rows(X: Array, shape: Shape, names: Array | None, machine: _core.Machine) -> None:
    """Raise ValueError for values of rows that no forest can take."""
    _check_values(_core.scan(X, machine), X, shape, names)


def scale_of(X: Array, shape: Shape, names: Array | None, machine: _core.Machine) -> _core.Scan:
    """Return the largest absolute value, and whether all values are whole, of rows that a forest is fitted on."""
    return _checked_scale(_core.scan(X, machine), X, shape, names)


def digested_scan(rows: Rows, machine: _core.Machine) -> _core.DigestedScan:
    """Return what ``scale_of`` does of training rows, and their digests, in one pass over them."""
    scanned = _core.scan_and_digest(rows.values, machine)
    _checked_scale(scanned.scan, rows.values, rows.grid.shape, rows.names)
    return scanned


def _checked_scale(scan: _core.Scan, X: Array, shape: Shape, names: Array | None) -> _core.Scan:
    _check_values(scan, X, shape, names)
    if 0 < scan.max_abs < _SMALLEST:
        raise ValueError(
            f"The largest value of X has size {scan.max_abs:g}; it must be above {_SMALLEST:g}, or 0. Rescale X"
        )
    return scan


def _check_values(scan: _core.Scan, X: Array, shape: Shape, names: Array | None) -> None:
    if not scan.finite:
        where = feature_label(_core.first_bad_column(X), names, shape)
        raise ValueError(f"X contains NaN or infinity, first in column {where}; impute or drop it")
    if scan.max_abs > _LARGEST:
        raise ValueError(f"X holds a value of size {scan.max_abs:g}; values must stay below {_LARGEST:g}")


def feature_label(number: int, names: Sequence[str] | Array | None, shape: Shape) -> str:
    """Return a feature's name, its place on the grid, or its number."""
    if names is not None:
        return printable(names[number])
    place = np.unravel_index(number, shape)
    return str(number) if len(place) == 1 else "[" + ", ".join(str(int(at)) for at in place) + "]"


# ---- recognizing rows ----


def row_digests(X: Array, machine: _core.Machine) -> Hashes:
    """Return a digest of each row; equal values have equal digests, whatever their number type and layout."""
    return _core.scan_and_digest(X, machine).digests


def fingerprint_of(digests: Hashes, n_features: int) -> int:
    """Return one number for all rows in their order, from their digests: those of partitions can be concatenated."""
    shape = np.array([len(digests), n_features], dtype="<u8")
    return int.from_bytes(
        blake2b(digests.astype("<u8", copy=False).tobytes() + shape.tobytes(), digest_size=8).digest()
    )
