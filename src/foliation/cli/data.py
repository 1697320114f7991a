"""Rows and targets from files: npz, npy, csv, parquet, and the .ts of the time series archives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from foliation.cli import frames
from foliation.cli.errors import CommandError
from foliation.cli.frames import join_names, read_table
from foliation.cli.ts import read_series
from foliation.data.arrays import Array, Bools, Longs
from foliation.estimators.forest import Forest
from foliation.printable import quoted

if TYPE_CHECKING:
    from polars import DataFrame

TYPES = (".npz", ".npy", ".csv", ".parquet", ".ts")


class Dataset(NamedTuple):
    """Rows, their targets if there are any, and the names of the columns of a table."""

    X: Array
    y: Array | None = None
    names: list[str] | None = None

    def frame_or_rows(self) -> DataFrame | Array:
        """Return what a forest predicts: with names a data frame, so that the forest can check them."""
        if self.names is None:
            return self.X
        import polars

        return polars.DataFrame(self.X.reshape(len(self.X), -1), schema=self.names, orient="row")

    def subset(self, rows: Longs) -> Dataset:
        return Dataset(self.X[rows], None if self.y is None else self.y[rows], self.names)

    def reshaped(self, shape: tuple[int, ...] | None) -> Dataset:
        """Return the same rows in another shape."""
        if shape is None:
            return self
        size = math.prod(self.X.shape[1:])
        if size != math.prod(shape):
            raise CommandError(f"invalid --shape {'x'.join(map(str, shape))}: the rows have {size} values each")
        return self._replace(X=self.X.reshape(-1, *shape))


def read(
    path: Path, target: str | None = None, columns: Sequence[str] | None = None, left_out: Sequence[str] = ()
) -> Dataset:
    """Read a file.

    Parameters
    ----------
    path : Path
    target : str, optional
        What holds the targets: an array of an npz, a column of a table, or the number of a column of an npy. By
        default ``y`` of an npz and the labels of a ts.
    columns : sequence of str, optional
        Columns of a table to read, in this order; all numeric ones by default.
    left_out : sequence of str, optional
        Columns of a table to skip although they hold numbers.
    """
    if not path.is_file():
        raise CommandError(f"cannot read {path}: {'not a file' if path.exists() else 'no such file'}")
    kind = path.suffix.lower()
    if kind not in TYPES:
        raise CommandError(f"cannot read {path}: unknown file type {quoted(kind)}; expected one of {', '.join(TYPES)}")
    if left_out and kind not in frames.TYPES:
        raise CommandError(f"--leave-out {left_out[0]}: expected a table (csv, parquet), but {path} is not one")
    if kind == ".ts" and target is not None:
        raise CommandError(f"--target {target}: {path} names its own targets; leave --target out")
    dataset = _read(path, kind, target, columns, left_out)
    _check(path, dataset)
    return dataset


def _read(path: Path, kind: str, target: str | None, columns: Sequence[str] | None, left_out: Sequence[str]) -> Dataset:
    if kind in frames.TYPES:
        return Dataset(*read_table(path, target, columns, left_out))
    if kind == ".ts":
        return Dataset(*read_series(path))
    return _read_npz(path, target) if kind == ".npz" else _read_npy(path, target)


def _check(path: Path, dataset: Dataset) -> None:
    """Raise CommandError for data that no forest can learn from."""
    X, y = dataset.X, dataset.y
    if not len(X):
        raise CommandError(f"{path} has no rows")
    if X.dtype.kind not in "biuf":
        raise CommandError(f"cannot use {path}: rows have dtype {X.dtype}; expected numbers")
    if y is None:
        return
    if len(y) != len(X):
        raise CommandError(f"cannot use {path}: it has {len(X)} rows and {len(y)} targets")
    if y.dtype.kind not in "biufUO":
        raise CommandError(f"cannot use {path}: targets have dtype {y.dtype}; expected labels or numbers")
    missing = _missing(y)
    if missing.any():
        first = int(missing.argmax()) // (y.size // len(y))
        raise CommandError(f"{path} has {missing.sum()} missing targets, the first in row {first}; drop these rows")


def _missing(y: Array) -> Bools:
    """Return which targets are NaN or None, flat."""
    if y.dtype.kind != "O":
        return np.isnan(y.ravel()) if y.dtype.kind == "f" else np.zeros(y.size, bool)
    return np.array([label is None or label != label for label in y.ravel().tolist()])


def _load(path: Path) -> Array | dict[str, Array]:
    """Return the array of an npy, or the arrays of an npz by name."""
    try:
        with path.open("rb") as file:  # which NumPy leaves open if a zip is damaged
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return loaded
            with loaded:
                return {name: loaded[name] for name in loaded.files}
    except Exception as error:  # zip, zlib and NumPy have many
        reason = "it holds objects, or is damaged" if "pickle" in str(error) else str(error)
        raise CommandError(f"cannot read {path}: {reason or type(error).__name__}") from error


def _read_npz(path: Path, target: str | None) -> Dataset:
    loaded = _load(path)
    arrays = (
        {name: array for name, array in loaded.items() if isinstance(array, np.ndarray)} if type(loaded) is dict else {}
    )
    if target is not None and target not in arrays:
        raise CommandError(f"{path} has no array {quoted(target)}; it has {join_names(list(arrays))}")
    y = arrays.pop(target or "y", None)
    candidates = [name for name, array in arrays.items() if array.ndim >= 2]
    if "X" not in arrays and len(candidates) != 1:
        others = join_names(list(arrays)) or "none"
        raise CommandError(f"cannot use {path}: expected rows in an array X; arrays besides the targets: {others}")
    X = arrays["X" if "X" in arrays else candidates[0]]
    if X.ndim < 2 or (y is not None and y.ndim not in (1, 2)):
        targets = "" if y is None else f" and targets of shape {y.shape}"
        raise CommandError(f"cannot use {path}: it has rows of shape {X.shape}{targets}; expected (n, ...) and (n,)")
    return Dataset(X, y)


def _read_npy(path: Path, target: str | None) -> Dataset:
    rows = _load(path)
    if not isinstance(rows, np.ndarray) or rows.ndim < 2:
        raise CommandError(f"cannot use {path}: expected an array of at least two dimensions, (n, ...)")
    if target is None:
        return Dataset(rows)
    n_columns = rows.shape[1] if rows.ndim == 2 else 0
    if target not in map(str, range(-n_columns, n_columns)):
        raise CommandError(f"invalid --target {target}: expected the number of a column of {path}, shape {rows.shape}")
    return Dataset(np.delete(rows, int(target), axis=1), rows[:, int(target)])


def read_for(forest: Forest, path: Path, target: str | None) -> Dataset:
    """Read rows for a fitted forest: its columns by name, in the shape that it was trained on."""
    model = forest.model_
    names = None if model.feature_names is None else list(model.feature_names)
    dataset = read(path, target, names)
    if dataset.X[0].size != model.grid.n_features:
        raise CommandError(
            f"cannot use {path}: rows have {dataset.X[0].size} values; the model was trained on {model.grid.n_features}"
        )
    y = dataset.y
    if y is not None and y.ndim == 1 and model.targets.kind == "classes" and model.targets.n_outputs == 1:
        y = with_types_of(model.targets.classes[0], y)
    if names is None:
        return Dataset(dataset.X.reshape(-1, *model.grid.shape), y)
    if dataset.names is None:  # columns without names: in the order of the training
        return Dataset(dataset.X.reshape(len(dataset.X), -1), y, names)
    return dataset._replace(y=y)


def with_types_of(classes: Array, y: Array) -> Array:
    """Return labels with the types of known labels that are written alike: one file may hold 1, another "1"."""
    if (classes.dtype.kind in "OU") == (y.dtype.kind in "OU"):
        return y
    known = {_as_text(label): label for label in classes.tolist()}
    return np.array([known.get(_as_text(label), label) for label in y.tolist()])


def _as_text(label: object) -> str:
    if isinstance(label, bool):
        return str(label).lower()
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)
