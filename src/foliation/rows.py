"""X as the core reads it: two dimensions, a number type it knows, no NaN, no needless copy."""

from __future__ import annotations

import math
import os
import zlib
from typing import Any

import joblib
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import _core
from foliation._sklearn import validate_data
from foliation.grid import Grid, Shape

_LARGEST = 1e290  # weighted sums of larger values could overflow
_SMALLEST = 1e-290  # sums of smaller values could not be told apart
_MOST_THREADS = 1024
_BLOCK = 256  # rows that a thread of the core takes at a time
_HASHED = 1_000_000  # numbers that are read together, and for a fingerprint
_ISA_NAMES = ("baseline", "avx2", "avx512")


def isa() -> int:
    """Return the number of the instruction set to use: the newest, or what ``FOLIATION_ISA`` asks for."""
    newest = _core.newest_isa()
    wanted = os.environ.get("FOLIATION_ISA")
    if not wanted:
        return newest
    if wanted not in _ISA_NAMES:
        raise ValueError(f"FOLIATION_ISA={wanted!r} is unknown; it must be one of {', '.join(_ISA_NAMES)}")
    if _ISA_NAMES.index(wanted) > newest:
        raise ValueError(f"FOLIATION_ISA={wanted!r} does not run on this machine; {_ISA_NAMES[newest]} does")
    return _ISA_NAMES.index(wanted)


def n_threads(n_jobs: int | None, n_rows: int | None = None) -> int:
    """Return how many threads ``n_jobs`` stands for here; one inside a worker of a parallel search.

    One is enough for the rows of one block, and joblib, which may have to count processors, is not asked.
    """
    if n_rows is not None and n_rows <= _BLOCK and n_jobs != 0:
        return 1
    return min(int(joblib.effective_n_jobs(n_jobs)), _MOST_THREADS)


def split_shape(X: Any) -> tuple[Any, Grid | None]:
    """Flatten the rows of an n-dimensional X; say what shape they had, or None if X is no such array."""
    if isinstance(X, list | tuple):
        X = _as_array(X)
    _refuse(X)
    shape = getattr(X, "shape", None)
    if shape is None or len(shape) == 2:
        return X, None
    X = np.asarray(X)
    return X.reshape(len(X), math.prod(shape[1:])), Grid(tuple(int(side) for side in shape[1:]), flat=False)


def fingerprint(X: NDArray[Any]) -> int:
    """A number that changes with X, all but surely; of a large X some rows, spread evenly, stand for all."""
    most = max(256, _HASHED // max(1, X.shape[1]))
    some = X if len(X) <= most else X[np.linspace(0, len(X) - 1, most).astype(np.int64)]
    return zlib.crc32((np.asarray(some, dtype=np.float64, order="C") + 0.0).tobytes(), len(X))


def hashes(X: NDArray[Any]) -> NDArray[np.uint64]:
    """A number for each row that differs, all but surely, if the rows do."""
    factors = _mixed(np.arange(1, X.shape[1] + 1, dtype=np.uint64)) | np.uint64(1)
    found = np.empty(len(X), dtype=np.uint64)
    step = max(1, _HASHED // max(1, X.shape[1]))
    for first in range(0, len(X), step):
        numbers = np.asarray(X[first : first + step], dtype=np.float64, order="C") + 0.0
        found[first : first + step] = (_mixed(numbers.view(np.uint64)) * factors).sum(axis=1, dtype=np.uint64)
    return found


def _mixed(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return x ^ (x >> np.uint64(29))


def _refuse(X: Any) -> None:
    """Complain of arrays that no conversion can help."""
    shape, kind = getattr(X, "shape", None), getattr(getattr(X, "dtype", None), "kind", "f")
    if X is None or np.isscalar(X) or (shape is not None and len(shape) < 2):
        what = f"is {X!r:.40}" if shape is None else f"has {len(shape)} dimensions"
        raise ValueError(f"X {what}; it must be (n, p) or (n, *grid). Reshape your data")
    if kind == "c":
        raise ValueError(f"Complex data not supported: X has dtype {X.dtype}; it must hold real numbers")
    if kind not in "biufO":
        raise TypeError(f"X has dtype {X.dtype}; it must hold real numbers")


def _as_array(X: Any) -> NDArray[Any]:
    try:
        return np.asarray(X)
    except ValueError as error:
        raise ValueError(f"X is a list whose rows differ in length: {error}") from error


def native(X: NDArray[Any]) -> NDArray[Any]:
    """X in the narrowest number type of the core that holds its values."""
    _refuse(X)
    kind, width = X.dtype.kind, X.dtype.itemsize
    if kind in "iu" and width == 8 and X.size and not -(2**53) <= int(X.min()) <= int(X.max()) <= 2**53:
        raise ValueError("X holds integers beyond 2^53 in size, which floating-point numbers cannot tell apart")
    if X.strides[0] % width or X.strides[1] % width:
        X = np.ascontiguousarray(X)
    if kind == "b":
        return X.view(np.uint8)
    if kind == "f":
        wanted = np.float32 if width <= 4 else np.float64
    elif width <= 2:
        wanted = {("u", 1): np.uint8, ("i", 1): np.int16, ("i", 2): np.int16}.get((kind, width), np.int32)  # type: ignore[assignment]
    else:
        wanted = np.int32 if (kind, width) == ("i", 4) else np.float64  # type: ignore[assignment]
    return X.astype(wanted, copy=False)


# scikit-learn's validation takes 0.2 ms, as long as all else that a small call does. What these two
# find plain, it would hand back as it is, without a word.


def _is_plain(X: Any) -> bool:
    return type(X) is np.ndarray and X.ndim == 2 and X.size > 0 and X.dtype.kind in "biuf"


def _is_plain_target(y: Any) -> bool:
    if type(y) is not np.ndarray or y.ndim != 1:
        return False
    return y.dtype.kind in "biuU" or (y.dtype.kind == "f" and bool(np.isfinite(y).all()))


def fit_rows(forest: Any, X: Any, y: Any) -> tuple[NDArray[Any], Any, Grid]:
    """Validate X and y, which may be None, for fit; record names and number of features on the forest."""
    X, grid = split_shape(X)
    if sp.issparse(y):
        raise TypeError("y is a sparse matrix; it must be a dense array")
    n_targets = len(y) if isinstance(y, list | tuple) else (*getattr(y, "shape", ()), None)[0]
    if n_targets is not None and hasattr(X, "shape") and n_targets != X.shape[0]:
        raise ValueError(f"y has {n_targets} rows, but X has {X.shape[0]}")
    if _is_plain(X) and _is_plain_target(y):
        forest.n_features_in_ = X.shape[1]
        vars(forest).pop("feature_names_in_", None)
    else:
        how = {"dtype": "numeric", "ensure_all_finite": False, "ensure_min_samples": 1}
        if y is None:
            X = validate_data(forest, X, None, **how)  # complains where targets are needed
        else:
            X, y = validate_data(forest, X, y, multi_output=True, **how)
    if len(X) >= 2**31 - 1 or X.shape[1] >= 2**31 - 1:
        raise ValueError(f"X has shape {X.shape}; rows and features must each number less than 2^31 - 1")
    return native(X), y, grid or Grid((X.shape[1],), flat=True)


def predict_rows(forest: Any, X: Any) -> NDArray[Any]:
    """Validate X for predict: the fitted shape, or its flattened rows."""
    if getattr(X, "shape", None) == forest.grid_shape_ and len(forest.grid_shape_) > 1:
        raise ValueError(f"X is a single row of shape {forest.grid_shape_}; predict takes rows, here X[None]")
    X, grid = split_shape(X)
    if grid is not None and grid.shape not in (forest.grid_shape_, forest.row_shape_):
        raise ValueError(f"X has rows of shape {grid.shape}; this forest was fitted on {forest.grid_shape_}")
    if not (_is_plain(X) and X.shape[1] == forest.n_features_in_ and not hasattr(forest, "feature_names_in_")):
        X = validate_data(forest, X, reset=False, dtype="numeric", ensure_all_finite=False)
    numbers = native(X)
    magnitude(numbers, forest, forest.grid_shape_)
    return numbers


def magnitude(X: NDArray[Any], forest: Any, shape: Shape) -> tuple[bool, float]:
    """Return whether all values are whole, and the largest absolute one; refuse NaN and infinity."""
    finite, whole, max_abs = _core.scan(X, isa(), n_threads(forest.n_jobs, len(X)))
    if not finite:
        where = feature_label(_core.first_bad_column(X), getattr(forest, "feature_names_in_", None), shape)
        raise ValueError(f"X contains NaN or infinity, first in column {where}; impute or drop it")
    if max_abs > _LARGEST:
        raise ValueError(f"X holds a value of size {max_abs:g}; values must stay below {_LARGEST:g}")
    if 0 < max_abs < _SMALLEST:
        raise ValueError(
            f"The largest value of X has size {max_abs:g}; it must be above {_SMALLEST:g}, or 0. Rescale X"
        )
    return whole, max_abs


def feature_label(number: int, names: Any, shape: Shape) -> str:
    """Return what a user calls a feature: its name, its place on the grid, or its number."""
    if names is not None:
        return str(names[number])
    place = np.unravel_index(number, shape)
    return str(number) if len(place) == 1 else "[" + ", ".join(str(int(at)) for at in place) + "]"
