"""Colours that all eyes can tell apart, on paper and on dark screens, and places to draw in."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

AMOUNTS = "cividis"  # from nothing to much
SIGNS = "PuOr_r"  # from minus to plus
SPARE = 1.5  # by which a scale of signs passes the largest weight: the ends of the colours are nearly black
CLASSES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
MARKERS = "osD^vPX*"


def need_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise ImportError('pictures need matplotlib, which `pip install "foliation[plot]"` brings')


def short(value: float) -> str:
    """Write a number with three digits, or with all before the point if it has more of them than that."""
    return f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"


def counted(n: int, name: str) -> str:
    """Write a number of things."""
    return f"{n:,} {name}{'' if n == 1 else 's'}"


def in_lines(label: str) -> str:
    """Break the name of an atom before what it takes away."""
    return label.replace(" less ", "\nless ")


def class_style(number: int) -> dict[str, Any]:
    """Return colour and marker of a class; both differ, so that neither alone has to tell them apart."""
    return {
        "color": CLASSES[number % len(CLASSES)],
        "marker": MARKERS[(number + number // len(CLASSES)) % len(MARKERS)],
    }


def panels(ax: Any, n: int, *, size: tuple[float, float] = (2.6, 2.6), n_columns: int | None = None) -> NDArray[Any]:
    """Return n axes side by side: in a new figure, or in the place of ``ax``."""
    need_matplotlib()
    columns = min(n, n_columns or n)
    rows = math.ceil(n / columns)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
        found = figure.subplots(rows, columns, squeeze=False)
    elif n == 1:
        found = np.array([[ax]])
    else:
        from matplotlib.gridspec import GridSpecFromSubplotSpec

        ax.set_axis_off()
        places = GridSpecFromSubplotSpec(rows, columns, subplot_spec=ax.get_subplotspec())
        found = np.array([[ax.figure.add_subplot(places[i, j]) for j in range(columns)] for i in range(rows)])
    for unused in found.ravel()[n:]:
        unused.set_axis_off()
    return found.ravel()[:n]
