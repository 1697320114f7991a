"""The figures of the experiment `geodesic`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foliation_experiments.curves import COLORS, curve, empty, fit_to_lines
from foliation_experiments.distances.panels import LABELS, over_noise
from foliation_experiments.distances.problems import MANIFOLDS
from foliation_experiments.drawing import BLUE, RED, Style, grid_figure
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KS = tuple(range(10, 201, 10))
_LINES = {"axis": "-", "nonzeros 1.5": "--"}  # a density of 1/20 is one feature where there are three
_PARAMETERS = ("min_samples_split", "max_features")
_AFFINITIES = {
    "depth, 100": Style(RED, "o", ours=True),
    "leaf, 100": Style(BLUE, "o", ours=True),
    "depth, 32": Style(RED, "s"),
    "leaf, 32": Style(BLUE, "s"),
}


def figures(table: Table) -> dict[str, Figure]:
    return {"rules": _rules(table), "parameters": _parameters(table), "affinity": _affinity(table)}


def _rules(table: Table) -> Figure:
    """Draw precision against k for each rule: the paper's figure 2."""
    figure, axes = empty(1, len(MANIFOLDS))
    methods = [method for method in table.methods(part="rules") if method.split(", ")[1] in _LINES]
    criteria = list(dict.fromkeys(method.split(", ")[0] for method in methods))
    for ax, problem in zip(axes.flat, MANIFOLDS, strict=True):
        for method in methods:
            criterion, family = method.split(", ")
            style = {"color": COLORS[criteria.index(criterion)], "linestyle": _LINES[family], "label": method}
            _over_k(ax, table, {"part": "rules", "problem": problem, "method": method}, style)
        ax.set(title=problem, xlabel="neighbors k")
        fit_to_lines(ax)
    axes[0, 0].set_ylabel("geodesic precision")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
    return figure


def _parameters(table: Table) -> Figure:
    """Draw precision against k for the values of two parameters: the paper's figure 3."""
    figure, axes = empty(len(_PARAMETERS), len(MANIFOLDS))
    for part, row in zip(_PARAMETERS, axes, strict=True):
        for ax, problem in zip(row, MANIFOLDS, strict=True):
            for color, at in zip(COLORS, table.ats(part=part), strict=False):
                style = {"color": color, "label": f"{at:g}"}
                _over_k(ax, table, {"part": part, "problem": problem, "at": at}, style)
            ax.set(title=problem, xlabel="neighbors k", ylim=(0, 1))
        row[0].set_ylabel("geodesic precision")
        row[-1].legend(title=part, fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def _affinity(table: Table) -> Figure:
    """Draw precision under noise for both affinities."""
    return grid_figure(table, [over_noise(table, "affinity")], _AFFINITIES, LABELS)


def _over_k(ax: Any, table: Table, selection: dict[str, str | float], style: dict[str, Any]) -> None:
    curve(ax, KS, [table.mean_interval(f"precision@{k}", **selection) for k in KS], style)
