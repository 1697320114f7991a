"""Weights and groups of the training rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from foliation.data.arrays import Data, Floats, Ints
from foliation.data.targets import Targets
from foliation.validation import real_numbers

ClassWeight = dict[object, float] | list[dict[object, float]] | str | None


@dataclass(frozen=True)
class RowWeights:
    """What users give for the rows besides X and y, before it is validated."""

    n_rows: int
    sample_weight: Data = None
    groups: Data = None


def row_weights(
    n_rows: int, y: Data, targets: Targets, sample_weight: Data, class_weight: ClassWeight
) -> Floats | None:
    """Return the product of sample and class weights, or None if all rows weigh the same."""
    weights = None if sample_weight is None else _checked(sample_weight, n_rows, "sample_weight")
    by_class = _class_weights(class_weight, y, targets, weights)
    if by_class is None:
        return weights
    return _checked(by_class if weights is None else weights * by_class, n_rows, "class_weight")


def _checked(weights: Data, n_rows: int, name: str) -> Floats:
    """Return weights as an array of finite, non-negative numbers that are not all zero."""
    array = np.asarray(weights)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {array.dtype}; it must hold real numbers")
    if array.shape not in ((), (n_rows,)):
        raise ValueError(f"{name} has shape {array.shape}; it must be ({n_rows},), one weight for each row of X")
    bad = array[~(np.isfinite(array) & (array >= 0))]
    if bad.size:
        raise ValueError(f"{name} gives a row the weight {bad.flat[0]:g}; weights must be finite and at least 0")
    if not (array > 0).any():
        raise ValueError(f"{name} is zero for all rows; at least one weight must be positive")
    if not 1e-100 <= float(array.max()) <= 1e100:
        raise ValueError(f"{name} has {array.max():g} as its largest weight; that must lie between 1e-100 and 1e100")
    return np.array(np.broadcast_to(array, n_rows), dtype=np.float64)


def _class_weights(class_weight: ClassWeight, y: Data, targets: Targets, weights: Floats | None) -> Floats | None:
    """Return weights of the rows by their classes: a dict, a list of dicts, or "balanced"."""
    if class_weight is None:
        return None
    if isinstance(class_weight, dict | list):
        for of_output in class_weight if isinstance(class_weight, list) else [class_weight]:
            if isinstance(of_output, dict):
                real_numbers("class_weight", list(of_output.values()))
        expanded: Floats = compute_sample_weight(class_weight, np.asarray(y))
        return expanded
    of_rows = np.ones(len(targets.y)) if weights is None else weights
    product = np.ones(len(targets.y))
    for codes, labels in zip(targets.y.T, targets.classes, strict=True):
        of_class = np.bincount(codes - codes.min(), weights=of_rows, minlength=len(labels))
        share = of_class[codes - codes.min()]
        product *= np.where(share > 0, of_rows.sum() / (len(labels) * np.where(share > 0, share, 1)), 0.0)
    return product


def _is_missing(label: object) -> bool:
    try:
        return label is None or bool(label != label)
    except (ArithmeticError, TypeError):  # a signaling NaN of decimal numbers, and what pandas has for no value
        return True


def group_codes(groups: Data, n_rows: int) -> Ints:
    """Return the group of each row, numbered from 0."""
    try:
        array = np.asarray(groups)
    except ValueError as error:
        raise ValueError(f"groups must be one group for each row of X: {error}") from error
    if array.shape != (n_rows,):
        raise ValueError(f"groups has shape {array.shape}; it must be ({n_rows},), one group for each row of X")
    if any(_is_missing(label) for label in array.tolist()):
        raise ValueError("groups contains NaN or None; every row must belong to a group")
    try:
        codes = np.unique(array, return_inverse=True)[1].astype(np.int32)
    except TypeError as error:
        raise TypeError(f"groups mixes labels that cannot be ordered: {error}") from error
    if codes.max() == 0:
        raise ValueError("groups has one group only; trees draw groups, so there must be at least two")
    return codes
