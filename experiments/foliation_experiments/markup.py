"""Markup of pages: rows of means with their intervals, and how often one method beats another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from foliation_experiments.harness.table import Interval, Table

Selection = Mapping[str, str | float]  # of runs, by part, problem, method or at


def mean_rows(
    table: Table, column: str, rows: Mapping[str, Selection], columns: Mapping[str, Selection]
) -> list[list[str]]:
    """Return a row of means with their intervals for each label, to be set as a table."""
    return [
        [label, *(written(table.mean_interval(column, **selection, **more)) for more in columns.values())]
        for label, selection in rows.items()
    ]


def written(interval: Interval | None) -> str:
    return "-" if interval is None else str(interval)


def each(name: str, values: Iterable[str | float]) -> dict[str, Selection]:
    """Return a selection for each value, by the value as it is written."""
    return {value if isinstance(value, str) else f"{value:,g}": {name: value} for value in values}


class Tally(NamedTuple):
    """Points at which the paired 95 % interval of a difference lies above zero and below it, of how many; its mean."""

    better: int
    worse: int
    points: int
    mean: float

    def __str__(self) -> str:
        return f"better at {self.better}, worse at {self.worse} of {self.points} points, {self.mean:+.3f} on average"

    def cells(self) -> tuple[str, str, str, str]:
        return f"{self.mean:+.3f}", str(self.better), str(self.worse), str(self.points)


TALLY_HEADER = ("difference", "better at", "worse at", "of points")  # over the cells of a tally


def tally(table: Table, column: str, a: str, b: str, **selection: str | float) -> Tally:
    """Compare method `a` with method `b` on each problem and at each point, paired over seeds."""
    points = product(table.problems(**selection), table.ats(**selection))
    places = [{**selection, "problem": problem, "at": at} for problem, at in points]
    intervals = [table.difference(column, a, b, **place) for place in places]
    differences = [difference for difference in intervals if difference is not None]
    better = sum(difference.mean - difference.half > 0 for difference in differences)
    worse = sum(difference.mean + difference.half < 0 for difference in differences)
    mean = float(np.mean([difference.mean for difference in differences] or [0.0]))
    return Tally(better, worse, len(differences), mean)


def reading(pairs: str) -> str:
    """Write what bold differences mean, paired over draws, subjects or splits."""
    return f"""
A difference is set in bold where one method beats the other: the 95 % interval of the differences, paired over {pairs},
excludes zero, and Wilcoxon's signed-rank test of the same pairs has p < .05.
""".strip()


def matched(table: Table, column: str, a: str, b: str, selection: Selection) -> str:
    """Write method `a` minus method `b` with its paired interval, in bold where one beats the other."""
    difference = table.difference(column, a, b, **selection)
    if difference is None:
        return "-"
    text = f"{difference.mean:+.3f} ± {difference.half:.3f}" if difference.n > 1 else f"{difference.mean:+.3f}"
    return f"**{text}**" if table.beaten(column, a, b, **selection) else text
