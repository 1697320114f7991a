"""The report of a forest, section by section."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from foliation._version import __version__
from foliation.analysis.description import facts
from foliation.data.arrays import Array, Data
from foliation.evaluation import Evaluation, evaluate
from foliation.io.atomic import check_place, write_atomic
from foliation.model.model import Model
from foliation.plotting import ForestProfile, ImportanceMap, PatchAtlas, TreeView
from foliation.plotting.grid import AxisNames, Places
from foliation.plotting.nodes import in_words
from foliation.plotting.validation import check_forest, check_targets
from foliation.projections.views import view_outline
from foliation.report import html
from foliation.report.rows import ForestWithOutliers, typical_rows
from foliation.report.scores import calibration, confusion, scores
from foliation.validation import check_text, file_path

_TREES = 2
_PACKAGES = ("numpy", "scipy", "scikit-learn", "matplotlib")

Section = tuple[str, str, str]  # anchor, heading, HTML


class Subject(NamedTuple):
    """A forest, rows that it has not seen, their targets, and names for the places of its grid."""

    forest: ForestWithOutliers
    X: Data
    y: Array
    names: AxisNames

    @property
    def model(self) -> Model:
        return self.forest.model_

    @property
    def labels(self) -> Array | None:
        """The targets, if they are classes."""
        return self.y if self.model.targets.classes else None


def write_report(
    forest: ForestWithOutliers, X: Data, y: Data, path: str | os.PathLike[str], title: str, names: AxisNames
) -> Path:
    """Write the report of a fitted classifier or regressor on rows that it has not seen.

    Parameters
    ----------
    forest : ForestClassifier or ForestRegressor
    X : array of shape (n, p) or (n, *grid)
    y : array of shape (n,)
    path : str or path
        The HTML file to write, without external resources.
    title : str
        The name of the forest's class if empty.
    names : AxisNames
        Names of the places of the grid: channels, times and unit, as in ``ImportanceMap``.

    Returns
    -------
    Path
    """
    model = check_forest(forest)
    n_outputs = model.targets.n_outputs
    if not n_outputs:
        raise TypeError(f"forest is a {type(forest).__name__}, which predicts nothing: expected one that does")
    if n_outputs > 1:
        raise ValueError(f"forest has {n_outputs} outputs: expected one")
    check_text("title", title)
    check_text("unit", names.get("unit", ""))
    if y is None:
        raise ValueError("y=None: expected the true classes or numbers of the rows")
    check_place(path)
    subject = Subject(forest, X, check_targets(y, len(X)), names)
    from matplotlib import rc_context, style

    # The page is white, whatever style the user has set.
    with style.context("default"), rc_context({"figure.max_open_warning": 0}):
        text = html.document(title or f"{type(forest).__name__}: report", _sections(subject))
    write_atomic(path, lambda file: file.write(text.encode()))
    return file_path(path)


def _sections(subject: Subject) -> list[Section]:
    """Return the sections that have content."""
    evaluation = evaluate(subject.forest, subject.X, subject.y)
    has_splits = len(subject.model.trees.threshold) > 0
    sections = [
        ("summary", "Summary", _summary(subject)),
        ("scores", "Scores", scores(evaluation)),
        *_class_sections(evaluation),
        ("importance", "Where it looks", _importance(subject) if has_splits else html.paragraph(_NO_SPLITS)),
        ("atlas", "What it looks for", _atlas(subject) if has_splits else ""),
        ("trees", "First trees", _trees(subject) if has_splits else ""),
        ("profile", "Size and number of trees", _profile(subject)),
        ("rows", "Typical and atypical rows", typical_rows(*subject) if has_splits else ""),
        ("settings", "Settings", _settings(subject)),
    ]
    return [section for section in sections if section[2]]


_NO_SPLITS = "No tree of this forest has a split: it predicts the same for all rows and uses no feature."


def _class_sections(evaluation: Evaluation) -> list[Section]:
    if evaluation.confusion is None:
        return []
    return [
        ("confusion", "Confusion", confusion(evaluation)),
        ("calibration", "Calibration", calibration(evaluation)),
    ]


def _summary(subject: Subject) -> str:
    places = Places.of_forest(subject.forest, **subject.names)
    lines = facts(subject.model, type(subject.forest).__name__, places=places)
    return html.table("The forest", ("", ""), lines.items(), text=True)


def _importance(subject: Subject) -> str:
    display = ImportanceMap.from_estimator(subject.forest, subject.X, subject.labels, **subject.names)
    top = max(shares.max() for shares in display.maps.values())
    n_features = subject.model.grid.n_features
    alt = f"Importances of {n_features:,} features; the largest, {top:.2%}, is that of {_largest(display)}."
    unit = "place" if display.names is None else "feature"
    return html.picture(display.figure_, alt, f"Share of the decrease of impurity due to each {unit}.")


def _largest(display: ImportanceMap) -> str:
    """Write in words where the largest importance is."""
    view = max(display.maps, key=lambda name: float(display.maps[name].max()))
    shares = display.maps[view]
    indices = [int(index) for index in np.unravel_index(int(shares.argmax()), shares.shape)]
    if display.names is not None:
        return f"the feature {display.names[indices[0]]}"
    lead = f"{view_outline(view).label}, " if view else ""
    return lead + display.places.of_view(view).place(indices)


def _atlas(subject: Subject) -> str:
    display = PatchAtlas.from_estimator(subject.forest, **subject.names)
    atoms = "; ".join(f"{label} ({atom.gain:.2%})" for label, atom in zip(display.labels, display.atoms, strict=True))
    alt = f"The projections with the largest gain: {atoms}."
    return html.picture(display.figure_, alt, "Projections with the largest gain.")


def _trees(subject: Subject) -> str:
    pictures = []
    for number in range(min(_TREES, subject.model.n_trees)):
        display = TreeView.from_estimator(subject.forest, subject.X, subject.labels, tree=number, **subject.names)
        caption = f"Tree {number} with the rows of the report: the atom of each split, and where it cuts."
        pictures.append(html.picture(display.figure_, f"Tree {number}: {in_words(display.nodes)}.", caption))
    return "".join(pictures)


def _profile(subject: Subject) -> str:
    display = ForestProfile.from_estimator(subject.forest)
    error = "" if display.errors is None else f"Out-of-bag error of all trees: {display.errors[-1]:.4g}. "
    why = f"There is no out-of-bag error: {' '.join(display.why.split())}. " if display.why else ""
    sizes = {"depths": display.depths, "leaves": display.leaves}
    ranges = " and ".join(f"{name} from {counts.min()} to {counts.max()}" for name, counts in sizes.items())
    size = (
        "How large trees are." if display.errors is None else "Whether more trees would help, and how large they are."
    )
    return html.picture(display.figure_, f"{error}{why}Trees have {ranges}.", size)


def _settings(subject: Subject) -> str:
    parameters = sorted(subject.forest.get_params(deep=False).items())
    versions = [("foliation", __version__), ("Python", platform.python_version())]
    for name in _PACKAGES:
        try:
            versions.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return (
        html.table("Parameters", ("parameter", "value"), parameters, text=True)
        + html.paragraph(f"All random draws follow from the seed {subject.model.seed}.")
        + html.table("Versions", ("package", "version"), versions, text=True)
    )
