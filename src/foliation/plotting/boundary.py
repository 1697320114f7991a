"""What a forest says of every point of a plane."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.data.rows import feature_label
from foliation.plotting.style import AMOUNTS, CLASSES, class_style, panels
from foliation.plotting.validation import check_forest, one_each

_MOST_INSIDE = 6  # classes whose legend hides little
_FAINTEST, _STRONGEST = 0.1, 0.65  # colours of a class that is no likelier than others, and of a sure one


class DecisionBoundary:
    """Predictions over two features, all others at their medians: oblique cuts are oblique lines.

    Parameters
    ----------
    x, y : arrays of shape (k,)
        Values of the two features.
    values : array of shape (k, k), or (k, k, classes)
        Predictions, or probabilities, for each y and x.
    points, labels
        Rows to draw over it, and their classes or numbers.
    names : (str, str)
        Of the two features, along the axes.
    classes : array, optional

    Attributes
    ----------
    figure_, ax_
        Set by ``plot``.
    """

    def __init__(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        values: NDArray[np.float64],
        points: NDArray[np.float64],
        labels: NDArray[Any] | None,
        names: tuple[str, str],
        classes: NDArray[Any] | None,
    ) -> None:
        self.x, self.y, self.values, self.points, self.labels = x, y, values, points, labels
        self.names, self.classes = names, classes

    @classmethod
    def from_estimator(
        cls,
        forest: Any,
        X: Any,
        y: Any = None,
        *,
        features: tuple[int | str, int | str] | None = None,
        resolution: int = 200,
        ax: Any = None,
    ) -> DecisionBoundary:
        """Draw what a fitted classifier or regressor of one output says.

        Parameters
        ----------
        forest : ForestClassifier or ForestRegressor
        X : array of shape (n, p) or (n, *grid)
            Rows to draw, and whose medians the other features have.
        y : array of shape (n,), optional
            Their classes or numbers.
        features : pair of int or str, optional
            Numbers, or names, of the features along the axes; the two with the most gain if not given.
        resolution : int, default=200
            Points along each axis.
        ax : matplotlib axes, optional

        Returns
        -------
        DecisionBoundary
        """
        check_forest(forest)
        if forest.n_outputs_ != 1:
            raise ValueError(f"the forest has {forest.n_outputs_} outputs; a boundary is drawn of one")
        given = np.asarray(forest._rows(X), dtype=np.float64)
        shown = None if y is None else one_each(y, len(given))
        first, second = numbers = _numbers(forest, features)
        along = [_range(given[:, at], resolution) for at in numbers]
        points = np.tile(np.median(given, axis=0), (resolution * resolution, 1))
        points[:, first] = np.tile(along[0], resolution)
        points[:, second] = np.repeat(along[1], resolution)
        values = _said(forest, points.reshape(-1, *forest.model_.grid.shape)).reshape(resolution, resolution, -1)
        classes = np.ravel(forest.classes_) if hasattr(forest, "classes_") else None
        labels = _label(forest, first), _label(forest, second)
        return cls(along[0], along[1], values, given[:, numbers], shown, labels, classes).plot(ax)

    def plot(self, ax: Any = None) -> DecisionBoundary:
        """Draw on ``ax``, or in a new figure."""
        (self.ax_,) = panels(ax, 1, size=(4.6, 4.0))
        self.figure_ = self.ax_.figure
        extent = (self.x[0], self.x[-1], self.y[0], self.y[-1])
        if self.classes is None:
            self._plot_numbers(extent)
        else:
            self._plot_classes(extent)
        self.ax_.set(xlabel=self.names[0], ylabel=self.names[1])
        return self

    def _plot_numbers(self, extent: tuple[float, float, float, float]) -> None:
        """Draw predictions and points on one scale: a point that is predicted well has the colour around it."""
        from matplotlib.colors import Normalize

        told = self.values if self.labels is None else np.concatenate([self.values.ravel(), self.labels])
        options = {"cmap": AMOUNTS, "norm": Normalize(float(told.min()), float(told.max()))}
        image = self.ax_.imshow(self.values[..., 0], extent=extent, origin="lower", aspect="auto", **options)
        self.figure_.colorbar(image, ax=self.ax_, label="prediction" if self.labels is None else "prediction, target")
        color = {"color": "#999999"} if self.labels is None else {"c": self.labels, **options}
        self.ax_.scatter(*self.points.T, s=14, edgecolors="white", linewidths=0.6, **color)

    def _plot_classes(self, extent: tuple[float, float, float, float]) -> None:
        """Draw the likeliest class everywhere, the stronger the surer, and lines where it changes."""
        from matplotlib.colors import to_rgb

        assert self.classes is not None
        colors = np.array([to_rgb(CLASSES[k % len(CLASSES)]) for k in range(len(self.classes))])
        likeliest, least = self.values.argmax(axis=2), 1.0 / len(self.classes)
        sure = (self.values.max(axis=2) - least) / (1.0 - least or 1.0)
        opacity = _FAINTEST + (_STRONGEST - _FAINTEST) * np.clip(sure, 0, 1)
        shown = np.dstack([colors[likeliest], opacity])
        self.ax_.imshow(shown, extent=extent, origin="lower", aspect="auto", interpolation="nearest")
        for number in np.unique(likeliest)[1:]:
            self.ax_.contour(self.x, self.y, likeliest == number, levels=[0.5], colors="#777777", linewidths=0.7)
        if self.labels is None:
            self.ax_.plot(*self.points.T, ".", color="#777777", markersize=4)
            return
        for number, label in enumerate(self.classes):
            here = self.points[self.labels == label]
            self.ax_.plot(*here.T, linestyle="", markersize=5, label=str(label), **class_style(number))
        outside = len(self.classes) > _MOST_INSIDE
        where = {"loc": "center left", "bbox_to_anchor": (1, 0.5)} if outside else {}
        self.ax_.legend(frameon=not outside, fontsize="small", **where)


def _numbers(forest: Any, features: Any) -> list[int]:
    """Return the numbers of two features, which may be given by their names, or not at all."""
    if features is None:
        most = np.argsort(-forest.feature_importances_, kind="stable")[:2]
        features = tuple(int(at) for at in np.sort(most))
    names = [str(name) for name in getattr(forest, "feature_names_in_", [])]
    found = []
    for feature in features:
        if isinstance(feature, str):
            if feature not in names:
                known = f"it has {', '.join(names[:20])}{', ...' if len(names) > 20 else ''}" if names else "none has"
                raise ValueError(f"features={features!r}: the forest knows no feature named {feature!r}; {known}")
            feature = names.index(feature)
        found.append(feature)
    if (
        len(found) != 2
        or found[0] == found[1]
        or not all(isinstance(at, Integral) and 0 <= int(at) < forest.n_features_in_ for at in found)
    ):
        raise ValueError(f"features={features!r} must be two different numbers below {forest.n_features_in_}")
    return [int(at) for at in found]


def _said(forest: Any, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a forest predicts; points have no names, also where the rows of the fit had some."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        return np.asarray(forest.predict_proba(points) if hasattr(forest, "classes_") else forest.predict(points))


def _label(forest: Any, number: int) -> str:
    names = getattr(forest, "feature_names_in_", None)
    label = feature_label(number, names, forest.model_.grid.shape)
    return label if names is not None else f"feature {label}"


def _range(values: NDArray[np.float64], resolution: int) -> NDArray[np.float64]:
    margin = 0.05 * (float(np.ptp(values)) or 1.0)
    return np.linspace(values.min() - margin, values.max() + margin, resolution)
