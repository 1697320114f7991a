"""Rows and targets from files: npz, npy, csv, parquet, and the .ts of the time series archives."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foliation.cli.errors import DataError
from foliation.cli.ts import read_series

KINDS = (".npz", ".npy", ".csv", ".parquet", ".ts")
_NUMBER = r"[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?"
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

        return polars.DataFrame(self.X.reshape(len(self.X), -1), schema=self.names, orient="row")

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
    y = arrays.pop(target or "y", None)
    rows = [name for name, array in arrays.items() if array.ndim >= 2]
    if "X" not in arrays and len(rows) != 1:
        raise DataError(
            f"{path} must have its rows in an array X; beside targets it has {_few(list(arrays)) or 'none'}."
        )
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
    frame = _frame(path, target)
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
    rows = np.column_stack([_numbers(frame[name]) for name in taken])
    return Data(rows, None if target is None else _targets(path, frame[target]), taken)


def _numbers(column: Any) -> NDArray[Any]:
    """Return a column of a frame; gaps, and decimals, are floating-point numbers."""
    plain = column.dtype.is_integer() or column.dtype.is_float() or str(column.dtype) == "Boolean"
    found = column if plain and not column.null_count() else column.cast(float)
    return np.asarray(found.to_numpy())


def _targets(path: Path, column: Any) -> NDArray[Any]:
    """Return labels or numbers; what is text in the file is a number if it is written as one, and not as 01."""
    kind = str(column.dtype).split("(")[0]
    if column.dtype.is_numeric():
        return _numbers(column)
    if kind not in ("String", "Categorical", "Enum", "Boolean"):
        raise DataError(f"{path} has targets of the type {kind}; they must be labels or numbers.")
    texts = column.to_list()
    written = [text for text in texts if text is not None]
    if kind != "String" or not written:
        return np.array(texts) if None not in texts else np.array(texts, dtype=object)
    if {text.lower() for text in written} <= {"true", "false"}:
        return np.array([None if text is None else text.lower() == "true" for text in texts])
    if all(re.fullmatch(r"[+-]?(0|[1-9]\d*)", text.strip()) for text in written) and None not in texts:
        return np.array([int(text) for text in texts])
    if all(re.fullmatch(_NUMBER, text.strip()) for text in written):
        return np.array([np.nan if text is None else float(text) for text in texts])
    return np.array(texts, dtype=object)


def _frame(path: Path, target: str | None) -> Any:
    if find_spec("polars") is None:
        raise DataError('Tables need polars, which `pip install "foliation[cli]"` brings.')
    import polars

    try:
        if path.suffix.lower() == ".parquet":
            return polars.read_parquet(path, glob=False)
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            head = re.sub(r'"[^"]*"', "", file.readline())
        how: Any = {"separator": max(",;\t", key=head.count), "glob": False}  # a comma if there is none
        names = polars.read_csv(path, n_rows=0, infer_schema=False, **how).columns
        text = {name: polars.String for name in names if name.strip() == target}
        frame = polars.read_csv(path, infer_schema_length=None, null_values=_MISSING, schema_overrides=text, **how)
    except Exception as error:  # polars has many
        raise DataError(f"{path} cannot be read: {str(error).splitlines()[0].rstrip('.')}.") from error
    stripped = [name.strip() for name in frame.columns]
    if len(set(stripped)) < len(stripped):
        raise DataError(f"{path} has two columns named {max(stripped, key=stripped.count)!r}.")
    return frame.rename(dict(zip(frame.columns, stripped, strict=True)))


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
