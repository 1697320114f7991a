"""The area under ROC curves of one split, with test rows and seeds drawn again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foliation_experiments.harness.table import Row, Table

POSITIVE, NEGATIVE = "positive ", "negative "  # columns of the scores of rows, by class
_DRAWS = 2000


@dataclass(frozen=True)
class Redrawn:
    """A figure, and what it is on rows and seeds that were drawn again."""

    value: float
    draws: NDArray[np.float64]

    def minus(self, other: Redrawn) -> Redrawn:
        return Redrawn(self.value - other.value, self.draws - other.draws)

    def bounds(self) -> tuple[float, float]:
        low, high = np.quantile(self.draws, (0.025, 0.975))
        return float(low), float(high)

    def apart(self) -> bool:
        """Return whether the 95 % interval excludes zero."""
        low, high = self.bounds()
        return low > 0 or high < 0

    def written(self, sign: str = "") -> str:
        low, high = self.bounds()
        return f"{self.value:{sign}.3f} ({low:{sign}.3f} to {high:{sign}.3f})"


def redrawn(table: Table, part: str) -> dict[str, Redrawn]:
    """Return the mean area of every method over its seeds; the rows that are drawn are the same for all."""
    rng = np.random.default_rng(0)
    methods = table.methods(part=part)
    wins = {name: np.stack([_wins(row) for row in table.where(part=part, method=name)]) for name in methods}
    n_positive, n_negative = next(iter(wins.values())).shape[1:]
    weights = _weights(n_positive, rng), _weights(n_negative, rng)
    return {name: Redrawn(float(won.mean()), _areas(won, *weights, rng)) for name, won in wins.items()}


def _wins(row: Row) -> NDArray[np.float64]:
    """Return for each pair of a positive and a negative row whether the first scores higher; a tie counts half."""
    positive, negative = (_scores(row, name) for name in (POSITIVE, NEGATIVE))
    apart = np.subtract.outer(positive, negative)
    return np.asarray((apart > 0) + 0.5 * (apart == 0))


def _scores(row: Row, name: str) -> NDArray[np.float64]:
    return np.array([row[column] for column in row if column.startswith(name)])


def _weights(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return how often each of n is drawn, over n, in every draw."""
    return np.asarray(rng.multinomial(n, np.full(n, 1 / n), size=_DRAWS) / n)


def _areas(
    wins: NDArray[np.float64], positive: NDArray[np.float64], negative: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    by_seed = np.stack([((positive @ one) * negative).sum(axis=1) for one in wins], axis=1)
    return np.asarray((by_seed * _weights(len(wins), rng)).sum(axis=1))
