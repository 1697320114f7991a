"""On which side of another method a method lies, point by point, where the runs decide it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from foliation_experiments.harness.table import Table
from foliation_experiments.markup import Selection

READING = """
One method is called lower than another only where the 95 % interval of their differences, paired over seeds, excludes
zero and Wilcoxon's signed-rank test of the same pairs has p < .05.
""".strip()


class Sides(NamedTuple):
    """Points at which method `a` is lower than method `b`, higher, and neither."""

    lower: list[float]
    higher: list[float]
    open: list[float]

    def __str__(self) -> str:
        parts = [("lower", self.lower), ("higher", self.higher), ("not decided", self.open)]
        return ", ".join(f"{word} at {self._places(ats)}" for word, ats in parts if ats) or "no runs"

    def _places(self, ats: list[float]) -> str:
        total = len(self.lower) + len(self.higher) + len(self.open)
        return f"all {total}" if len(ats) == total > 1 else listed(ats)


def side(table: Table, column: str, a: str, b: str, selection: Selection) -> int:
    """Return -1 where `a` is lower than `b`, 1 where it is higher, and 0 where the runs do not decide."""
    difference = table.difference(column, a, b, **selection)
    if difference is None or not table.beaten(column, a, b, **selection):
        return 0
    return -1 if difference.mean < 0 else 1


def sides(table: Table, column: str, a: str, b: str, selection: Selection) -> Sides:
    """Compare two methods at each point that both have."""
    ats = [at for at in table.ats(**selection) if table.difference(column, a, b, **selection, at=at) is not None]
    signs = {at: side(table, column, a, b, {**selection, "at": at}) for at in ats}
    lower, higher, undecided = ([at for at in ats if signs[at] == sign] for sign in (-1, 1, 0))
    return Sides(lower, higher, undecided)


def listed(values: Iterable[str | float]) -> str:
    """Write values in a row, "and" before the last."""
    words = [value if isinstance(value, str) else f"{value:,g}" for value in values]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
