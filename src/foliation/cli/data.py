"""Rows and targets from files: npz, npy, csv, parquet, and the .ts of the time series archives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

KINDS = (".npz", ".npy", ".csv", ".parquet", ".ts")


class DataError(ValueError):
    """A file does not hold what was asked for; the message is for the user."""


class Data(NamedTuple):
    """Rows, their targets if there are any, and the names of columns if rows are flat."""

    X: NDArray[Any]
    y: NDArray[Any] | None = None
    names: list[str] | None = None

    def frame_or_rows(self) -> Any:
        """Return what a forest is given: with names, a data frame, by which it knows them again."""
        if self.names is None:
            return self.X
        import polars

        return polars.DataFrame(self.X, schema=self.names)

    def part(self, rows: NDArray[np.int64]) -> Data:
        return Data(self.X[rows], None if self.y is None else self.y[rows], self.names)


def read(
    path: Path,
    target: str | None = None,
    shape: tuple[int, ...] | None = None,
    columns: Sequence[str] | None = None,
) -> Data:
    """Read a file.

    Parameters
    ----------
    path : Path
    target : str, optional
        The array of an npz, the column of a table, or the number of a column of an npy that holds the targets. Without
        it, ``y`` of an npz and the labels of a ts.
    shape : tuple of int, optional
        Shape of a row, if the file has flat ones.
    columns : sequence of str, optional
        Columns of a table to take, in this order; others are left alone. All numeric ones if not given.
    """
    if not path.exists():
        raise DataError(f"{path} is not there.")
    readers = {".npz": _npz, ".npy": _npy, ".csv": _table, ".parquet": _table, ".ts": _series}
    kind = path.suffix.lower()
    if kind not in readers:
        raise DataError(f"{path} is of a kind that is unknown here; known are {', '.join(KINDS)}.")
    found = readers[kind](path, target, columns)
    if found.X.dtype.kind not in "biuf":
        raise DataError(f"{path} has rows of {found.X.dtype}; they must hold numbers.")
    if found.y is not None and len(found.y) != len(found.X):
        raise DataError(f"{path} has {len(found.X)} rows and {len(found.y)} targets.")
    return found if shape is None else _shaped(path, found, shape)


def _shaped(path: Path, found: Data, shape: tuple[int, ...]) -> Data:
    size = math.prod(found.X.shape[1:])
    if size != math.prod(shape):
        wanted = "x".join(map(str, shape))
        raise DataError(f"{path} has rows of {size} values, which --shape {wanted} cannot hold.")
    return Data(found.X.reshape(-1, *shape), found.y)


def _npz(path: Path, target: str | None, columns: Sequence[str] | None) -> Data:
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (ValueError, OSError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    if target is not None and target not in arrays:
        raise DataError(f"{path} has no array {target!r}; it has {', '.join(arrays)}.")
    y = arrays.get(target or "y")
    rows = [name for name, array in arrays.items() if array.ndim >= 2 and name != target]
    if "X" not in arrays and len(rows) != 1:
        raise DataError(f"{path} must have its rows in an array X; it has {', '.join(arrays)}.")
    return Data(arrays["X" if "X" in arrays else rows[0]], y)


def _npy(path: Path, target: str | None, columns: Sequence[str] | None) -> Data:
    try:
        rows = np.load(path, allow_pickle=False)
    except (ValueError, OSError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    if rows.ndim < 2:
        raise DataError(f"{path} has an array of shape {rows.shape}; rows need at least two dimensions.")
    if target is None:
        return Data(rows)
    if rows.ndim != 2 or not target.lstrip("-").isdigit() or not -rows.shape[1] <= int(target) < rows.shape[1]:
        raise DataError(f"--target {target} is no number of a column of {path}, whose shape is {rows.shape}.")
    return Data(np.delete(rows, int(target), axis=1), rows[:, int(target)])


def _table(path: Path, target: str | None, columns: Sequence[str] | None) -> Data:
    if find_spec("polars") is None:
        raise DataError('Tables need polars, which `pip install "foliation[cli]"` brings.')
    import polars

    try:
        frame = (
            polars.read_csv(path, infer_schema_length=None)
            if path.suffix.lower() == ".csv"
            else polars.read_parquet(path)
        )
    except Exception as error:  # polars has many
        raise DataError(f"{path} cannot be read: {str(error).splitlines()[0]}.") from error
    if target is not None and target not in frame.columns:
        raise DataError(f"{path} has no column {target!r}; it has {_few(frame.columns)}.")
    wanted = list(columns) if columns is not None else [name for name in frame.columns if name != target]
    absent = [name for name in wanted if name not in frame.columns]
    if absent:
        raise DataError(f"{path} has no column {absent[0]!r}, which the forest was trained on.")
    texts = [name for name in wanted if not (frame[name].dtype.is_numeric() or frame[name].dtype == polars.Boolean)]
    if texts:
        raise DataError(f"{path}: the column {texts[0]!r} holds no numbers; --target names the one to predict.")
    if not wanted:
        raise DataError(f"{path} has no columns to learn from.")
    rows = frame.select(wanted).to_numpy()
    return Data(rows, None if target is None else frame[target].to_numpy(), wanted)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _series(path: Path, target: str | None, columns: Sequence[str] | None) -> Data:
    """Read equally long series: (n, channels, time), and their labels or numbers."""
    said, lines = _ts_parts(path)
    if said.get("@timestamps", ["false"])[0] == "true":
        raise DataError(f"{path} has times beside its values, which a grid cannot hold.")
    labelled = any(said.get(name, ["false"])[0] == "true" for name in ("@classlabel", "@targetlabel"))
    rows: list[list[list[float]]] = []
    labels: list[str] = []
    for number, text in lines:
        channels = text.split(":")
        if labelled:
            labels.append(channels.pop().strip())
        try:
            rows.append([[float(value) for value in channel.split(",")] for channel in channels])
        except ValueError as error:
            raise DataError(f"{path}, line {number}: a value is missing or no number.") from error
    if len({(len(row), *map(len, row)) for row in rows}) != 1:
        raise DataError(f"{path} has no series, or series of different lengths, which a grid cannot hold.")
    if not labelled:
        return Data(np.array(rows))
    numbers = said.get("@targetlabel", ["false"])[0] == "true"
    try:
        return Data(np.array(rows), np.array(labels, dtype=np.float64 if numbers else None))
    except ValueError as error:
        raise DataError(f"{path} has a target that is no number.") from error


def _ts_parts(path: Path) -> tuple[dict[str, list[str]], list[tuple[int, str]]]:
    """Return what the head of a ts says, in small letters, and the lines of its data with their numbers."""
    said: dict[str, list[str]] = {}
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if "@data" in said:
            lines.append((number, text))
        else:
            name, *words = text.lower().split()
            said[name] = words or ["true"]
    return said, lines
