"""Rows sent down a printed tree by hand: its text is all that is known of the forest."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import reference_views
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LINE = re.compile(r"^(?P<lead>(?:\|   )*)(?:yes: |no:  )?(?P<rest>.*)$")
RULE = re.compile(r"^(?P<sum>.*) <= (?P<threshold>\S+)$")
TERM = re.compile(r"^(?:(?P<weight>\d[\d.]*(?:e[+-]?\d+)?) )?(?P<sum>sum )?(?P<name>.*?)(?:\[(?P<places>[^\]]*)\])?$")


@dataclass
class Data:
    """What a reader of the rules has: rows on their grid, the names of the columns, and which axes are circles."""

    X: NDArray[Any]
    names: Sequence[str] = ()
    wrap: Sequence[bool] = ()

    def view(self, name: str) -> Floats:
        circles = [*[False] * (self.X.ndim - 1 - len(self.wrap)), *self.wrap]
        tube = len(circles) > 1 and circles[-2]
        return self.X.astype(np.float64) if name in ("x", "") else reference_views.view(name, self.X, circles[-1], tube)


def leaves(text: str, data: Data) -> NDArray[np.int64]:
    """Return the leaf that each row reaches by the printed rules."""
    lines = iter(text.splitlines())
    reached = np.full(len(data.X), -1)
    _follow(lines, data, np.arange(len(data.X)), reached)
    assert next(lines, None) is None
    return reached


def _follow(lines: Any, data: Data, rows: NDArray[np.int64], reached: NDArray[np.int64]) -> None:
    line = LINE.match(next(lines))
    assert line is not None
    if line["rest"].startswith("leaf "):
        reached[rows] = int(re.split(r"[:,\s]+", line["rest"])[1])
        return
    left = holds(line["rest"], Data(data.X[rows], data.names, data.wrap))
    _follow(lines, data, rows[left], reached)
    _follow(lines, data, rows[~left], reached)


def holds(rule: str, data: Data) -> NDArray[np.bool_]:
    """Return for which rows a printed rule is true."""
    parts = RULE.match(rule)
    assert parts is not None, rule
    return np.asarray(value(parts["sum"], data) <= float(parts["threshold"]))


def value(text: str, data: Data) -> Floats:
    """Return the printed sum for each row: exact if it is one of boxes, else from left to right."""
    signed = text if text.startswith("- ") else f"+ {text}"
    _, *parts = re.split(r"(?:^| )([+-]) ", signed)
    terms = [_term(sign, term, data) for sign, term in zip(parts[::2], parts[1::2], strict=True)]
    if any(cells.shape[1] != 1 for _, cells in terms):
        assert all(abs(weight) == 1 for weight, _ in terms)
        every = np.concatenate([weight * cells for weight, cells in terms], axis=1)
        return np.array([math.fsum(row) for row in every])
    total = np.zeros(len(data.X))
    for weight, cells in terms:
        total = total + weight * cells[:, 0]
    return total


def _term(sign: str, text: str, data: Data) -> tuple[float, Floats]:
    """Return the weight of a term, and the cells that it sums."""
    parts = TERM.match(text)
    assert parts is not None, text
    cells = _cells(parts["name"], parts["places"], data)
    assert bool(parts["sum"]) == (cells.shape[1] > 1), text
    return float(f"{sign}{parts['weight'] or 1}"), cells


def _cells(name: str, places: str | None, data: Data) -> Floats:
    """Return the cells that a term names, (n, cells)."""
    names = list(data.names)
    if places is None:
        column = names.index(name) if names else int(name.removeprefix("x"))
        return data.X.reshape(-1, math.prod(data.X.shape[1:]))[:, [column]].astype(np.float64)
    if names:
        first, last = (names.index(end) for end in places.split(" to "))
        return data.X[:, _run(first, last, len(names))].astype(np.float64)
    view = data.view(name)
    along = [_along(part, side) for part, side in zip(places.split(", "), view.shape[1:], strict=True)]
    return view[np.ix_(range(len(view)), *along)].reshape(len(view), math.prod(map(len, along)))


def _along(text: str, side: int) -> list[int]:
    first, _, last = text.partition("-")
    return _run(int(first), int(last), side) if last else [int(place) for place in text.split("+")]


def _run(first: int, last: int, side: int) -> list[int]:
    assert 0 <= first < side and 0 <= last < side
    return list(range(first, last + 1)) if first <= last else [*range(first, side), *range(last + 1)]
