"""Rows and targets from files: npz, npy, csv, parquet, and the .ts of the time series archives."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foliation.cli.answers import DataError
from foliation.cli.ts import read_series

KINDS = (".npz", ".npy", ".csv", ".parquet", ".ts")
_MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "?"]  # as tables write it


class Data(NamedTuple):
    """Rows, their targets if there are any, and the names of the columns of a table."""

    X: NDArray[Any]
    y: NDArray[Any] | None = None
    names: list[str] | None = None

    def frame_or_rows(self) -> Any:
        """Return what a forest predicts: with names a data frame, by which it knows the columns again."""
        if self.names is None:
            return self.X
        import polars

        return polars.DataFrame(self.X.reshape(len(self.X), -1), schema=self.names)

    def part(self, rows: NDArray[np.int64]) -> Data:
        return Data(self.X[rows], None if self.y is None else self.y[rows], self.names)

    def shaped(self, path: Path, shape: tuple[int, ...] | None) -> Data:
        """Return the same rows in another shape."""
        size = math.prod(self.X.shape[1:])
        if shape is None:
            return self
        if size != math.prod(shape):
            wanted = "x".join(map(str, shape))
            raise DataError(f"{path} has rows of {size} values, which --shape {wanted} cannot hold.")
        return self._replace(X=self.X.reshape(-1, *shape))


def read(
    path: Path, target: str | None = None, columns: Sequence[str] | None = None, left_out: Sequence[str] = ()
) -> Data:
    """Read a file.

    Parameters
    ----------
    path : Path
    target : str, optional
        The array of an npz, the column of a table, or the number of a column of an npy that holds the targets. Without
        it, ``y`` of an npz and the labels of a ts.
    columns : sequence of str, optional
        Columns of a table to take, in this order; others are left alone. All numeric ones if not given.
    left_out : sequence of str, optional
        Columns of a table that are left alone although they hold numbers.
    """
    if not path.is_file():
        raise DataError(f"{path} is {'no file' if path.exists() else 'not there'}.")
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise DataError(f"{path} is of a kind that is unknown here; known are {', '.join(KINDS)}.")
    if left_out and kind not in (".csv", ".parquet"):
        raise DataError(f"--leave-out names columns of a table, and {path} is none.")
    if kind in (".csv", ".parquet"):
        found = _table(path, target, columns, left_out)
    elif kind == ".ts":
        if target is not None:
            raise DataError(f"{path} says itself what its targets are; leave --target out.")
        found = Data(*read_series(path))
    else:
        found = (_npz if kind == ".npz" else _npy)(path, target)
    _check(path, found)
    return found


def _check(path: Path, found: Data) -> None:
    """Complain of what no forest can learn from."""
    if not len(found.X):
        raise DataError(f"{path} has no rows.")
    if found.X.dtype.kind not in "biuf":
        raise DataError(f"{path} has rows of {found.X.dtype}; they must hold numbers.")
    if found.y is None:
        return
    if len(found.y) != len(found.X):
        raise DataError(f"{path} has {len(found.X)} rows and {len(found.y)} targets.")
    if found.y.dtype.kind not in "biufUO":
        raise DataError(f"{path} has targets of {found.y.dtype}; they must be labels or numbers.")
    missing = np.array([one is None or one != one for one in found.y.ravel().tolist()])
    if missing.any():
        first = int(missing.argmax()) // (found.y.size // len(found.y))
        raise DataError(f"{path} has {missing.sum()} missing targets, the first in row {first}; drop these rows.")


def _loaded(path: Path) -> Any:
    try:
        found = np.load(path, allow_pickle=False)
        if isinstance(found, np.ndarray):
            return found
        with found:
            return {name: found[name] for name in found.files}
    except Exception as error:  # zip, zlib and NumPy have many
        said = "it holds objects, or is damaged" if "pickle" in str(error) else str(error).rstrip(".")
        raise DataError(f"{path} cannot be read: {said or type(error).__name__}.") from error


def _npz(path: Path, target: str | None) -> Data:
    arrays = _loaded(path)
    arrays = {name: one for name, one in arrays.items() if isinstance(one, np.ndarray)} if type(arrays) is dict else {}
    if target is not None and target not in arrays:
        raise DataError(f"{path} has no array {target!r}; it has {_few(list(arrays))}.")
    y = arrays.get(target or "y")
    rows = [name for name, array in arrays.items() if array.ndim >= 2 and name != target]
    if "X" not in arrays and len(rows) != 1:
        raise DataError(f"{path} must have its rows in an array X; it has {_few(list(arrays))}.")
    X = arrays["X" if "X" in arrays else rows[0]]
    if X.ndim < 2 or (y is not None and y.ndim not in (1, 2)):
        raise DataError(f"{path} has rows of shape {X.shape}{'' if y is None else f' and targets of shape {y.shape}'}.")
    return Data(X, y)


def _npy(path: Path, target: str | None) -> Data:
    rows = _loaded(path)
    if not isinstance(rows, np.ndarray) or rows.ndim < 2:
        raise DataError(f"{path} has no array of at least two dimensions, as rows need.")
    if target is None:
        return Data(rows)
    width = rows.shape[1] if rows.ndim == 2 else 0
    if target not in map(str, range(-width, width)):
        raise DataError(f"--target {target} is no number of a column of {path}, whose shape is {rows.shape}.")
    return Data(np.delete(rows, int(target), axis=1), rows[:, int(target)])


def _table(path: Path, target: str | None, columns: Sequence[str] | None, left_out: Sequence[str]) -> Data:
    frame = _frame(path)
    wanted = [*([] if target is None else [target]), *left_out]
    for name in (*wanted, *(columns or ())):
        if name not in frame.columns:
            known = ", which the forest was trained on" if name not in wanted else f"; it has {_few(frame.columns)}"
            raise DataError(f"{path} has no column {name!r}{known}.")
    if not len(frame):
        raise DataError(f"{path} has no rows.")
    numeric = [name for name in frame.columns if frame[name].dtype.is_numeric() or str(frame[name].dtype) == "Boolean"]
    given = [name for name in (columns or frame.columns) if columns or name not in wanted]
    texts = [name for name in given if name not in numeric]
    taken = [name for name in given if name in numeric]
    if not taken or (columns and texts):
        what = f"the column {texts[0]!r} holds no numbers" if texts else "it has no columns to learn from"
        raise DataError(f"{path}: {what}.")
    if texts:
        warnings.warn(f"columns without numbers are left out: {_few(texts)}", stacklevel=2)
    return Data(frame.select(taken).to_numpy(), None if target is None else frame[target].to_numpy(), taken)


def _frame(path: Path) -> Any:
    if find_spec("polars") is None:
        raise DataError('Tables need polars, which `pip install "foliation[cli]"` brings.')
    import polars

    try:
        if path.suffix.lower() == ".parquet":
            return polars.read_parquet(path, glob=False)
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            head = file.readline()
        separator = max(",;\t", key=head.count)  # a comma if there is none
        frame = polars.read_csv(path, infer_schema_length=None, null_values=_MISSING, separator=separator, glob=False)
    except Exception as error:  # polars has many
        raise DataError(f"{path} cannot be read: {str(error).splitlines()[0].rstrip('.')}.") from error
    return frame.rename({name: name.strip() for name in frame.columns})


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
