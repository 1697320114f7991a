"""Figures laid out as the MORF paper's: rows of both classes above, errors against training rows below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foliation.simulations import impulse_bayes_error
from foliation_experiments.classes.problems import DRAW
from foliation_experiments.classes.published import ERRORS
from foliation_experiments.drawing import BLACK, BLUE, GRAY, GREEN, ORANGE, PINK, RED, SKY, Panel, Style, draw
from foliation_experiments.harness.data import Rows
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLES = {
    "MORF": Style(BLUE, "o", ours=True),
    "MORF, ours": Style(SKY, "o", ours=True),
    "MORF, as run": Style(SKY, "v", ours=True),
    "ours": Style(SKY, "o", ours=True),
    "SPORF": Style(GREEN, "s", ours=True),
    "RF": Style(BLACK, "D", ours=True),
    "ConvNet": Style(RED, "^"),
    "XGB 10": Style(ORANGE, "<"),
    "XGB 100": Style(ORANGE, ">"),
    "MLP": Style(PINK, "P"),
    "SVM": Style(PINK, "X"),
    "linear SVM": Style(GRAY, "X"),
    "LR": Style(GRAY, "P"),
    "kNN": Style(GRAY, "*"),
}
_FLOORS = {"impulse": impulse_bayes_error()}


def learning_figure(name: str, table: Table) -> dict[str, Figure]:
    from matplotlib.figure import Figure

    problems = table.problems(part="figure")
    figure = Figure(figsize=(6.4 * len(problems) + 0.4, 7.2), layout="constrained")
    places: Any = [[f"{p} {c}" for p in problems for c in (0, 1)], [p for p in problems for _ in (0, 1)]]
    axes = figure.subplot_mosaic(places, height_ratios=(1, 3))
    for problem in problems:
        _examples([axes[f"{problem} {label}"] for label in (0, 1)], problem)
        _errors(axes[problem], table, problem)
    handles, labels = axes[problems[0]].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5 * len(problems), frameon=False)
    return {name: figure}


def _examples(axes: list[Any], problem: str) -> None:
    """Draw the first row of each class, on a common scale."""
    X, _ = DRAW[problem](2, random_state=0)
    for label, ax in enumerate(axes):
        _row(ax, X[label], (float(X.min()), float(X.max())))
        ax.set_title(f"{problem}: class {label}", fontsize=10)


def _row(ax: Any, row: Rows, limits: tuple[float, float]) -> None:
    if row.ndim == 1:
        ax.step(np.arange(len(row)), row, where="mid", color=BLACK, linewidth=1)
        margin = 0.05 * (limits[1] - limits[0])
        ax.set(ylim=(limits[0] - margin, limits[1] + margin), xlabel="feature")
        ax.spines[["top", "right"]].set_visible(False)
        return
    square = row.shape[0] == row.shape[1]
    ax.imshow(row, cmap="gray", vmin=limits[0], vmax=limits[1], aspect="equal" if square else "auto")
    ax.set(xlabel="column" if square else "time", ylabel="row" if square else "channel")


def _errors(ax: Any, table: Table, problem: str) -> None:
    published = ERRORS.get(problem, {}).get("MORF") if table.scale == "full" else None
    where = {"part": "figure", "problem": problem}
    panel = Panel("", "error", where, table.ats(**where), published=published, label="published MORF")
    draw(ax, table, panel, STYLES)
    if problem in _FLOORS:
        ax.axhline(_FLOORS[problem], color=BLACK, linestyle=":", label="Bayes error")
    ax.set(xlabel="training rows", ylabel="test error", ylim=(0, 0.57), yticks=np.arange(0, 0.51, 0.1))
