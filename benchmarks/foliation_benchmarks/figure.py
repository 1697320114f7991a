"""Two figures: seconds of all contenders, and how ours grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foliation_benchmarks.contenders import BOOSTERS, CONTENDERS, GEODESIC, GRID, OURS, TREEPLE_GEODESIC
from foliation_benchmarks.scale import SCALINGS, Scaling
from foliation_benchmarks.summary import of
from foliation_benchmarks.workload import Workload
from foliation_experiments.harness.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PEERS = (*(who for who in (*GRID, *BOOSTERS) if who not in OURS), TREEPLE_GEODESIC)
_DRAWN = tuple(who.name for who in (*OURS, GEODESIC, *_PEERS))
_COLORS = ("#0072B2", "#009E73", "#D55E00", "#882255", "#555555", "#999999", "#CC79A7", "#E69F00", "#56B4E9", "#8C564B",
           "#BCBD22", "#17BECF", "#332288")  # fmt: skip
_ACROSS = 3  # panels beside each other


def figures(results: Table, workloads: Sequence[Workload]) -> dict[str, Figure]:
    """Return the figures that there are runs for."""
    by_stem = {"benchmarks": contenders_figure(results, workloads), "scale": scale_figure(results)}
    return {stem: figure for stem, figure in by_stem.items() if figure is not None}


def contested(results: Table, workloads: Sequence[Workload]) -> list[str]:
    """Return the names of the workloads on which several contenders were timed."""
    names = [workload.name for workload in workloads if len(workload.contenders) > 1]
    return [name for name in names if any(of(results, name, c, "predict_seconds") for c in _DRAWN)]


def contenders_figure(results: Table, workloads: Sequence[Workload]) -> Figure | None:
    """Draw the seconds of all contenders on workloads that have several."""
    from matplotlib.figure import Figure

    names = contested(results, workloads)
    if not names:
        return None
    figure = Figure(figsize=(11, 1.2 + 0.75 * len(names)), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    for ax, what in zip(axes, ("fit", "predict"), strict=True):
        _dots(ax, results, names, f"{what}_seconds")
        ax.set(xscale="log", xlabel=f"seconds to {what}")
        _plain_ticks(ax.xaxis)
        ax.grid(axis="x", alpha=0.3)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure


def _plain_ticks(axis: Any) -> None:
    """Label a logarithmic axis with numbers as people write them."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1, 3)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _dots(ax: Any, results: Table, names: Sequence[str], field: str) -> None:
    """Draw a color for each contender that has anything, one below the other around the line of a workload."""
    shown = [
        (color, contender)
        for color, contender in zip(_COLORS, _DRAWN, strict=True)
        if any(of(results, name, contender, field) for name in names)
    ]
    for number, (color, contender) in enumerate(shown):
        lift = (number - (len(shown) - 1) / 2) * 0.06
        spreads = [(of(results, name, contender, field), at + lift) for at, name in enumerate(names)]
        there = [(spread, at) for spread, at in spreads if spread is not None]
        x = [spread.median for spread, _ in there]
        sides = [[s.median - s.low for s, _ in there], [s.high - s.median for s, _ in there]]
        form = "s" if CONTENDERS[contender].environment else "o"
        ax.errorbar(x, [at for _, at in there], xerr=sides, fmt=form, color=color, ms=5, lw=1, label=contender)


def scale_figure(results: Table) -> Figure | None:
    """Draw seconds and memory along each axis that has at least two points."""
    from matplotlib.figure import Figure

    there = [scaling for scaling in SCALINGS if len(_curve(results, scaling, scaling.drawn)) > 1]
    if not there:
        return None
    across = min(_ACROSS, len(there))
    rows = -(-len(there) // across)
    figure = Figure(figsize=(11 * across / _ACROSS, 3 * rows), layout="constrained")
    axes = figure.subplots(rows, across, squeeze=False)
    for ax, scaling in zip(axes.ravel(), there, strict=False):
        ax.set(xscale="log", xlabel=scaling.axis, title=scaling.name)
        _growth(ax, _curve(results, scaling, scaling.drawn), scaling.label, _COLORS[0])
        _growth(ax.twinx(), _curve(results, scaling, "fit_peak_bytes", 1e6), "peak MB above X", _COLORS[2])
        ax.set_xticks([point.at for point in scaling.points], [f"{point.at:,.0f}" for point in scaling.points])
        ax.minorticks_off()
    for ax in axes.ravel()[len(there) :]:
        ax.set_axis_off()
    return figure


def _growth(ax: Any, points: Sequence[tuple[float, float]], label: str, color: str) -> None:
    """Draw one curve on an axis of at least a decade, so that what is flat looks flat."""
    values = [value for _, value in points]
    if not values:
        return
    ax.plot([at for at, _ in points], values, "o-", color=color)
    middle = (min(values) * max(values)) ** 0.5
    ax.set(yscale="log", ylim=(min(min(values) / 1.3, middle / 4), max(max(values) * 1.3, middle * 4)))
    ax.set_ylabel(label, color=color)
    _plain_ticks(ax.yaxis)


def _curve(results: Table, scaling: Scaling, field: str, per: float = 1.0) -> list[tuple[float, float]]:
    spreads = [(point.at, of(results, point.name, point.contenders[0].name, field)) for point in scaling.points]
    return [(at, max(spread.median / per, 1e-3)) for at, spread in spreads if spread is not None]
