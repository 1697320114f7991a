"""Runs, selected by what identifies them: values over seeds, their interval, and paired comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from foliation_experiments.harness.experiment import Scale

Row = dict[str, Any]  # part, problem, method, at, seed, seconds, commit, and what was measured

_PLACE = ("part", "problem", "method", "at")


def finished(row: Row) -> bool:
    """Return whether a run measured something, rather than failing or being skipped."""
    return not row.get("failed") and not row.get("skipped")


class Interval(NamedTuple):
    """A mean over `n` seeds and the half width of its 95 % interval (Student's t); NaN for a single seed."""

    mean: float
    half: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:.3f}" + (f" ± {self.half:.3f}" if self.n > 1 else "")


def interval(values: ArrayLike) -> Interval | None:
    """Return the mean of some values with its interval, or None if there are none."""
    numbers = np.asarray(values, dtype=np.float64)
    n = len(numbers)
    if n == 0:
        return None
    error = numbers.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return Interval(float(numbers.mean()), float(error * stats.t.ppf(0.975, max(1, n - 1))), n)


@dataclass(frozen=True)
class Table:
    """Finished runs. Every method takes ``part=``, ``problem=``, ``method=``, ``at=`` to narrow them down."""

    rows: Sequence[Row]
    scale: Scale = "full"
    settings: dict[str, Any] = field(default_factory=dict)  # what the runs were made with

    def where(self, **selection: str | float) -> list[Row]:
        """Return the runs that have these values."""
        if len(selection) == len(_PLACE):
            return self._places.get(tuple(selection[name] for name in _PLACE), [])
        checks = [(_PLACE.index(name), value) for name, value in selection.items()]
        fits = (rows for place, rows in self._places.items() if all(place[i] == value for i, value in checks))
        return [row for rows in fits for row in rows]

    def values(self, column: str, **selection: str | float) -> NDArray[np.float64]:
        """Return one column in the order of the seeds; runs that do not have it are left out."""
        rows = [row for row in self.where(**selection) if row.get(column) is not None]
        return np.array([row[column] for row in sorted(rows, key=lambda row: row["seed"])], dtype=np.float64)

    def mean_interval(self, column: str, **selection: str | float) -> Interval | None:
        """Return the mean over seeds with its 95 % interval, or None where there is no run."""
        return interval(self.values(column, **selection))

    def difference(self, column: str, a: str, b: str, **selection: str | float) -> Interval | None:
        """Return the mean of method `a` minus method `b` over the seeds that both have, with its interval."""
        return interval(self._differences(column, a, b, **selection))

    def signed_rank(self, column: str, a: str, b: str, **selection: str | float) -> float:
        """Return the p-value of Wilcoxon's matched signed-rank test of `a` against `b`; 1 if they never differ."""
        differences = np.round(self._differences(column, a, b, **selection), 9)  # so that equal ones are tied
        return float(stats.wilcoxon(differences).pvalue) if np.any(differences) else 1.0

    def beaten(self, column: str, a: str, b: str, **selection: str | float) -> bool:
        """Return whether `a` and `b` differ by the 95 % interval of their paired differences and by Wilcoxon's test."""
        difference = self.difference(column, a, b, **selection)
        apart = difference is not None and abs(difference.mean) > difference.half
        return apart and self.signed_rank(column, a, b, **selection) < 0.05

    def better(self, column: str, a: str, b: str, **selection: str | float) -> bool:
        """Return whether the 95 % interval of the paired differences of `a` and `b` lies above zero."""
        difference = self.difference(column, a, b, **selection)
        return difference is not None and difference.mean - difference.half > 0

    def parts(self, **selection: str | float) -> list[str]:
        return self._distinct("part", selection)

    def problems(self, **selection: str | float) -> list[str]:
        return self._distinct("problem", selection)

    def methods(self, **selection: str | float) -> list[str]:
        return self._distinct("method", selection)

    def ats(self, **selection: str | float) -> list[float]:
        return sorted(self._distinct("at", selection))

    @cached_property
    def _places(self) -> dict[tuple[Any, ...], list[Row]]:
        """The runs by all that identifies them but the seed."""
        places: dict[tuple[Any, ...], list[Row]] = {}
        for row in self.rows:
            places.setdefault(tuple(row[name] for name in _PLACE), []).append(row)
        return places

    def _distinct(self, name: str, selection: dict[str, str | float]) -> list[Any]:
        return list(dict.fromkeys(row[name] for row in self.where(**selection)))

    def _differences(self, column: str, a: str, b: str, **selection: str | float) -> list[float]:
        first, second = (self._by_run(column, method=name, **selection) for name in (a, b))
        return [first[key] - second[key] for key in first if key in second]

    def _by_run(self, column: str, **selection: str | float) -> dict[tuple[Any, ...], float]:
        rows = [row for row in self.where(**selection) if row.get(column) is not None]
        return {tuple(row[name] for name in ("part", "problem", "at", "seed")): row[column] for row in rows}
