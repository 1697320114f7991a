"""The figure of the experiment `connectome`: neurons above, precision against recall below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foliation_experiments.curves import empty
from foliation_experiments.distances.brains import KS, PROBLEMS, embedded
from foliation_experiments.drawing import BLACK, BLUE, GRAY, GREEN, ORANGE, PINK, RED, SKY, Style
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TYPES = {  # by the letter in the data
    "K": ("Kenyon cells", BLUE, "o"),
    "I": ("input neurons", RED, "s"),
    "O": ("output neurons", GREEN, "^"),
    "P": ("projection neurons", ORANGE, "D"),
}
_STYLES = {
    "GF": Style(BLUE, "o", ours=True),
    "GF depth": Style(SKY, "s", ours=True),
    "GF floor 1e-8": Style(RED, "^", ours=True),
    "Euclidean": Style(GRAY, "s"),
    "Isomap": Style(GREEN, "v"),
    "UMAP": Style(ORANGE, "P"),
    "random trees": Style(PINK, "d"),
    "Breiman": Style(BLACK, "X"),
}
_SHOWN = (0, 3)  # coordinates: the first of sending, the first of receiving


def figures(table: Table) -> dict[str, Figure]:
    """Draw the layout of the paper's figure 5."""
    there = [problem for problem in PROBLEMS if problem in table.problems()]
    figure, axes = empty(2, len(there))
    for column, problem in enumerate(there):
        _neurons(axes[0, column], problem)
        _trade(axes[1, column], table, problem)
    for ax in axes[:, -1]:
        ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return {"connectome": figure}


def _neurons(ax: Any, problem: str) -> None:
    points, types = embedded(problem)
    for letter, (name, color, marker) in _TYPES.items():
        x, y = points[types == letter][:, _SHOWN].T
        ax.scatter(x, y, s=10, color=color, marker=marker, alpha=0.7, linewidths=0, label=name)
    ax.set(title=problem, xlabel="sending, 1", ylabel="receiving, 1")


def _trade(ax: Any, table: Table, problem: str) -> None:
    for method, style in _STYLES.items():
        found = [
            [table.mean_interval(f"{name}@{k}", problem=problem, method=method) for name in ("recall", "precision")]
            for k in KS
        ]
        places = [(recall.mean, precision.mean) for recall, precision in found if recall and precision]
        if places:
            ax.plot(*zip(*places, strict=True), label=method, **style.options())
    ax.set(title=problem, xlabel="geodesic recall", ylabel="geodesic precision")
