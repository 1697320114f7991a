"""The figures of the experiment on SPORF: errors against training rows, and tables beside the published errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foliation_experiments.curves import curve, empty
from foliation_experiments.drawing import BLACK, BLUE, GRAY, GREEN, ORANGE, Style
from foliation_experiments.harness.table import Table
from foliation_experiments.tables.sporf_published import NAMES, published

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLES = {
    "SPORF, tuned": Style(BLUE, "o", ours=True),
    "SPORF": Style(GREEN, "s", ours=True),
    "RF, tuned": Style(GRAY, "D", ours=True),
    "RF": Style(BLACK, "D", ours=True),
    "XGB 100": Style(ORANGE, ">"),
}


def figures(table: Table) -> dict[str, Figure]:
    found = {}
    if table.problems(part="simulations"):
        found["sporf"] = _simulations(table)
    if table.problems(part="tables"):
        found["sporf_tables"] = _tables(table)
    return found


def _simulations(table: Table) -> Figure:
    problems = table.problems(part="simulations")
    figure, axes = empty(1, len(problems))
    for problem, ax in zip(problems, axes[0], strict=True):
        _curves(ax, table, problem)
    axes[0, 0].set_ylabel("test error")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return figure


def _curves(ax: Any, table: Table, problem: str) -> None:
    here = {"part": "simulations", "problem": problem}
    ats = table.ats(**here)
    for method, style in STYLES.items():
        found = [table.mean_interval("error", **here, method=method, at=at) for at in ats]
        curve(ax, range(len(ats)), found, {**style.options(), "label": method})
    ax.set_xticks(range(len(ats)), [f"{at:,g}" for at in ats])
    ax.set_title(problem, fontsize=11)
    ax.set_xlabel("training rows")
    ax.set_ylim(bottom=0)


def _tables(table: Table) -> Figure:
    """Draw one panel for each published method: a line from the published error to ours on each table."""
    problems = table.problems(part="tables")
    figure, axes = empty(1, len(NAMES))
    figure.set_size_inches(10.5, 0.32 * len(problems) + 1.7)
    for method, ax in zip(NAMES, axes[0], strict=True):
        for place, problem in enumerate(problems):
            _pair(ax, table, (method, problem), place)
        ax.set_yticks(range(len(problems)), problems if ax is axes[0, 0] else [""] * len(problems), fontsize=9)
        ax.set(title=method, xlabel="error", ylim=(len(problems) - 0.5, -0.5))
        ax.set_xlim(left=-0.02 * ax.get_xlim()[1])
        known = ax.plot([], [], "x", color=BLACK, ms=7, mew=1.6, label="published")
        ours = ax.plot([], [], "o", color=BLUE, ms=6, label="ours, with its 95 % interval")
    figure.legend(handles=[*known, *ours], loc="outside lower center", ncols=2, frameon=False)
    return figure


def _pair(ax: Any, table: Table, who: tuple[str, str], place: int) -> None:
    method, problem = who
    known = published(method, problem)
    found = table.mean_interval("error", part="tables", problem=problem, method=method)
    if found is not None:
        half = found.half if found.n > 2 else 0.0
        ax.errorbar(found.mean, place, xerr=half, fmt="o", color=BLUE, ms=6, elinewidth=1.2)
    if known is not None:
        ax.plot(known.error, place, "x", color=BLACK, ms=7, mew=1.6, zorder=4)
