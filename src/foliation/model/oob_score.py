"""The score of a forest on its training rows, each predicted by the trees that did not draw it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from numbers import Real

import numpy as np

from foliation._core import Machine
from foliation.data.arrays import Array, Data, Floats
from foliation.model.copies import warn_of_copies
from foliation.model.model import Model
from foliation.model.training import find
from foliation.printable import quoted
from foliation.warn import warn

Metric = Callable[..., float]  # of (truth, prediction), and of sample_weight if it takes that


def with_oob_score(model: Model, y: Data, metric: Metric | bool, sample_weight: Data, machine: Machine) -> Model:
    """Return the model of a fit with its score out of the bag: accuracy, R squared, or what a metric says.

    Rows count by their sample weights. Class weights do not count, as in scikit-learn: they say what trees should
    attend to, and the score is about the rows as they are.
    """
    rows, targets = model.training.rows, model.targets
    assert rows is not None, "a fit has its rows"
    find(model, rows, ["oob"], machine)
    mean = model.training.cached["oob"]
    weights = None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, np.float64), len(mean))
    counted = np.ones(len(mean), dtype=bool) if weights is None else weights > 0
    seen = counted & np.isfinite(mean).all(axis=1)
    if n_unseen := int((counted & ~seen).sum()):
        warn(f"{n_unseen} rows have no out-of-bag prediction; more trees would give them one")
    if not seen.any():
        return replace(model, oob_score=float("nan"))
    warn_of_copies(model)
    predicted = targets.labels(mean[seen]) if targets.classes else targets.outputs(mean[seen])
    truth = np.asarray(y).reshape(len(seen), *predicted.shape[1:])[seen]
    score = metric if callable(metric) else (_all_right if targets.classes else _r2)
    weighted = {} if weights is None or not _takes_weights(score) else {"sample_weight": weights[seen]}
    value = score(truth, predicted, **weighted)
    if not isinstance(value, Real):
        raise TypeError(f"oob_score={quoted(metric)} returned {quoted(value)}: expected a number")
    return replace(model, oob_score=float(value))


def _takes_weights(metric: Metric) -> bool:
    try:
        return "sample_weight" in inspect.signature(metric).parameters
    except ValueError:  # of builtins that do not say what they take
        return False


def _all_right(truth: Array, predicted: Array, sample_weight: Floats | None = None) -> float:
    """Return the share of rows of which all outputs are right."""
    right = (truth == predicted).reshape(len(truth), -1).all(axis=1)
    return float(np.average(right, weights=sample_weight))


def _r2(truth: Array, predicted: Floats, sample_weight: Floats | None = None) -> float:
    from sklearn.metrics import r2_score  # takes long to import

    return float(r2_score(truth.astype(np.float64), predicted, sample_weight=sample_weight))
