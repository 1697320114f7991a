"""Colors that color-blind readers can tell apart, on paper and on dark screens, and axes to draw on."""

from __future__ import annotations

import math
import re
import textwrap
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypedDict

from foliation.data.arrays import Floats
from foliation.printable import printable, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

AMOUNTS = "cividis"  # color map for amounts from 0
SIGNS = "PuOr_r"  # color map from minus to plus
SPARE = 1.5  # limits of the scale of SIGNS over the largest weight: the ends of the map are nearly black
CLASSES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
MARKERS = "osD^vPX*"
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo", "----")  # where colors cannot be told apart
_MOST_LINES = 5  # of one part of a label
_NO_BREAK = "\u00a0"  # a space at which no line is broken
EDGE = "#333333"  # thin, around what would be too bright on white


class ClassStyle(TypedDict):
    """Options of ``Axes.plot`` for the points of a class."""

    color: str
    marker: str
    markeredgecolor: str
    markeredgewidth: float


def need_matplotlib() -> None:
    """Raise ImportError if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise ImportError('figures need matplotlib: run `pip install "foliation[plot]"`')


def check_axes(ax: object) -> None:
    """Raise TypeError for what is neither axes of matplotlib nor None."""
    need_matplotlib()
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise TypeError(f"ax={quoted(ax)}: expected axes of matplotlib, or None")


def use_agg() -> None:
    """Let matplotlib draw without a screen."""
    need_matplotlib()
    import matplotlib

    matplotlib.use("Agg")


def short(value: float, digits: int = 3) -> str:
    """Write a number with so many digits, or without decimals if it has more digits before the point."""
    return f"{value:.0f}" if 10**digits <= abs(value) < 1e6 else f"{value:.{digits}g}"


def parting(threshold: float, values: Floats) -> str:
    """Write a threshold with the fewest digits, but at least three, that part values as the threshold does."""
    for digits in range(3, 17):
        written = short(threshold, digits)
        if ((values <= float(written)) == (values <= threshold)).all():
            return written
    return repr(threshold)


def counted(n: int, name: str) -> str:
    """Write a number of things."""
    return f"{n:,} {name}{'' if n == 1 else 's'}"


def in_lines(label: str, n_letters: int) -> list[str]:
    """Break the label of an atom before "less", and where a line is too long, but not inside brackets."""
    parts = label.replace("] less [", "]\nless [").splitlines()
    tied = [re.sub(r"\[.*?\]", lambda patch: patch[0].replace(" ", _NO_BREAK), part) for part in parts]
    wrapped = (textwrap.wrap(part, n_letters, max_lines=_MOST_LINES, placeholder=" …") for part in tied)
    return [line.replace(_NO_BREAK, " ") for lines in wrapped for line in lines]


def shortened(name: object, n_letters: int = 14) -> str:
    """Write a name with at most this many letters."""
    text = printable(name)
    return text if len(text) <= n_letters else f"{text[: n_letters - 1]}…"


def literal(text: object) -> str:
    """Write text as matplotlib has to get it to draw every letter of it, and no formula between two dollar signs."""
    return printable(text, keep="\n").replace("$", r"\$")


def draw_legend(ax: Axes, handles: Sequence[Artist], names: Iterable[object], **options: Any) -> None:
    """Draw a legend of any names; matplotlib by itself leaves out those that begin with an underscore."""
    legend = ax.legend(handles, [str(number) for number in range(len(handles))], **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(literal(name))


def class_style(number: int) -> ClassStyle:
    """Return color and marker of a class; both differ between classes."""
    return {
        "color": CLASSES[number % len(CLASSES)],
        "marker": MARKERS[(number + number // len(CLASSES)) % len(MARKERS)],
        "markeredgecolor": EDGE,
        "markeredgewidth": 0.4,
    }


def integer_ticks(axis: Axis) -> None:
    """Put ticks at integers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))


def root_figure(ax: Axes) -> Figure:
    """Return the figure that axes lie in, also through subfigures."""
    return ax.figure.figure


def panels(
    ax: Axes | None, n: int, *, size: tuple[float, float] = (2.6, 2.6), n_columns: int | None = None
) -> list[Axes]:
    """Return n axes: in a new figure, or on a grid that is about square in place of ``ax``."""
    check_axes(ax)
    columns = min(n, n_columns or n) if ax is None else math.ceil(math.sqrt(n))
    rows = math.ceil(n / columns)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
        axes: list[Axes] = list(figure.subplots(rows, columns, squeeze=False).ravel())
    elif n == 1:
        axes = [ax]
    else:
        ax.set_axis_off()
        axes = _within(ax, rows, columns)
    for unused in axes[n:]:
        unused.set_axis_off()
    return axes[:n]


def _within(ax: Axes, rows: int, columns: int) -> list[Axes]:
    """Return axes in place of others, which are one of the figure's subplots or were placed by hand."""
    from matplotlib.gridspec import GridSpec, GridSpecFromSubplotSpec

    places = [(i, j) for i in range(rows) for j in range(columns)]
    spec = ax.get_subplotspec()
    if spec is not None:
        inside = GridSpecFromSubplotSpec(rows, columns, subplot_spec=spec)
        return [ax.figure.add_subplot(inside[place]) for place in places]
    box = ax.get_position()
    grid = GridSpec(
        rows, columns, left=box.x0, right=box.x1, bottom=box.y0, top=box.y1, wspace=0.4, hspace=0.7
    )  # fmt: skip
    figure = root_figure(ax)
    return [ax.figure.add_axes(grid[place].get_position(figure).bounds) for place in places]
