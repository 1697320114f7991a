"""Errors on MNIST against training images, on logarithmic axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foliation_experiments.classes.figures import STYLES
from foliation_experiments.classes.published import ERRORS
from foliation_experiments.drawing import Panel, draw
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TICKS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


def figures(table: Table) -> dict[str, Figure]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 6.4), layout="constrained")
    ax = figure.subplots()
    where = {"part": "figure", "problem": "mnist"}
    published = ERRORS["mnist"]["MORF"] if table.scale == "full" else None
    panel = Panel("", "error", where, table.ats(**where), published=published, label="published MORF")
    draw(ax, table, panel, STYLES)
    ax.set(xlabel="training images", ylabel="test error", yscale="log", ylim=(0.004, 0.7))
    ax.set_yticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
    ax.minorticks_off()
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False)
    return {"mnist": figure}
