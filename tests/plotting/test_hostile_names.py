"""Every picture draws names as they are: no formula, no markup, no order, none left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import Any

import hostile
import numpy as np
import pytest
from matplotlib import cbook
from matplotlib import pyplot as plt
from matplotlib.text import Text

import foliation as fo
from foliation.plotting import DecisionBoundary, ImportanceMap, PatchAtlas, ProximityMap, TreeView
from foliation.plotting.style import draw_legend, literal, shortened

X, Y = hostile.frame()
RNG = np.random.default_rng(0)
IMAGES = RNG.normal(size=(len(Y), len(hostile.FEATURES), 8)) + np.equal(Y, hostile.CLASSES[0])[:, None, None]
TABLE = fo.ForestClassifier(5, random_state=0, projections="axis").fit(X, Y)
GRID = fo.ForestClassifier(5, random_state=0, projections=fo.Patches(max_size=3)).fit(IMAGES, Y)
RING = np.roll(np.eye(len(hostile.FEATURES)), 1, axis=0)
GRAPH = fo.ForestClassifier(5, random_state=0, projections=fo.Neighborhoods(RING + RING.T)).fit(X, Y)
NAMES: dict[str, Any] = {"channels": hostile.FEATURES, "times": np.arange(8.0), "unit": "$\\mu$V \x1b["}


def boundary(k: int) -> DecisionBoundary:
    return DecisionBoundary.from_estimator(TABLE, X, Y, features=(k, k + 1), resolution=20)


DISPLAYS: dict[str, Callable[[], Any]] = {
    "importance of columns": lambda: ImportanceMap.from_estimator(TABLE),
    "importance of a grid": lambda: ImportanceMap.from_estimator(GRID, IMAGES, Y, **NAMES),
    "importance of a graph": lambda: ImportanceMap.from_estimator(GRAPH, positions=RNG.normal(size=(12, 2))),
    "atoms of columns": lambda: PatchAtlas.from_estimator(TABLE),
    "atoms of a grid": lambda: PatchAtlas.from_estimator(GRID, **NAMES),
    "tree of columns": lambda: TreeView.from_estimator(TABLE, X, Y),
    "tree of a grid": lambda: TreeView.from_estimator(GRID, IMAGES, Y, **NAMES),
    "proximity": lambda: ProximityMap.from_estimator(TABLE, X, Y),
    **{f"boundary {k}": partial(boundary, k) for k in range(0, len(hostile.FEATURES), 2)},
}


def texts(display: Any) -> Iterator[Text]:
    for text in display.figure_.findobj(Text):
        if text.get_visible() and text.get_text():
            yield text


@pytest.mark.parametrize("name", DISPLAYS)
def test_names_are_drawn_letter_by_letter(name: str) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        warnings.filterwarnings("error", message="The label")
        display = DISPLAYS[name]()
        for kind in ("png", "svg"):
            display.figure_.savefig(BytesIO(), format=kind)
    shown = ""
    for text in texts(display):
        assert not cbook.is_math_text(text.get_text()), text.get_text()
        assert not hostile.raw_controls(text.get_text())
        assert len(text.get_text()) < 400
        shown += text.get_text()
    if name.startswith(("tree", "proximity", "boundary")):
        assert len(legend_of(display)) == len(hostile.CLASSES)
    assert "\\x1b" in shown or "$" in shown


def legend_of(display: Any) -> list[str]:
    (legend,) = (axes.get_legend() for axes in display.figure_.axes if axes.get_legend() is not None)
    return [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("name", ["$\\foo$", "\\$", "a$b", "$$", "\\\\$x\\$", "_x", "%", "{$}^", "$"])
def test_a_name_is_drawn_as_the_same_name_without_formulas(name: str) -> None:
    drawn = [picture_of(literal(name)), picture_of(name, parse_math=False)]
    assert (drawn[0] < 128).any()
    np.testing.assert_array_equal(*drawn)


def picture_of(text: str, **options: Any) -> Any:
    """Return the pixels of a text."""
    figure = plt.figure()
    figure.text(0.1, 0.5, text, fontsize=20, **options)
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3]  # type: ignore[attr-defined]


def test_a_legend_keeps_names_that_begin_with_an_underscore() -> None:
    _, ax = plt.subplots()
    handles = [ax.plot([0, 1])[0] for _ in range(3)]
    draw_legend(ax, handles, ["_a", "", "$x$"], loc="upper left")
    legend = ax.get_legend()
    assert legend is not None and [text.get_text() for text in legend.get_texts()] == ["_a", "", "\\$x\\$"]


def test_a_shortened_name_has_no_more_letters_than_asked() -> None:
    assert len(shortened("\x1b" * 100, 20)) == 20 and shortened("a\x1b") == "a\\x1b"
