"""The figure of the experiment on patch sizes: boxes and folds for each range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foliation_experiments.curves import empty
from foliation_experiments.drawing import BLACK, BLUE, GRAY, RED
from foliation_experiments.harness.table import Table
from foliation_experiments.simulated.optimum import RAW, optimum, relative, too_small

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLORS = {"best": BLUE, "cannot hold the pattern": RED, "other": BLACK}
_JITTER = 0.13  # largest distance of a fold from the middle of its box


def figures(table: Table) -> dict[str, Figure]:
    problems = table.problems(part="ranges")
    figure, axes = empty(len(problems), 1)
    figure.set_size_inches(8.6, 3.2 * len(problems) + 0.6)
    for problem, ax in zip(problems, axes[:, 0], strict=True):
        _panel(ax, table, problem)
    handles = [axes[0, 0].plot([], [], "o", color=color, ms=5, label=name)[0] for name, color in _COLORS.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return {"misspecified": figure}


def _panel(ax: Any, table: Table, problem: str) -> None:
    methods = table.methods(part="ranges", problem=problem)
    best = optimum(table, problem)
    for place, method in enumerate(methods):
        kind = "best" if method == best else "cannot hold the pattern" if too_small(problem, method) else "other"
        _box(ax, place, relative(table, problem, method), _COLORS[kind])
    if problem not in RAW:
        ax.axhline(0, color=GRAY, linestyle="--", zorder=1)
    ax.set_xticks(range(len(methods)), methods, rotation=45, ha="right", fontsize=8)
    ax.set(ylabel="accuracy" if problem in RAW else "accuracy, relative", xlabel="smallest and largest patch")
    ax.set_title(problem, fontsize=11)


def _box(ax: Any, place: int, values: Any, color: str) -> None:
    look = {"color": color, "linewidth": 1.2}
    box = {"boxprops": look, "whiskerprops": look, "capprops": look, "medianprops": look}
    ax.boxplot([values], positions=[place], widths=0.5, showfliers=False, **box)
    ax.plot(place + np.linspace(-_JITTER, _JITTER, len(values)), values, "o", color=color, ms=3, alpha=0.6, mew=0)
