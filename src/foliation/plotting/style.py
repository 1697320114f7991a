"""Colours that all eyes can tell apart, on paper and on dark screens, and places to draw in."""

from __future__ import annotations

import math
import re
import textwrap
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

AMOUNTS = "cividis"  # from nothing to much
SIGNS = "PuOr_r"  # from minus to plus
SPARE = 1.5  # by which a scale of signs passes the largest weight: the ends of the colours are nearly black
CLASSES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
MARKERS = "osD^vPX*"
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo", "----")  # for eyes and paper without colours
_TIED = "\u00a0"  # a space at which no line is broken
EDGE = "#333333"  # thin, around what would be too bright on white


def need_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise ImportError('pictures need matplotlib, which `pip install "foliation[plot]"` brings')


def short(value: float) -> str:
    """Write a number with three digits, or with all before the point if it has more of them than that."""
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"


def counted(n: int, name: str) -> str:
    """Write a number of things."""
    return f"{n:,} {name}{'' if n == 1 else 's'}"


def in_lines(label: str, letters: int) -> list[str]:
    """Break the name of an atom before what it takes away, and where a line gets too long, but not inside brackets."""
    parts = label.replace("] less [", "]\nless [").splitlines()
    whole = [re.sub(r"\[.*?\]", lambda box: box[0].replace(" ", _TIED), part) for part in parts]
    return [line.replace(_TIED, " ") for part in whole for line in textwrap.wrap(part, letters)]


def shortened(name: Any, most: int = 14) -> str:
    """Write a name with so many letters at most."""
    text = str(name)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def class_style(number: int) -> dict[str, Any]:
    """Return colour and marker of a class; both differ, so that neither alone has to tell them apart."""
    return {
        "color": CLASSES[number % len(CLASSES)],
        "marker": MARKERS[(number + number // len(CLASSES)) % len(MARKERS)],
        "markeredgecolor": EDGE,
        "markeredgewidth": 0.4,
    }


def whole_ticks(axis: Any) -> None:
    """Let an axis that counts have no ticks between its numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def panels(ax: Any, n: int, *, size: tuple[float, float] = (2.6, 2.6), n_columns: int | None = None) -> NDArray[Any]:
    """Return n axes side by side: in a new figure, or about as many beside as below each other in place of ``ax``."""
    need_matplotlib()
    columns = min(n, n_columns or n) if ax is None else math.ceil(math.sqrt(n))
    rows = math.ceil(n / columns)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
        found = figure.subplots(rows, columns, squeeze=False)
    elif n == 1:
        found = np.array([[ax]])
    else:
        ax.set_axis_off()
        found = _within(ax, rows, columns)
    for unused in found.ravel()[n:]:
        unused.set_axis_off()
    return found.ravel()[:n]


def _within(ax: Any, rows: int, columns: int) -> NDArray[Any]:
    """Return axes in the place of another, which may be one of the figure's subplots or lie where its user put it."""
    from matplotlib.gridspec import GridSpec, GridSpecFromSubplotSpec

    numbers = [[(i, j) for j in range(columns)] for i in range(rows)]
    if ax.get_subplotspec() is not None:
        places: Any = GridSpecFromSubplotSpec(rows, columns, subplot_spec=ax.get_subplotspec())
        return np.array([[ax.figure.add_subplot(places[at]) for at in line] for line in numbers])
    box = ax.get_position()
    inside = {"left": box.x0, "right": box.x1, "bottom": box.y0, "top": box.y1, "wspace": 0.4, "hspace": 0.7}
    places = GridSpec(rows, columns, **inside)
    return np.array([[ax.figure.add_axes(places[at].get_position(ax.figure)) for at in line] for line in numbers])
