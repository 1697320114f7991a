"""ROC curves as figures by name: the area under one, and its height at fixed rates of false positives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import roc_auc_score, roc_curve

from foliation_experiments.harness.table import Interval, Table

RATES = np.linspace(0.0, 1.0, 21)
COLUMNS = tuple(f"tpr@{rate:.2f}" for rate in RATES)


def scores(estimator: Any, X: Any) -> NDArray[np.float64]:
    """Return how much a fitted classifier leans to the second class: its probability, or else its decision value."""
    if hasattr(estimator, "predict_proba"):
        return np.asarray(estimator.predict_proba(X)[:, 1], dtype=np.float64)
    return np.asarray(estimator.decision_function(X), dtype=np.float64)


def roc(y: ArrayLike, found: ArrayLike) -> dict[str, float]:
    """Return "auroc" and the true-positive rates at all RATES, for labels 0 and 1."""
    false, true, _ = roc_curve(y, found)
    heights = np.interp(RATES, false, true)
    heights[0] = 0.0
    rates = {name: float(height) for name, height in zip(COLUMNS, heights, strict=True)}
    return {"auroc": float(roc_auc_score(y, found)), **rates}


def mean_of(found: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of every figure over folds."""
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


def mean_curve(table: Table, **selection: str | float) -> list[Interval | None]:
    """Return the mean true-positive rate at all RATES with its interval."""
    return [table.mean_interval(name, **selection) for name in COLUMNS]
