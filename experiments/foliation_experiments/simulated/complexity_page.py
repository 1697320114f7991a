"""The page and the figure of the experiment on depths and leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foliation_experiments.classes.figures import STYLES
from foliation_experiments.classes.problems import TREES
from foliation_experiments.classes.sides import READING, sides
from foliation_experiments.curves import curve, empty
from foliation_experiments.drawing import BLACK
from foliation_experiments.harness.markdown import number
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Interval, Table
from foliation_experiments.markup import Selection

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("max depth", "mean leaf depth", "leaves")
_OTHERS = ("RF", "SPORF")
_METHODS = (*_OTHERS, "MORF")
_AT = 1000  # training rows of the published figures
PUBLISHED = {  # by problem and method, in the order of COLUMNS
    "circle": {"RF": (39, 16.5, 150_510), "SPORF": (44, 16.7, 148_453), "MORF": (38, 14.6, 32_786)},
    "bars": {"RF": (23, 8.2, 12_582), "SPORF": (22, 8.7, 15_281), "MORF": (11, 4.5, 6986)},
    "impulse": {"RF": (24, 8.6, 54_564), "SPORF": (25, 8.8, 59_902), "MORF": (21, 7.6, 31_693)},
}


def page(table: Table) -> str:
    draws = len({row["seed"] for row in table.rows})
    settings = f"Each point has {draws} independent draws of training rows; forests have {TREES[table.scale]} trees."
    rows = [_finding(table, problem, column) for problem in table.problems() for column in COLUMNS]
    found = markdown(("problem", "MORF's", *(f"against {other}, by training rows" for other in _OTHERS)), rows)
    head = f"{settings} {READING}\n\n## Is MORF simpler?\n\n{found}"
    return "\n\n".join((head, *(_problem(table, problem) for problem in table.problems())))


def _finding(table: Table, problem: str, column: str) -> list[str]:
    here: Selection = {"problem": problem}
    return [problem, column, *(str(sides(table, column, "MORF", other, here)) for other in _OTHERS)]


def _problem(table: Table, problem: str) -> str:
    pieces = [f"## {problem}"]
    ats = table.ats(problem=problem)
    for column in COLUMNS:
        rows = [_row(table, column, {"problem": problem, "method": method}, ats) for method in _METHODS]
        header = ("method", *(f"n = {at:,g}" for at in ats), *_published_header(table))
        pieces += [f"{column.capitalize()}, mean over draws with its 95 % interval:", markdown(header, rows)]
    return "\n\n".join(pieces)


def _published_header(table: Table) -> tuple[str, ...]:
    return (f"*published, n = {_AT:,}*",) if table.scale == "full" else ()


def _row(table: Table, column: str, selection: Selection, ats: list[float]) -> list[str]:
    problem, method = str(selection["problem"]), str(selection["method"])
    values = [_written(table.mean_interval(column, **selection, at=at)) for at in ats]
    known = PUBLISHED[problem][method][COLUMNS.index(column)]
    return [method, *values, *([number(known)] if table.scale == "full" else [])]


def _written(found: Interval | None) -> str:
    if found is None:
        return "-"
    return number(found.mean) + (f" ± {number(found.half)}" if found.n > 1 else "")


def figures(table: Table) -> dict[str, Figure]:
    """Draw one row of panels for each measure and one column for each problem."""
    problems = table.problems()
    figure, axes = empty(len(COLUMNS), len(problems))
    for column, row in zip(COLUMNS, axes, strict=True):
        for problem, ax in zip(problems, row, strict=True):
            _panel(ax, table, column, problem)
        row[0].set_ylabel(column)
    for problem, top, bottom in zip(problems, axes[0], axes[-1], strict=True):
        top.set_title(problem, fontsize=11)
        bottom.set_xlabel("training rows")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    return {"complexity": figure}


def _panel(ax: Any, table: Table, column: str, problem: str) -> None:
    ats = table.ats(problem=problem)
    for method in _METHODS:
        style = {**STYLES[method].options(), "label": method}
        found = [table.mean_interval(column, problem=problem, method=method, at=at) for at in ats]
        curve(ax, range(len(ats)), found, style)
        if table.scale == "full" and _AT in ats:
            known = PUBLISHED[problem][method][COLUMNS.index(column)]
            look = {"color": STYLES[method].color, "marker": "x", "ms": 8, "mew": 2, "ls": "", "zorder": 4}
            ax.plot(ats.index(_AT), known, **look)
    if table.scale == "full":
        ax.plot([], [], "x", color=BLACK, ms=8, mew=2, label=f"published, n = {_AT:,}")
    ax.set_xticks(range(len(ats)), [f"{at:,g}" for at in ats], fontsize=8)
    if column == "leaves":
        ax.set_yscale("log")
