"""What a forest learns, in the form the core reads: classes numbered through all outputs, or numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets


@dataclass(frozen=True)
class Targets:
    """Targets of all rows. ``classes`` lists the labels of each output; empty in regression."""

    y: NDArray[Any]
    n_outputs: int
    one_dimensional: bool
    classes: list[NDArray[Any]] = field(default_factory=list)

    @property
    def n_columns(self) -> int:
        return sum(len(labels) for labels in self.classes) if self.classes else self.n_outputs

    def kind(self) -> tuple[Any, ...]:
        """Return what two sets of targets must share to be learned by one forest."""
        return self.n_outputs, self.one_dimensional, self.classes

    def prior(self, weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Return the shares of the classes among all rows, or the means of the outputs."""
        if not self.n_columns:
            return np.empty(0)
        if not self.classes:
            return np.asarray(np.average(self.y, axis=0, weights=weights))
        row_weights = np.ones(len(self.y)) if weights is None else weights
        sums = np.bincount(self.y.ravel(), np.repeat(row_weights, self.n_outputs), minlength=self.n_columns)
        return np.asarray(sums / row_weights.sum())

    def core(self) -> dict[str, Any]:
        numbers = np.ascontiguousarray(self.y).ravel()
        empty_classes, empty_values = np.empty(0, np.int32), np.empty(0, np.float64)
        return {
            "classes": numbers if self.classes else empty_classes,
            "values": empty_values if self.classes else numbers,
            "n_outputs": self.n_outputs,
            "n_columns": self.n_columns,
            "class_start": np.cumsum([0, *(len(labels) for labels in self.classes)], dtype=np.int32),
        }


def _as_columns(y: Any) -> tuple[NDArray[Any], bool]:
    y = np.asarray(y)
    if y.ndim == 2 and y.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected; its one column is used.",
            DataConversionWarning,
            stacklevel=7,
        )
        y = y[:, 0]
    if y.ndim not in (1, 2):
        raise ValueError(f"y has {y.ndim} dimensions; it must be (n,) or (n, outputs)")
    return y.reshape(len(y), -1), y.ndim == 1


def _check_labels(columns: NDArray[Any]) -> None:
    """Refuse or warn of what are no labels, as scikit-learn does; labels that it plainly takes are not shown to it."""
    plain = columns.shape[1] == 1 and columns.dtype.kind in "biuU"
    if not plain or 2 * len(np.unique(columns)) >= len(columns):
        check_classification_targets(columns)


def class_targets(y: Any) -> Targets:
    columns, one_dimensional = _as_columns(y)
    _check_labels(columns)
    codes = np.empty(columns.shape, dtype=np.int32)
    classes: list[NDArray[Any]] = []
    first = 0
    for output, column in enumerate(columns.T):
        try:
            labels, codes_of = np.unique(column, return_inverse=True)
        except TypeError as error:
            raise TypeError(f"y mixes labels that cannot be ordered: {error}") from error
        codes[:, output] = codes_of + first
        classes.append(labels)
        first += len(labels)
    return Targets(codes, columns.shape[1], one_dimensional, classes)


def number_targets(y: Any) -> Targets:
    columns, one_dimensional = _as_columns(y)
    if columns.dtype.kind not in "biufO":
        raise TypeError(f"y has dtype {columns.dtype}; it must hold real numbers")
    values = np.array(columns, dtype=np.float64, order="C")  # a copy: kept, whatever becomes of y
    if not np.isfinite(values).all():
        raise ValueError("y contains NaN or infinity")
    if np.abs(values).max() > 1e150:
        raise ValueError(f"y holds a value of size {np.abs(values).max():g}; values must stay below 1e150")
    return Targets(values, columns.shape[1], one_dimensional)


def no_targets() -> Targets:
    """What a forest is told that learns from X alone."""
    return Targets(np.empty((0, 0)), 0, True)


def class_weights(
    class_weight: Any, y: Any, targets: Targets, weights: NDArray[np.float64] | None
) -> NDArray[np.float64] | None:
    """Weights of the rows by their classes: a dict, a list of dicts, or "balanced"."""
    if class_weight is None:
        return None
    if isinstance(class_weight, dict | list):
        expanded: NDArray[np.float64] = compute_sample_weight(class_weight, np.asarray(y))
        return expanded
    row_weights = np.ones(len(targets.y)) if weights is None else weights
    product = np.ones(len(targets.y))
    for codes, labels in zip(targets.y.T, targets.classes, strict=True):
        of_class = np.bincount(codes - codes.min(), weights=row_weights, minlength=len(labels))
        share = of_class[codes - codes.min()]
        product *= np.where(share > 0, row_weights.sum() / (len(labels) * np.where(share > 0, share, 1)), 0.0)
    return product
