"""Predictions of a forest over a plane."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from foliation.analysis.importance import importance
from foliation.data.arrays import Array, Data, Floats
from foliation.data.rows import feature_label
from foliation.model.fitted import FittedForest
from foliation.model.model import Model
from foliation.plotting.style import AMOUNTS, CLASSES, class_style, draw_legend, literal, panels, root_figure, shortened
from foliation.plotting.validation import check_forest, check_targets
from foliation.printable import printable, quoted
from foliation.validation import check_sequence, is_integer

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

Extent = tuple[float, float, float, float]

_MOST_INSIDE = 6  # classes whose legend fits inside the axes
_FAINTEST, _STRONGEST = 0.1, 0.65  # opacity of a class that is no likelier than others, and of a certain one
_FINEST = 2000  # points along an axis
_BLOCK = 1 << 26  # bytes of rows that are predicted together
_MOST_NAMES = 20  # features that an error lists
_LONGEST_NAME, _LONGEST_CLASS = 40, 24  # letters of a feature along an axis, and of a class in the legend


class DecisionBoundary:
    """Predictions over two features, with all others at their medians: oblique cuts appear as oblique lines.

    Parameters
    ----------
    x, y : arrays of shape (k,)
        Values of the two features.
    values : array of shape (k, k), or (k, k, classes)
        Predictions, or probabilities, for each y and x.
    points, labels
        Rows to draw over it, and their classes or numbers.
    names : (str, str)
        Names of the two features, along the axes.
    classes : array, optional

    Attributes
    ----------
    figure_, ax_
        Set by ``plot``.
    """

    def __init__(
        self,
        x: Floats,
        y: Floats,
        values: Floats,
        points: Floats,
        labels: Array | None,
        names: tuple[str, str],
        classes: Array | None,
    ) -> None:
        self.x, self.y, self.values, self.points, self.labels = x, y, values, points, labels
        self.names, self.classes = names, classes

    @classmethod
    def from_estimator(
        cls,
        forest: FittedForest,
        X: Data,
        y: Data = None,
        *,
        features: tuple[int | str, int | str] | None = None,
        resolution: int = 200,
        ax: Axes | None = None,
    ) -> DecisionBoundary:
        """Draw the predictions of a fitted classifier or regressor with one output.

        Parameters
        ----------
        forest : ForestClassifier or ForestRegressor
        X : array of shape (n, p) or (n, *grid)
            Rows to draw; the other features have their medians.
        y : array of shape (n,), optional
            Their classes or numbers.
        features : pair of int or str, optional
            Numbers, or names, of the features along the axes; by default the two with the largest importance.
        resolution : int, default=200
            Points along each axis.
        ax : matplotlib axes, optional

        Returns
        -------
        DecisionBoundary
        """
        model = check_forest(forest)
        if model.targets.n_outputs != 1:
            raise ValueError(f"forest has {model.targets.n_outputs} outputs: expected one")
        if not is_integer(resolution, 2, _FINEST):
            raise ValueError(f"resolution={quoted(resolution)}: expected an integer from 2 to {_FINEST}")
        rows = np.asarray(forest._rows(X), dtype=np.float64)
        labels = None if y is None else check_targets(y, len(rows))
        numbers = _feature_numbers(model, features)
        along = [_range(rows[:, number], resolution) for number in numbers]
        places = np.stack([np.tile(along[0], resolution), np.repeat(along[1], resolution)], axis=1)
        values = _values(forest, np.median(rows, axis=0), numbers, places).reshape(resolution, resolution, -1)
        classes = model.targets.classes[0] if model.targets.classes else None
        names = _label(model, numbers[0]), _label(model, numbers[1])
        return cls(along[0], along[1], values, rows[:, numbers], labels, names, classes).plot(ax)

    def plot(self, ax: Axes | None = None) -> DecisionBoundary:
        """Draw on ``ax``, or in a new figure."""
        (self.ax_,) = panels(ax, 1, size=(4.6, 4.0))
        self.figure_ = root_figure(self.ax_)
        extent = (float(self.x[0]), float(self.x[-1]), float(self.y[0]), float(self.y[-1]))
        if self.classes is None:
            self._plot_numbers(extent)
        else:
            self._plot_classes(extent, self.classes)
        first, second = (literal(shortened(name, _LONGEST_NAME)) for name in self.names)
        self.ax_.set(xlabel=first, ylabel=second)
        return self

    def _plot_numbers(self, extent: Extent) -> None:
        """Draw predictions and points on one scale: a point that is predicted well has the color around it."""
        from matplotlib.colors import Normalize

        shown = self.values if self.labels is None else np.concatenate([self.values.ravel(), self.labels])
        norm = Normalize(float(shown.min()), float(shown.max()))
        image = self.ax_.imshow(
            self.values[..., 0], extent=extent, origin="lower", aspect="auto", cmap=AMOUNTS, norm=norm
        )  # fmt: skip
        label = "prediction" if self.labels is None else "prediction, target"
        self.ax_.figure.colorbar(image, ax=self.ax_, label=label)
        x, y = self.points.T
        if self.labels is None:
            self.ax_.scatter(x, y, s=14, edgecolors="white", linewidths=0.6, color="#999999")
        else:
            self.ax_.scatter(x, y, s=14, edgecolors="white", linewidths=0.6, c=self.labels, cmap=AMOUNTS, norm=norm)

    def _plot_classes(self, extent: Extent, classes: Array) -> None:
        """Draw the likeliest class everywhere, stronger where it is more certain, and lines where it changes."""
        from matplotlib.colors import to_rgb

        colors = np.array([to_rgb(CLASSES[k % len(CLASSES)]) for k in range(len(classes))])
        likeliest, least = self.values.argmax(axis=2), 1.0 / len(classes)
        certainty = (self.values.max(axis=2) - least) / (1.0 - least or 1.0)
        opacity = _FAINTEST + (_STRONGEST - _FAINTEST) * np.clip(certainty, 0, 1)
        shown = np.dstack([colors[likeliest], opacity])
        self.ax_.imshow(shown, extent=extent, origin="lower", aspect="auto", interpolation="nearest")
        for number in np.unique(likeliest)[1:]:
            self.ax_.contour(self.x, self.y, likeliest == number, levels=[0.5], colors="#777777", linewidths=0.7)
        if self.labels is None:
            self.ax_.plot(*self.points.T, ".", color="#777777", markersize=4)
            return
        handles: list[Artist] = []
        for number, label in enumerate(classes):
            own = self.points[self.labels == label]
            handles += self.ax_.plot(*own.T, linestyle="", markersize=5, **class_style(number))
        names = [shortened(label, _LONGEST_CLASS) for label in classes]
        if len(classes) > _MOST_INSIDE:
            outside = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
            draw_legend(self.ax_, handles, names, **outside, frameon=False, fontsize="small")
        else:
            draw_legend(self.ax_, handles, names, frameon=True, fontsize="small")


def _feature_numbers(model: Model, features: Sequence[int | str] | None) -> list[int]:
    """Return the numbers of two features, given by number or name; of the two most important ones by default."""
    if features is None:
        by_view = importance(model, "gain").reshape(-1, model.grid.n_features)
        return [int(number) for number in np.sort(np.argsort(-by_view.sum(axis=0), kind="stable")[:2])]
    check_sequence("features", features)
    names = [] if model.feature_names is None else [str(name) for name in model.feature_names]
    for feature in features:
        if isinstance(feature, str) and feature not in names:
            known = ", ".join(map(printable, names[:_MOST_NAMES])) + (", ..." if len(names) > _MOST_NAMES else "")
            expected = f"one of {known}" if names else "numbers, as the forest was fitted without names"
            raise ValueError(f"features={quoted(features)}: unknown feature {quoted(feature)}; expected {expected}")
    numbers = [names.index(feature) if isinstance(feature, str) else feature for feature in features]
    n_features = model.grid.n_features
    valid = all(isinstance(number, Integral) and 0 <= int(number) < n_features for number in numbers)
    if len(numbers) != 2 or not valid or numbers[0] == numbers[1]:
        raise ValueError(f"features={quoted(features)}: expected two different numbers below {n_features}")
    return [int(number) for number in numbers]


def _values(forest: FittedForest, row: Floats, numbers: list[int], places: Floats) -> Floats:
    """Return predictions for a row in which two features take the values of each place; few rows at a time."""
    step = max(1, _BLOCK // row.nbytes)
    blocks = []
    for begin in range(0, len(places), step):
        part = places[begin : begin + step]
        points = np.tile(row, (len(part), 1))
        points[:, numbers] = part
        blocks.append(_predictions(forest, points.reshape(-1, *forest.model_.grid.shape)))
    return np.concatenate(blocks)


def _predictions(forest: FittedForest, points: Floats) -> Floats:
    """Return probabilities or numbers; the points have no feature names even if the training rows had."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        return np.asarray(forest.predict_proba(points) if forest.model_.targets.classes else forest.predict(points))


def _label(model: Model, number: int) -> str:
    label = feature_label(number, model.feature_names, model.grid.shape)
    return label if model.feature_names is not None else f"feature {label}"


def _range(values: Floats, resolution: int) -> Floats:
    margin = 0.05 * (float(np.ptp(values)) or 1.0)
    return np.linspace(values.min() - margin, values.max() + margin, resolution)
