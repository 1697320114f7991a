"""The page and the figure of the experiment `series`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from foliation_experiments.curves import empty
from foliation_experiments.drawing import BLUE, GRAY
from foliation_experiments.harness.markdown import number
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection, each, mean_rows

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from foliation_experiments.harness.table import Interval

OURS = "ours"


def page(table: Table) -> str:
    problems: dict[str, Selection] = each("problem", table.problems())
    methods = table.methods()
    rows = mean_rows(table, "accuracy", each("method", methods), problems)
    rows = [[*row, f"{mean(table, 'accuracy', row[0]):.4f}"] for row in rows]
    return f"""
`ours` is `ForestClassifier(500, projections="series")`, with nothing chosen by data set; `MORF`, `SPORF` and `RF` have
500 trees and their defaults. TSF is TimeSeriesForest, CIF the Canonical Interval Forest and 1NN-DTW the nearest
neighbor by dynamic time warping, all of aeon with its defaults, in an environment of its own. The search that chose
the preset saw training rows only; but when the spectrum was being defined, these test rows were once looked at.

## Accuracy on the official test rows

Mean over seeds with its 95 % interval; the last column counts each problem once.

{markdown(("method", *problems, "mean"), rows)}

{comparisons(table)}

## Time

Mean seconds over problems, on one thread beside another run; what aeon compiles was compiled before.

{_seconds(table)}
""".strip()


def _seconds(table: Table) -> str:
    rows = []
    for name in table.methods():
        fit, predict = (mean(table, f"{what} seconds", name) for what in ("fit", "predict"))
        rows.append([name, *map(number, (fit, predict, fit + predict))])
    return markdown(("method", "fit", "predict", "together"), rows)


def mean(table: Table, column: str, method: str) -> float:
    """Return a mean over problems, each counted once."""
    found = [table.mean_interval(column, method=method, problem=problem) for problem in table.problems()]
    return float(np.mean([one.mean for one in found if one is not None] or [np.nan]))


def comparisons(table: Table) -> str:
    """Write of each method by how much ours is above it, and what a test over problems says."""
    lines = [_compared(table, other) for other in table.methods() if other != OURS]
    header = ("minus", "mean difference", "problems better", "worse", "Wilcoxon's p")
    text = (
        "Ours minus each, over problems. With seven of them the smallest possible p is .016, and a mean of seven says "
        "little of an eighth:"
    )
    return f"{text}\n\n{markdown(header, lines)}"


def _compared(table: Table, other: str) -> list[str]:
    pairs = [[_at(table, name, problem) for name in (OURS, other)] for problem in table.problems()]
    apart = [a.mean - b.mean for a, b in pairs if a is not None and b is not None]
    p = float(stats.wilcoxon(apart).pvalue) if np.any(apart) else 1.0
    better, worse = sum(one > 0 for one in apart), sum(one < 0 for one in apart)
    return [other, f"{np.mean(apart or [np.nan]):+.4f}", str(better), str(worse), f"{p:.3f}"]


def _at(table: Table, method: str, problem: str) -> Interval | None:
    return table.mean_interval("accuracy", method=method, problem=problem)


def figures(table: Table) -> dict[str, Figure]:
    """Draw accuracies against the seconds of fit and predict, both as means over problems."""
    figure, axes = empty(1, 1)
    figure.set_size_inches(6.0, 4.2)
    ax = axes[0][0]
    for method in table.methods():
        seconds = sum(mean(table, f"{what} seconds", method) for what in ("fit", "predict"))
        at = seconds, mean(table, "accuracy", method)
        ax.plot(*at, "o", color=BLUE if method == OURS else GRAY, markersize=9 if method == OURS else 6)
        ax.annotate(method, at, xytext=(6, -12 if method == "RF" else 4), textcoords="offset points")
    ax.set(xscale="log", xlabel="seconds of fit and predict, mean over problems", ylabel="accuracy, mean over problems")
    ax.margins(x=0.15, y=0.1)
    return {"series": figure}
