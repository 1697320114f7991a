"""Typical and atypical rows."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from sklearn.utils import _safe_indexing

from foliation.analysis.importance import importance
from foliation.data.arrays import Array, Data, Floats
from foliation.model.fitted import FittedForest
from foliation.model.labels import is_table
from foliation.model.model import Model
from foliation.plotting.grid import AxisNames, Places, draw_values
from foliation.plotting.style import literal, panels, root_figure, short, shortened
from foliation.report import html

_FEWEST, _MOST = 6, 10  # rows of a kind that are shown: as many as there are classes
_MOST_ROWS = 2000  # that are scored
_MOST_COLUMNS = 5  # of panels, if there are more than fit beside each other
_MOST_FEATURES = 20  # of a table


class ForestWithOutliers(FittedForest, Protocol):
    """A forest that scores outliers."""

    def outlier_score(self, X: Data = None) -> Floats: ...


class ShownRow(NamedTuple):
    """A row that is shown, and why."""

    kind: str
    number: int
    target: str
    score: float


def typical_rows(forest: ForestWithOutliers, X: Data, y: Array, names: AxisNames) -> str:
    """Show the rows that are nearest to training rows of their predicted class, and those that are farthest."""
    model = forest.model_
    scored = _safe_indexing(X, np.arange(min(len(y), _MOST_ROWS)))
    try:
        scores = np.asarray(forest.outlier_score(scored))
    except ValueError:  # the training rows are gone
        return ""
    predicted = np.asarray(forest.predict(scored))
    groups = predicted if model.targets.classes else np.zeros(len(scores), np.int64)
    n = min(int(np.clip(len(np.unique(groups)), _FEWEST, _MOST)), len(scores) // 2)
    if not n:
        return ""
    chosen = [("typical", number) for number in _in_turn(scores, groups)[:n]]
    chosen += [("atypical", int(number)) for number in np.argsort(-scores, kind="stable")[:n]]
    shown = [
        ShownRow(kind, number, _target(model, y[number], predicted[number]), float(scores[number]))
        for kind, number in chosen
    ]
    rows = forest._rows(scored)
    if model.feature_names is not None and is_table(model):
        return html.paragraph(_caption(model)) + _table(model, model.feature_names, rows, shown)
    return _pictures(model, rows, shown, Places.of_forest(forest, **names))


def _in_turn(scores: Floats, classes: Array) -> list[int]:
    """Return rows with the lowest scores of their classes first, the classes taking turns."""
    order = np.argsort(scores, kind="stable")
    turn = np.empty(len(order), np.int64)
    for label in np.unique(classes):
        own = order[classes[order] == label]
        turn[own] = np.arange(len(own))
    rows: list[int] = np.lexsort((classes, turn)).tolist()
    return rows


def _target(model: Model, true: float | str, predicted: float | str) -> str:
    if not model.targets.classes:
        return f"target {short(float(true))}"
    names = [shortened(label) for label in (true, predicted)]
    return names[0] if true == predicted else f"true {names[0]}, predicted {names[1]}"


def _caption(model: Model) -> str:
    """Write what a row is compared with."""
    if not model.targets.classes:
        return "Typical rows share many leaves with the training rows, atypical ones few."
    return (
        "Typical rows share many leaves with the training rows of their predicted class, atypical ones few. "
        "Typical rows are taken from each class in turn."
    )


def _table(model: Model, names: Array, rows: Array, shown: list[ShownRow]) -> str:
    """Return the rows as columns of a table, the most important features first."""
    order = np.argsort(-importance(model, "gain"), axis=None, kind="stable")[:_MOST_FEATURES]
    lines: list[list[object]] = [
        ["kind", *(row.kind for row in shown)],
        ["target", *(row.target.removeprefix("target ") for row in shown)],
        ["outlier score", *(short(row.score) for row in shown)],
    ]
    for feature in order:
        lines.append([names[feature], *(short(float(rows[row.number, feature])) for row in shown)])
    more = len(names) - len(order)
    caption = "Rows and their values" + (f"; {more:,} less important features are left out" if more else "")
    return html.table(caption, ("", *(f"row {row.number}" for row in shown)), lines)


def _pictures(model: Model, rows: Array, shown: list[ShownRow], places: Places) -> str:
    is_line, is_volume, n = len(places.shape) == 1, len(places.shape) > 2, len(shown) // 2
    columns = n if n <= _FEWEST else _MOST_COLUMNS
    axes = panels(None, len(shown), size=(2.4, 1.8) if is_line else (2.0, 2.2), n_columns=columns)
    middle = int(np.prod(places.shape[:-2], dtype=np.int64)) // 2
    for ax, row in zip(axes, shown, strict=True):
        values = np.asarray(rows[row.number], dtype=np.float64).reshape(places.shape)
        values = values.reshape(-1, *places.shape[-2:])[middle] if is_volume else values
        draw_values(ax, values, places, colors={"cmap": "Greys"})
        ax.set_title(literal(f"{row.kind}: row {row.number}\n{row.target}"), fontsize="small")
        ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
    alt = "; ".join(f"{row.kind} row {row.number}: {row.target}, score {row.score:.3g}" for row in shown)
    caption = _caption(model) + (f" Slice {middle} of each row is drawn." if is_volume else "")
    return html.picture(root_figure(axes[0]), f"{alt}.", caption)
