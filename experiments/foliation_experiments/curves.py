"""Curves over numbers of neighbors, with bands as wide as their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from foliation_experiments.drawing import BLACK, BLUE, GRAY, GREEN, ORANGE, PINK, RED, SKY
from foliation_experiments.harness.table import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLORS = (BLUE, RED, GREEN, PINK, ORANGE, SKY, BLACK, GRAY)
_FEWEST = 5  # seeds that have a band; with fewer, bands would cover everything


def empty(n_rows: int, n_columns: int) -> tuple[Figure, Any]:
    """Return a figure and its axes, an array with a row for each row of panels."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.1 * n_columns + 0.4, 2.7 * n_rows + 0.9), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False)
    for ax in axes.flat:
        ax.grid(alpha=0.25)
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes


def fit_to_lines(ax: Any) -> None:
    """Let the lines fill the height of a panel; bands may leave it."""
    values = np.concatenate([line.get_ydata() for line in ax.lines])
    margin = 0.05 + 0.1 * np.ptp(values)
    ax.set_ylim(values.min() - margin, min(1.0, values.max()) + margin)


def curve(ax: Any, x: Sequence[float], found: Sequence[Interval | None], style: dict[str, Any]) -> None:
    """Draw means over x in a band of their intervals, unless seeds are few; points without a run are left out."""
    there = [(at, one) for at, one in zip(x, found, strict=True) if one is not None]
    places = [at for at, _ in there]
    means = np.array([one.mean for _, one in there])
    halves = np.array([one.half if one.n >= _FEWEST else 0.0 for _, one in there])
    ax.plot(places, means, **style)
    ax.fill_between(places, means - halves, means + halves, color=style["color"], alpha=0.15, linewidth=0)
