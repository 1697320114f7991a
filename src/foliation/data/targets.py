"""What a forest learns, in the form of the core: class codes numbered through all outputs, or numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets

from foliation import _core
from foliation.data.arrays import Array, Data, Floats, Ints, Outputs
from foliation.warn import warn

Kind = Literal["classes", "numbers", "nothing"]


@dataclass(frozen=True)
class Targets:
    """Targets of all rows. ``classes`` lists the labels of each output; empty in regression."""

    kind: Kind
    y: Array  # (n, outputs)
    one_dimensional: bool
    classes: list[Array] = field(default_factory=list)

    @property
    def n_outputs(self) -> int:
        return int(self.y.shape[1])

    @property
    def n_columns(self) -> int:
        return sum(len(labels) for labels in self.classes) if self.classes else self.n_outputs

    @property
    def schema(self) -> tuple[int, bool, list[Array]]:
        """What two sets of targets must share to be learned by one forest."""
        return self.n_outputs, self.one_dimensional, self.classes

    @property
    def class_start(self) -> Ints:
        """The first code of each output, then the number of codes; empty without classes."""
        sizes = [len(labels) for labels in self.classes]
        return np.cumsum([0, *sizes], dtype=np.int32) if sizes else np.empty(0, np.int32)

    def prior(self, weights: Floats | None) -> Floats:
        """Return the shares of the classes among all rows, or the means of the outputs."""
        if not self.n_columns:
            return np.empty(0)
        if not self.classes:
            return np.asarray(np.average(self.y, axis=0, weights=weights))
        row_weights = np.ones(len(self.y)) if weights is None else weights
        sums = np.bincount(self.y.ravel(), np.repeat(row_weights, self.n_outputs), minlength=self.n_columns)
        return np.asarray(sums / row_weights.sum())

    def per_output(self, columns: Floats) -> list[Floats]:
        """Split columns into one block of classes for each output."""
        return np.split(columns, self.class_start[1:-1], axis=-1)

    def outputs(self, columns: Floats) -> Outputs:
        """Return columns as users get them: one array, or one for each output if they are shares of classes."""
        if self.classes:
            return columns if self.one_dimensional else self.per_output(columns)
        return columns[..., 0] if self.one_dimensional else columns

    def labels(self, columns: Floats) -> Array:
        """Return the class with the largest value of each output."""
        blocks = zip(self.classes, self.per_output(columns), strict=True)
        labels = [known[block.argmax(axis=-1)] for known, block in blocks]
        return labels[0] if self.one_dimensional else np.stack(labels, axis=-1)

    def core(self) -> _core.Targets:
        numbers = np.ascontiguousarray(self.y).ravel()
        return _core.Targets(
            classes=numbers if self.classes else np.empty(0, np.int32),
            values=np.empty(0, np.float64) if self.classes else numbers,
            class_start=self.class_start if self.classes else np.zeros(1, np.int32),
            n_outputs=self.n_outputs,
            n_columns=self.n_columns,
        )


def _as_columns(y: Data) -> tuple[Array, bool]:
    if y is None:
        raise ValueError("this forest requires y to be passed, but the target y is None")
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        text = "A column-vector y was passed when a 1d array was expected; its one column is used."
        warn(text, DataConversionWarning)
        y = y[:, 0]
    if y.ndim not in (1, 2):
        raise ValueError(f"y has {y.ndim} dimensions; it must be (n,) or (n, outputs)")
    return y.reshape(len(y), -1), y.ndim == 1


def _check_labels(columns: Array) -> None:
    """Raise an error or warn for values that are no labels, as scikit-learn does; skip it for plain labels."""
    plain = columns.shape[1] == 1 and (columns.dtype.kind in "biuU" or _are_text(columns))
    if not plain or 2 * len(_labels_and_codes(columns[:, 0])[0]) >= len(columns):
        check_classification_targets(columns)


def _are_text(columns: Array) -> bool:
    return columns.dtype.kind == "O" and set(map(type, columns.ravel().tolist())) == {str}


def _labels_and_codes(column: Array) -> tuple[Array, Array]:
    """Return the distinct labels in order, and the place of each entry among them."""
    if not _are_text(column):
        labels, codes = np.unique(column, return_inverse=True)
        return labels, codes
    # Sorting many pieces of text takes longer than counting them, and does not hear Ctrl-C.
    texts = column.tolist()
    known = sorted(set(texts))
    number = {text: code for code, text in enumerate(known)}
    return np.array(known, dtype=object), np.fromiter((number[text] for text in texts), np.int32, len(texts))


def class_targets(y: Data) -> Targets:
    columns, one_dimensional = _as_columns(y)
    _check_labels(columns)
    codes = np.empty(columns.shape, dtype=np.int32)
    classes: list[Array] = []
    first = 0
    for output, column in enumerate(columns.T):
        try:
            labels, codes_of = _labels_and_codes(column)
        except TypeError as error:
            raise TypeError(f"y mixes labels that cannot be ordered: {error}") from error
        codes[:, output] = codes_of + first
        classes.append(labels)
        first += len(labels)
    return Targets("classes", codes, one_dimensional, classes)


def number_targets(y: Data) -> Targets:
    columns, one_dimensional = _as_columns(y)
    if columns.dtype.kind not in "biufO":
        raise TypeError(f"y has dtype {columns.dtype}; it must hold real numbers")
    try:
        values = np.array(columns, dtype=np.float64, order="C")  # a copy: kept, whatever becomes of y
    except ArithmeticError as error:
        raise ValueError("y holds a number that no double can hold; values must stay below 1e150") from error
    if not np.isfinite(values).all():
        raise ValueError("y contains NaN or infinity")
    if np.abs(values).max() > 1e150:
        raise ValueError(f"y holds a value of size {np.abs(values).max():g}; values must stay below 1e150")
    return Targets("numbers", values, one_dimensional)


def no_targets(y: Data = None) -> Targets:
    """Return the targets of a forest that learns from X alone."""
    return Targets("nothing", np.empty((0, 0)), True)
