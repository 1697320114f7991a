"""Ranges of patch sizes relative to the best of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foliation_experiments.classes.sides import side
from foliation_experiments.harness.table import Table

RAW = ("bars",)  # problems whose best range has no spread to divide by: accuracy as it is
_HOLDS = {"circle": 7}  # smallest size of a patch that holds a segment of six cells and the gap that ends it


def optimum(table: Table, problem: str) -> str:
    """Return the range with the largest mean accuracy in the search, of those that can hold the pattern; the first."""
    methods = [method for method in table.methods(problem=problem) if not too_small(problem, method)]
    return max(methods, key=lambda method: searched(table, problem, method))


def searched(table: Table, problem: str, method: str) -> float:
    """Return the mean accuracy of a range in the search."""
    return _mean(table.values("accuracy", part="optimum", problem=problem, method=method))


def relative(table: Table, problem: str, method: str) -> NDArray[np.float64]:
    """Return accuracies minus the mean of the best range, over its standard deviation; as they are for some."""
    values = table.values("accuracy", part="ranges", problem=problem, method=method)
    if problem in RAW:
        return values
    best = table.values("accuracy", part="ranges", problem=problem, method=optimum(table, problem))
    spread = float(best.std(ddof=1)) if len(best) > 1 else 0.0
    return (values - _mean(best)) / (spread or 1.0)


def beside(table: Table, problem: str, sign: int) -> list[str]:
    """Return the ranges that are less accurate than the best one, or with a plus more, paired over folds."""
    best = optimum(table, problem)
    here = {"part": "ranges", "problem": problem}
    return [method for method in table.methods(**here) if side(table, "accuracy", method, best, here) == sign]


def too_small(problem: str, method: str) -> bool:
    """Return whether the largest patch of a range cannot hold the pattern."""
    return int(method.rsplit("-", 1)[1]) < _HOLDS.get(problem, 0)


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if values.size else -np.inf
