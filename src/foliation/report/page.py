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

from foliation._version import __version__
from foliation.analysis.description import facts
from foliation.evaluation import evaluate
from foliation.io.atomic import write_atomic
from foliation.plotting import ForestProfile, ImportanceMap, PatchAtlas, TreeView
from foliation.plotting.grid import Places
from foliation.plotting.nodes import in_words
from foliation.plotting.validation import check_forest, one_each
from foliation.projections.views import view_outline
from foliation.report import html
from foliation.report.rows import typical_rows
from foliation.report.scores import calibration, confusion, scores

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
    check_forest(forest)
    if not forest.n_outputs_:
        raise TypeError(f"{type(forest).__name__} has no report: it predicts nothing that could be scored")
    if forest.n_outputs_ > 1:
        raise ValueError(f"the forest has {forest.n_outputs_} outputs; a report is written of one")
    if y is None:
        raise ValueError("a report needs y, the true classes or numbers of the rows")
    targets = one_each(y, len(X))
    from matplotlib import rc_context, style

    # Pages are white, whatever the user's own pictures look like.
    with style.context("default"), rc_context({"figure.max_open_warning": 0}):
        text = html.document(title or f"{type(forest).__name__}: report", _sections(forest, X, targets, names))
    write_atomic(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8"))
    return Path(path)


def _sections(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    found_scores = evaluate(forest, X, y)
    places = Places.of_forest(forest, **names)
    told = facts(forest.model_, type(forest).__name__, places=places).items()
    found = [
        ("summary", "Summary", html.table("The forest", ("", ""), told, text=True)),
        ("scores", "Scores", scores(found_scores)),
    ]
    if found_scores.confusion is not None:
        found.append(("confusion", "Confusion", confusion(found_scores)))
        found.append(("calibration", "Calibration", calibration(found_scores)))
    found += [
        ("importance", "Where it looks", _importance(forest, X, y, names)),
        ("atlas", "What it looks for", _atlas(forest, names)),
        ("trees", "First trees", _trees(forest, X, y, names)),
        ("profile", "Size and number of trees", _profile(forest)),
        ("rows", "Typical and atypical rows", typical_rows(forest, X, y, names) if _splits(forest) else ""),
        ("settings", "Settings", _settings(forest)),
    ]
    return [(mark, heading, inside) for mark, heading, inside in found if inside]


def _splits(forest: Any) -> bool:
    return len(forest.model_.trees.threshold) > 0


def _importance(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> str:
    if not _splits(forest):
        return html.paragraph("No tree of this forest has a split: it says the same of all rows, and looks nowhere.")
    shown = ImportanceMap.from_estimator(forest, X, y if hasattr(forest, "classes_") else None, **names)
    top = max(found.max() for found in shown.maps.values())
    alt = f"Importances of {forest.n_features_in_:,} features; the largest, {top:.2%}, is that of {_largest(shown)}."
    what = "place" if shown.names is None else "feature"
    return html.picture(shown.figure_, alt, f"Share of the decrease of impurity that each {what} brings.")


def _largest(shown: ImportanceMap) -> str:
    """Say in words where the largest importance is."""
    view = max(shown.maps, key=lambda name: float(shown.maps[name].max()))
    found = shown.maps[view]
    at = [int(place) for place in np.unravel_index(int(found.argmax()), found.shape)]
    if shown.names is not None:
        return f"the feature {shown.names[at[0]]}"
    lead = f"{view_outline(view).label}, " if view else ""
    return lead + shown.places.of_view(view).place(at)


def _atlas(forest: Any, names: Mapping[str, Any]) -> str:
    if not _splits(forest):
        return ""
    shown = PatchAtlas.from_estimator(forest, **names)
    atoms = "; ".join(f"{label} ({atom.gain:.2%})" for label, atom in zip(shown.labels, shown.atoms, strict=True))
    return html.picture(
        shown.figure_, f"The projections with the most gain: {atoms}.", "Projections with the most gain."
    )


def _trees(forest: Any, X: Any, y: NDArray[Any], names: Mapping[str, Any]) -> str:
    if not _splits(forest):
        return ""
    n = min(_TREES, forest.model_.n_trees)
    labels = y if hasattr(forest, "classes_") else None
    parts = []
    for number in range(n):
        shown = TreeView.from_estimator(forest, X, labels, tree=number, **names)
        caption = f"Tree {number} with the rows of the report: what each split sums, and where it cuts."
        parts.append(html.picture(shown.figure_, f"Tree {number}: {in_words(shown.nodes)}.", caption))
    return "".join(parts)


def _profile(forest: Any) -> str:
    shown = ForestProfile.from_estimator(forest)
    errors = "" if shown.errors is None else f"Error out of the bag of all trees: {shown.errors[-1]:.4g}. "
    why = f"There is no error out of the bag: {' '.join(shown.why.split())}. " if shown.why else ""
    sizes = [
        f"{name} from {of.min()} to {of.max()}" for name, of in (("depths", shown.depths), ("leaves", shown.leaves))
    ]
    caption = (
        "How large trees are." if shown.errors is None else "Whether more trees would help, and how large they are."
    )
    return html.picture(shown.figure_, f"{errors}{why}Trees have {' and '.join(sizes)}.", caption)


def _settings(forest: Any) -> str:
    rows = [(name, value) for name, value in sorted(forest.get_params(deep=False).items())]
    versions = [("foliation", __version__), ("Python", platform.python_version())]
    for name in _PACKAGES:
        try:
            versions.append((name, version(name)))
        except PackageNotFoundError:
            continue
    seed = html.paragraph(f"All draws follow from the seed {forest.model_.seed}.")
    return (
        html.table("Parameters", ("parameter", "value"), rows, text=True)
        + seed
        + html.table("Versions", ("package", "version"), versions, text=True)
    )
