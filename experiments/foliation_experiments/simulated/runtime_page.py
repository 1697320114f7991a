"""The page and the figures of the experiment on seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from foliation_experiments.classes.figures import STYLES
from foliation_experiments.classes.problems import TEST_ROWS, TREES
from foliation_experiments.classes.sides import Sides
from foliation_experiments.curves import empty
from foliation_experiments.harness.markdown import number
from foliation_experiments.harness.markdown import table as markdown
from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = {"fit": "fit seconds", "predict": "predict seconds"}
_READING = """
The ConvNet is called slower than MORF where its fastest repeat is slower than the slowest of MORF, faster where it is
the other way round, and not decided otherwise, as with a single repeat.
""".strip()


def page(table: Table) -> str:
    repeats = len({row["seed"] for row in table.rows})
    settings = f"""
Medians of {repeats} repeats on new rows, one run at a time on two cores. Forests have {TREES[table.scale]} trees;
{TEST_ROWS[table.scale]:,} rows are predicted. LR, both SVMs and the MLP have no threads but those of the linear
algebra. Standardising columns counts as part of fit and predict.
""".strip()
    rows = [_against(table, part, problem) for part in table.parts() for problem in table.problems()]
    header = ("threads", "problem", "fit, by training rows", "times as long", "predict", "times as long")
    found = f"## Is the ConvNet slower than MORF?\n\n{_READING}\n\n{markdown(header, rows)}"
    parts = [_seconds(table, part, problem) for part in table.parts() for problem in table.problems()]
    return "\n\n".join((settings, found, *parts))


def _against(table: Table, part: str, problem: str) -> list[str]:
    cells = [part, problem]
    for column in COLUMNS.values():
        found = apart(table, column, part, problem)
        text = str(found).replace("lower", "faster").replace("higher", "slower")
        cells += [text, _ratios(table, column, {"part": part, "problem": problem})]
    return cells


def apart(table: Table, column: str, part: str, problem: str) -> Sides:
    """Return the sizes at which every repeat of the ConvNet is faster than every one of MORF, slower, or neither."""
    found = Sides([], [], [])
    for at in table.ats(part=part, problem=problem):
        net, morf = (
            table.values(column, part=part, problem=problem, method=name, at=at) for name in ("ConvNet", "MORF")
        )
        if net.size and morf.size:
            slower, faster = net.min() > morf.max(), net.max() < morf.min()
            several = min(net.size, morf.size) > 1
            kept = found.higher if several and slower else found.lower if several and faster else found.open
            kept.append(at)
    return found


def _ratios(table: Table, column: str, here: Selection) -> str:
    """Write the least and the largest ratio of the medians over sizes."""
    medians = [[median(table, column, {**here, "method": name, "at": at}) for name in ("ConvNet", "MORF")]
               for at in table.ats(**here)]  # fmt: skip
    ratios = [net / morf for net, morf in medians if net is not None and morf]
    return f"{number(min(ratios))} to {number(max(ratios))}" if ratios else "-"


def median(table: Table, column: str, selection: Selection) -> float | None:
    found = table.values(column, **selection)
    return float(np.median(found)) if found.size else None


def _seconds(table: Table, part: str, problem: str) -> str:
    here: Selection = {"part": part, "problem": problem}
    ats = table.ats(**here)
    rows = [
        [method, *(_cell(table, {**here, "method": method, "at": at}) for at in ats)]
        for method in table.methods(**here)
    ]
    text = "Median seconds of a fit, and in brackets of predicting:"
    return f"## {problem}, {part}\n\n{text}\n\n" + markdown(("method", *(f"n = {at:,g}" for at in ats)), rows)


def _cell(table: Table, selection: Selection) -> str:
    fit, predict = (median(table, column, selection) for column in COLUMNS.values())
    return "-" if fit is None else f"{number(fit)} ({number(predict)})"


def figures(table: Table) -> dict[str, Figure]:
    """Draw a figure for each number of threads: fit above, predict below, a column for each problem."""
    return {f"runtime_{part.replace(' ', '_')}": _figure(table, part) for part in table.parts()}


def _figure(table: Table, part: str) -> Figure:
    problems = table.problems(part=part)
    figure, axes = empty(len(COLUMNS), len(problems))
    for (name, column), row in zip(COLUMNS.items(), axes, strict=True):
        for problem, ax in zip(problems, row, strict=True):
            _panel(ax, table, column, {"part": part, "problem": problem})
        row[0].set_ylabel(f"{name}, seconds")
    for problem, top, bottom in zip(problems, axes[0], axes[-1], strict=True):
        top.set_title(problem, fontsize=11)
        bottom.set_xlabel("training rows")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.suptitle(part, fontsize=12)
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False)
    return figure


def _panel(ax: Any, table: Table, column: str, here: Selection) -> None:
    ats = table.ats(**here)
    for method, style in STYLES.items():
        found = [median(table, column, {**here, "method": method, "at": at}) for at in ats]
        there = [(place, value) for place, value in enumerate(found) if value is not None]
        if there:
            ax.plot(*zip(*there, strict=True), label=method, **style.options())
    ax.set_yscale("log")
    ax.set_xticks(range(len(ats)), [f"{at:,g}" for at in ats], fontsize=8)
