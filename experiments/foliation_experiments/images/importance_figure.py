"""Maps of importances laid out as the paper's: the class means and their difference above, the forests below."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from foliation_experiments.harness.data import Rows
from foliation_experiments.harness.experiment import Scale
from foliation_experiments.harness.table import Table
from foliation_experiments.images.importance_page import KINDS, MEANS
from foliation_experiments.markup import written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORESTS = ("RF", "SPORF", "MORF")
_FIRST = 0  # the draw that is drawn

Images = Callable[[int], tuple[Rows, Rows]]
Maps = Callable[[str, int, Scale], dict[str, Rows]]


def figures(images: Images, maps: Maps, table: Table) -> dict[str, Figure]:
    """Draw one figure for each kind of importance; the maps are made anew, runs hold numbers only."""
    X, y = images(_FIRST)
    means = {f"mean of the {label}s": X[y == label].mean(axis=0) for label in np.unique(y)}
    found = {method: maps(method, _FIRST, table.scale) for method in (MEANS, *_FORESTS)}
    return {f"importance_{kind}": _figure(table, kind, means, found) for kind in KINDS}


def _figure(table: Table, kind: str, means: dict[str, Rows], found: dict[str, dict[str, Rows]]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.2, 7.2), layout="constrained")
    axes = figure.subplots(2, 3)
    for ax, (title, mean) in zip(axes[0], means.items(), strict=False):
        _picture(ax, title, mean, "gray")
    for ax, method in zip([axes[0, 2], *axes[1]], found, strict=True):
        title = method if method == MEANS else f"{method}, {kind}"
        _picture(ax, title, found[method][kind], "viridis")
        ax.set_xlabel(_numbers(table, method, kind), fontsize=9)
    return figure


def _picture(ax: Any, title: str, pixels: Rows, colors: str) -> None:
    """Draw pixels from zero to their own largest value."""
    ax.imshow(pixels, cmap=colors, vmin=0)
    ax.set_title(title, fontsize=11)
    ax.set(xticks=[], yticks=[])


def _numbers(table: Table, method: str, kind: str) -> str:
    rough, empty, faint = (
        written(table.mean_interval(f"{kind} {name}", method=method)) for name in ("roughness", "empty", "faint")
    )
    return f"roughness {rough}\nempty pixels {empty}\nfaint pixels {faint}"
