"""Panels of curves over a grid, one curve for each method, in colors that all eyes can tell apart (Okabe and Ito)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, RED, PINK, BLACK, GRAY = "#0072B2", "#D55E00", "#CC79A7", "#000000", "#999999"

_FEWEST = 3  # seeds that have error bars; with fewer, bars would cover everything


@dataclass(frozen=True)
class Style:
    """How one method is drawn; ours are solid and thick, others dashed and thin."""

    color: str
    marker: str
    ours: bool = False

    def options(self) -> dict[str, Any]:
        thick = {"linestyle": "-", "linewidth": 2.0, "markersize": 6, "zorder": 3}
        thin = {"linestyle": "--", "linewidth": 1.2, "markersize": 4.5, "zorder": 2}
        return {"color": self.color, "marker": self.marker, **(thick if self.ours else thin)}


@dataclass(frozen=True)
class Panel:
    """One set of axes: which runs, which column, and what is drawn beside the curves."""

    title: str
    column: str
    where: Mapping[str, str | float]
    ats: Sequence[float]
    chance: str = ""  # column that holds the value of guessing
    published: Mapping[float, float] | None = None
    label: str = "published GF"  # what the published values are of


def grid_figure(
    table: Table, panels: Sequence[Sequence[Panel]], styles: Mapping[str, Style], axes_labels: tuple[str, str]
) -> Figure:
    """Draw rows of panels with one legend outside of them; places on the x axis are the grid points in order."""
    from matplotlib.figure import Figure

    n_rows, n_columns = len(panels), len(panels[0])
    figure = Figure(figsize=(3.1 * n_columns + 0.4, 2.5 * n_rows + 1.2), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False)
    for row, row_axes in zip(panels, axes, strict=True):
        for panel, ax in zip(row, row_axes, strict=True):
            draw(ax, table, panel, styles)
    for ax in axes[:, 0]:
        ax.set_ylabel(axes_labels[1])
    for ax in axes[-1]:
        ax.set_xlabel(axes_labels[0])
    known = {text: handle for ax in axes.flat for handle, text in zip(*ax.get_legend_handles_labels(), strict=True)}
    order = sorted(known, key=[*styles, *known].index)
    figure.legend([known[text] for text in order], order, loc="outside lower center", ncols=5, frameon=False)
    return figure


def draw(ax: Any, table: Table, panel: Panel, styles: Mapping[str, Style]) -> None:
    """Draw the curves of one panel with their intervals, chance, and the published values."""
    for method, style in styles.items():
        _curve(ax, table, panel, method, style)
    chance = table.mean_interval(panel.chance, **panel.where) if panel.chance else None
    if chance is not None:
        ax.axhline(chance.mean, color=GRAY, linestyle=":", label="chance")
    if panel.published:
        places = [panel.ats.index(at) for at in panel.published]
        ax.plot(places, list(panel.published.values()), "x", color=BLACK, ms=7, mew=1.6, zorder=4, label=panel.label)
    ax.set_title(panel.title, fontsize=11)
    ax.set_xticks(range(len(panel.ats)), [f"{at:,g}" for at in panel.ats])
    ax.set(ylim=(0, 1.03), yticks=(0, 0.25, 0.5, 0.75, 1))
    ax.grid(axis="y", alpha=0.25)
    ax.spines[["top", "right"]].set_visible(False)


def _curve(ax: Any, table: Table, panel: Panel, method: str, style: Style) -> None:
    found = [table.mean_interval(panel.column, method=method, at=at, **panel.where) for at in panel.ats]
    there = [(place, value) for place, value in enumerate(found) if value is not None]
    if there:
        places, values = [place for place, _ in there], [value for _, value in there]
        bars = [0.0 if value.n < _FEWEST else value.half for value in values]
        ax.errorbar(places, [value.mean for value in values], bars, label=method, elinewidth=1, **style.options())
