"""Figures laid out as figures 6 and S2 of the MORF paper: mean ROC curves above, all AUROCs by method below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from foliation_experiments.classes.figures import STYLES
from foliation_experiments.classes.roc import RATES, mean_curve
from foliation_experiments.curves import curve
from foliation_experiments.drawing import BLACK, GRAY, ORANGE, Style
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLES = {**STYLES, "CSP + LR": Style(ORANGE, "P")}


def strips_figure(table: Table, panels: Mapping[str, Selection], bands: Sequence[str], dots: str) -> Figure:
    """Draw a column for each panel; some methods have bands around their curves, and `dots` says what a dot is."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.8 * len(panels) + 1.4, 9.0), layout="constrained")
    axes = figure.subplots(2, len(panels), squeeze=False)
    for (title, selection), above, below in zip(panels.items(), *axes, strict=True):
        _curves(above, table, selection, bands)
        _strips(below, table, selection)
        above.set_title(title, fontsize=11)
        below.set_ylabel(f"AUROC, a dot for each {dots}")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    return figure


def _curves(ax: Any, table: Table, selection: Selection, bands: Sequence[str]) -> None:
    for place, method in enumerate(table.methods(**selection)):
        style = {**_STYLES[method].options(), "markevery": (place % 4, 4), "label": method}
        found = mean_curve(table, method=method, **selection)
        shown = found if method in bands else [one and one._replace(n=1) for one in found]
        curve(ax, list(RATES), shown, style)
    ax.plot([0, 1], [0, 1], color=GRAY, linestyle=":", label="chance")
    ax.set(xlabel="false-positive rate", ylabel="mean true-positive rate", ylim=(0, 1.02), aspect="equal")
    _tidy(ax)


def _strips(ax: Any, table: Table, selection: Selection) -> None:
    methods = table.methods(**selection)
    for place, method in enumerate(methods):
        values = table.values("auroc", method=method, **selection)
        style = _STYLES[method]
        ax.plot(place + _apart(len(values)), values, style.marker, color=style.color, alpha=0.7, markersize=6)
        ax.hlines(np.median(values), place - 0.32, place + 0.32, color=BLACK, linewidth=2, zorder=4)
    ax.axhline(0.5, color=GRAY, linestyle=":")
    ax.set_xticks(range(len(methods)), methods, rotation=45, ha="right")
    ax.set(xlim=(-0.6, len(methods) - 0.4), ylim=(min(0.35, table.values("auroc", **selection).min() - 0.03), 1.03))
    _tidy(ax)


def _apart(n: int) -> Any:
    """Return small steps aside, the same for every method, so that equal values are seen."""
    return np.linspace(-0.2, 0.2, n) if n > 1 else np.zeros(n)


def _tidy(ax: Any) -> None:
    ax.grid(axis="y", alpha=0.25)
    ax.spines[["top", "right"]].set_visible(False)
