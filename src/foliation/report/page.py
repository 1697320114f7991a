"""What the report of a forest says, section by section."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from foliation._sklearn import check_is_fitted
from foliation._version import __version__
from foliation.description import facts
from foliation.evaluation import Evaluation, evaluate
from foliation.files.whole import write_whole
from foliation.plotting import ForestProfile, ImportanceMap, PatchAtlas, TreeView
from foliation.plotting.grid import Places, draw_values
from foliation.plotting.style import CLASSES, need_matplotlib, panels
from foliation.report import html
from foliation.rows import predict_rows

_SHOWN_ROWS = 6
_MOST_ROWS = 2000  # whose typicality is looked at
_MOST_CLASSES = 30
_TREES = 2
_PACKAGES = ("numpy", "scipy", "scikit-learn", "matplotlib")


def write_report(
    forest: Any, X: Any, y: Any, path: str | os.PathLike[str], title: str, names: Mapping[str, Any]
) -> Path:
    """Write the report of a fitted classifier or regressor on rows that it has not seen.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
    X : array of shape (n, p) or (n, *grid)
    y : array of shape (n,)
    path : str or path
        The HTML file to write; it needs nothing else.
    title : str
        That of the forest's kind if it is empty.
    names : mapping
        What the places of the grid are called: channels, times and unit, as in ``ImportanceMap``.

    Returns
    -------
    Path
    """
    need_matplotlib()
    check_is_fitted(forest)
    import matplotlib

    with matplotlib.rc_context({"figure.max_open_warning": 0}):
        text = html.document(title or f"{type(forest).__name__}: report", _sections(forest, X, np.asarray(y), names))
    write_whole(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8"))
    return Path(path)


def _sections(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    scores = evaluate(forest, X, y)
    rows = predict_rows(forest, X)
    found = [
        ("summary", "Summary", html.table("The forest", ("", ""), facts(forest).items(), text=True)),
        ("scores", "Scores", _scores(scores)),
    ]
    if scores.confusion is not None:
        found.append(("confusion", "Confusion", _confusion(scores)))
        found.append(("calibration", "Calibration", _calibration(scores)))
    found += [
        ("importance", "Where it looks", _importance(forest, rows, y, names)),
        ("atlas", "What it looks for", _atlas(forest, names)),
        ("trees", "First trees", _trees(forest, X, y, names)),
        ("profile", "Trees", _profile(forest)),
        ("rows", "Typical and atypical rows", _rows(forest, X, y, names)),
        ("settings", "Settings", _settings(forest)),
    ]
    return [(mark, heading, inside) for mark, heading, inside in found if inside]


def _scores(scores: Evaluation) -> str:
    rows = [(one.name, f"{one.value:.4g}", f"{one.low:.4g} to {one.high:.4g}") for one in scores.scores]
    return html.table(f"On {scores.n_rows:,} rows", ("score", "value", "95 % interval"), rows)


def _confusion(scores: Evaluation) -> str:
    assert scores.confusion is not None and scores.classes is not None
    if len(scores.classes) > _MOST_CLASSES:
        return html.paragraph(f"There are {len(scores.classes)} classes: too many for a table.")
    rows = [(label, *line) for label, line in zip(scores.classes, scores.confusion.tolist(), strict=True)]
    return html.table("Rows by true class, and by predicted class from left to right", ("true", *scores.classes), rows)


def _calibration(scores: Evaluation) -> str:
    assert scores.calibration is not None
    confidence = [part.confidence for part in scores.calibration]
    right = [part.right for part in scores.calibration]
    bars = [[one.value - one.low for one in right], [one.high - one.value for one in right]]
    (ax,) = panels(None, 1, size=(4.4, 3.6))
    ax.plot([0, 1], [0, 1], color="#999999", linestyle=":", label="perfectly calibrated")
    ax.errorbar(
        confidence, [one.value for one in right], bars, fmt="o-", color=CLASSES[0], capsize=3, label="this forest"
    )
    ax.set(xlabel="probability of the predicted class", ylabel="share that is right", xlim=(0, 1.02), ylim=(0, 1.02))
    ax.legend(frameon=False)
    error = scores["calibration error"]
    alt = "Share of right predictions against their probability: " + "; ".join(
        f"{one.value:.2f} at {c:.2f}" for c, one in zip(confidence, right, strict=True)
    )
    return html.picture(ax.figure, alt, f"Probabilities and how often they come true differ by {error} on average.")


def _importance(forest: Any, rows: NDArray[Any], y: NDArray[Any], names: Mapping[str, Any]) -> str:
    shown = ImportanceMap.from_estimator(forest, rows, y if hasattr(forest, "classes_") else None, **names)
    gains = forest.importance("gain")
    place = tuple(int(at) for at in np.unravel_index(int(gains.argmax()), gains.shape))
    alt = f"Map of importances over a grid of shape {gains.shape}; the largest, {gains.max():.2%}, is at {place}."
    return html.picture(shown.figure_, alt, "Share of the decrease of impurity that each place brings.")


def _atlas(forest: Any, names: Mapping[str, Any]) -> str:
    if not len(forest.trees_["threshold"]):
        return ""
    shown = PatchAtlas.from_estimator(forest, **names)
    atoms = "; ".join(f"{label} ({atom.gain:.2%})" for label, atom in zip(shown.labels, shown.atoms, strict=True))
    return html.picture(
        shown.figure_, f"The projections with the most gain: {atoms}.", "Projections with the most gain."
    )


def _trees(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> str:
    n = min(_TREES, len(forest.trees_["split_start"]) - 1)
    labels = y if hasattr(forest, "classes_") else None
    parts = []
    for number in range(n):
        shown = TreeView.from_estimator(forest, X, labels, tree=number, **names)
        alt = f"Tree {number}: " + forest.tree(number).text(max_depth=2).replace("\n", "; ")
        caption = f"Tree {number} with the rows of the report: what each split sums, and where it cuts."
        parts.append(html.picture(shown.figure_, alt, caption))
    return "".join(parts)


def _profile(forest: Any) -> str:
    try:
        shown = ForestProfile.from_estimator(forest)
    except ValueError:  # the training rows are gone
        return ""
    errors = "" if shown.errors is None else f"Error out of the bag of all trees: {shown.errors[-1]:.4g}. "
    sizes = [
        f"{name} from {of.min()} to {of.max()}" for name, of in (("depths", shown.depths), ("leaves", shown.leaves))
    ]
    alt = f"{errors}Trees have {' and '.join(sizes)}."
    return html.picture(shown.figure_, alt, "Whether more trees would help, and how large trees are.")


def _rows(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> str:
    """Show the rows that are nearest to others of their class in the forest, and those that are farthest."""
    some = _safe_indexing(X, np.arange(min(len(y), _MOST_ROWS)))
    rows = predict_rows(forest, some)
    scores = np.asarray(forest.outlier_score(some))
    order = np.argsort(scores, kind="stable")
    n = min(_SHOWN_ROWS, len(order) // 2)
    if not n:
        return ""
    chosen = [("typical", int(at)) for at in order[:n]] + [("atypical", int(at)) for at in order[::-1][:n]]
    places = Places(forest.grid_shape_, **names)
    line = len(places.shape) == 1
    axes = panels(None, len(chosen), size=(2.4, 1.6) if line else (1.8, 2.0), n_columns=n)
    for ax, (kind, at) in zip(axes, chosen, strict=True):
        values = np.asarray(rows[at], dtype=np.float64).reshape(forest.grid_shape_)
        if values.ndim > 2:
            values = values.reshape(-1, *values.shape[-2:])[values.reshape(-1, *values.shape[-2:]).shape[0] // 2]
        draw_values(ax, values, places, **({} if line else {"cmap": "Greys"}))
        ax.set_title(f"{kind}: row {at}, {y[at]}", fontsize="small")
        ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
    listed = ", ".join(f"{kind} row {at} (target {y[at]}, score {scores[at]:.3g})" for kind, at in chosen)
    return html.picture(axes[0].figure, f"{listed}.", "By how near a row is to the training rows of its class.")


def _settings(forest: Any) -> str:
    rows = [(name, value) for name, value in sorted(forest.get_params(deep=False).items())]
    versions = [("foliation", __version__), ("Python", platform.python_version())]
    for name in _PACKAGES:
        try:
            versions.append((name, version(name)))
        except PackageNotFoundError:
            continue
    seed = html.paragraph(f"All draws follow from the seed {forest.seed_}.")
    return (
        html.table("Parameters", ("parameter", "value"), rows, text=True)
        + seed
        + html.table("Versions", ("package", "version"), versions, text=True)
    )
