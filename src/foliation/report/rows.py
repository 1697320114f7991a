"""Typical and atypical rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from foliation.analysis.atlas import is_table
from foliation.plotting.grid import Places, draw_values
from foliation.plotting.style import panels, short, shortened
from foliation.report import html

_FEWEST, _MOST = 6, 10  # rows of a kind that are shown: as many as there are classes
_MOST_ROWS = 2000  # that are looked at
_MOST_COLUMNS = 5  # of pictures, if there are more than fit beside each other
_MOST_FEATURES = 20  # of a table


class Shown(NamedTuple):
    """A row that is shown, and why."""

    kind: str
    at: int
    target: str
    score: float


def typical_rows(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> str:
    """Show the rows that are nearest to training rows of the class they are given, and those that are farthest."""
    some = _safe_indexing(X, np.arange(min(len(y), _MOST_ROWS)))
    try:
        scores = np.asarray(forest.outlier_score(some))
    except ValueError:  # the training rows are gone
        return ""
    found = np.asarray(forest.predict(some))
    given = found if hasattr(forest, "classes_") else np.zeros(len(scores), np.int64)
    n = min(int(np.clip(len(np.unique(given)), _FEWEST, _MOST)), len(scores) // 2)
    if not n:
        return ""
    chosen = [("typical", at) for at in _in_turn(scores, given)[:n]]
    chosen += [("atypical", int(at)) for at in np.argsort(-scores, kind="stable")[:n]]
    shown = [Shown(kind, at, _target(forest, y[at], found[at]), float(scores[at])) for kind, at in chosen]
    rows = forest._rows(some)
    if hasattr(forest, "feature_names_in_") and is_table(forest.model_):
        return html.paragraph(_caption(forest)) + _table(forest, rows, shown)
    return _pictures(forest, rows, shown, Places.of_forest(forest, **names))


def _in_turn(scores: NDArray[np.float64], classes: NDArray[Any]) -> list[int]:
    """Return rows with the lowest scores of their classes first, the classes taking turns."""
    order = np.argsort(scores, kind="stable")
    turn = np.empty(len(order), np.int64)
    for label in np.unique(classes):
        own = order[classes[order] == label]
        turn[own] = np.arange(len(own))
    return [int(at) for at in np.lexsort((classes, turn))]


def _target(forest: Any, true: Any, found: Any) -> str:
    if not hasattr(forest, "classes_"):
        return f"target {short(float(true))}"
    same, told = true == found, [shortened(label) for label in (true, found)]
    return told[0] if same else f"true {told[0]}, predicted {told[1]}"


def _caption(forest: Any) -> str:
    """Say what a row is compared with."""
    if not hasattr(forest, "classes_"):
        return "Typical rows share many leaves with the training rows, atypical ones few."
    return (
        "Typical rows share many leaves with the training rows of the class that the forest gives them, "
        "atypical ones few. Typical rows are taken from each class in turn."
    )


def _table(forest: Any, rows: NDArray[Any], shown: list[Shown]) -> str:
    """Return the rows as columns of a table, the most important features first."""
    order = np.argsort(-forest.feature_importances_, kind="stable")[:_MOST_FEATURES]
    lines: list[list[Any]] = [
        ["kind", *(one.kind for one in shown)],
        ["target", *(one.target.removeprefix("target ") for one in shown)],
    ]
    lines.append(["outlier score", *(short(one.score) for one in shown)])
    for at in order:
        lines.append([forest.feature_names_in_[at], *(short(float(rows[one.at, at])) for one in shown)])
    more = len(forest.feature_names_in_) - len(order)
    caption = "Rows and their values" + (f"; {more:,} less important features are left out" if more else "")
    return html.table(caption, ("", *(f"row {one.at}" for one in shown)), lines)


def _pictures(forest: Any, rows: NDArray[Any], shown: list[Shown], places: Places) -> str:
    line, volume, n = len(places.shape) == 1, len(places.shape) > 2, len(shown) // 2
    columns = n if n <= _FEWEST else _MOST_COLUMNS
    axes = panels(None, len(shown), size=(2.4, 1.8) if line else (2.0, 2.2), n_columns=columns)
    middle = int(np.prod(places.shape[:-2], dtype=np.int64)) // 2
    for ax, one in zip(axes, shown, strict=True):
        values = np.asarray(rows[one.at], dtype=np.float64).reshape(places.shape)
        values = values.reshape(-1, *places.shape[-2:])[middle] if volume else values
        options: dict[str, Any] = {} if line else {"cmap": "Greys"}
        draw_values(ax, values, places, **options)
        ax.set_title(f"{one.kind}: row {one.at}\n{one.target}", fontsize="small")
        ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
    listed = "; ".join(f"{one.kind} row {one.at}: {one.target}, score {one.score:.3g}" for one in shown)
    drawn = f" Of each row slice {middle} is drawn." if volume else ""
    return html.picture(axes[0].figure, f"{listed}.", _caption(forest) + drawn)
