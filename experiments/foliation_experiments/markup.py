"""What pages are made of: rows of means with their intervals, and how often one method beats another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from foliation_experiments.harness.table import Interval, Table

Wanted = Mapping[str, str | float]  # which runs: part, problem, method, at


def mean_rows(table: Table, column: str, rows: Mapping[str, Wanted], columns: Mapping[str, Wanted]) -> list[list[str]]:
    """Return a row of means with their intervals for each label, to be set as a table."""
    return [
        [label, *(written(table.mean_interval(column, **wanted, **more)) for more in columns.values())]
        for label, wanted in rows.items()
    ]


def written(found: Interval | None) -> str:
    return "-" if found is None else str(found)


def each(name: str, values: Iterable[str | float]) -> dict[str, Wanted]:
    """Return what selects each of some values, by the value as it is written."""
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


def tally(table: Table, column: str, a: str, b: str, **wanted: str | float) -> Tally:
    """Compare method `a` with method `b` on each problem and at each point, paired over seeds."""
    points = product(table.problems(**wanted), table.ats(**wanted))
    places = [{**wanted, "problem": problem, "at": at} for problem, at in points]
    found = [difference for at in places if (difference := table.difference(column, a, b, **at)) is not None]
    better = sum(one.mean - one.half > 0 for one in found)
    worse = sum(one.mean + one.half < 0 for one in found)
    return Tally(better, worse, len(found), float(np.mean([one.mean for one in found] or [0.0])))


def reading(pairs: str) -> str:
    """Say what bold differences mean, paired over draws, subjects or splits."""
    return f"""
A difference is set in bold where one method beats the other: the 95 % interval of the differences, paired over {pairs},
excludes zero, and Wilcoxon's signed-rank test of the same pairs has p < .05.
""".strip()


def matched(table: Table, column: str, a: str, b: str, wanted: Wanted) -> str:
    """Write method `a` minus method `b` with its paired interval, in bold where one beats the other."""
    found = table.difference(column, a, b, **wanted)
    if found is None:
        return "-"
    text = f"{found.mean:+.3f} ± {found.half:.3f}" if found.n > 1 else f"{found.mean:+.3f}"
    return f"**{text}**" if table.beaten(column, a, b, **wanted) else text
