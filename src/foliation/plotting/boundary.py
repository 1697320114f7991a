"""What a forest says of every point of a plane."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation import rows
from foliation._sklearn import check_is_fitted
from foliation.plotting.style import AMOUNTS, CLASSES, class_style, panels


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
        Of the two features.
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
        features: tuple[int, int] = (0, 1),
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
        features : (int, int), default=(0, 1)
            Numbers of the features along the axes.
        resolution : int, default=200
            Points along each axis.
        ax : matplotlib axes, optional

        Returns
        -------
        DecisionBoundary
        """
        check_is_fitted(forest)
        if forest.n_outputs_ != 1:
            raise ValueError(f"the forest has {forest.n_outputs_} outputs; a boundary is drawn of one")
        given = np.asarray(rows.predict_rows(forest, X), dtype=np.float64)
        first, second = features
        if not (0 <= first < given.shape[1] and 0 <= second < given.shape[1] and first != second):
            raise ValueError(f"features={features!r} must be two different numbers below {given.shape[1]}")
        along = [_range(given[:, at], resolution) for at in features]
        points = np.tile(np.median(given, axis=0), (resolution * resolution, 1))
        points[:, first] = np.tile(along[0], resolution)
        points[:, second] = np.repeat(along[1], resolution)
        shaped = points.reshape(-1, *forest.row_shape_)
        classes = np.ravel(forest.classes_) if hasattr(forest, "classes_") else None
        found = np.asarray(forest.predict(shaped) if classes is None else forest.predict_proba(shaped))
        names = getattr(forest, "feature_names_in_", None)
        labels = tuple(rows.feature_label(at, names, forest.row_shape_) for at in features)
        values = found.reshape(resolution, resolution, -1)
        shown = None if y is None else np.asarray(y)
        return cls(along[0], along[1], values, given[:, list(features)], shown, (labels[0], labels[1]), classes).plot(
            ax
        )

    def plot(self, ax: Any = None) -> DecisionBoundary:
        """Draw on ``ax``, or in a new figure."""
        (self.ax_,) = panels(ax, 1, size=(4.6, 4.0))
        self.figure_ = self.ax_.figure
        extent = (self.x[0], self.x[-1], self.y[0], self.y[-1])
        if self.classes is None:
            self._plot_numbers(extent)
        else:
            self._plot_classes(extent)
        self.ax_.set(xlabel=f"feature {self.names[0]}", ylabel=f"feature {self.names[1]}")
        return self

    def _plot_numbers(self, extent: tuple[float, float, float, float]) -> None:
        image = self.ax_.imshow(self.values[..., 0], extent=extent, origin="lower", aspect="auto", cmap=AMOUNTS)
        self.figure_.colorbar(image, ax=self.ax_, label="prediction")
        color = self.labels if self.labels is not None else "#999999"
        self.ax_.scatter(*self.points.T, c=color, cmap=AMOUNTS, s=14, edgecolors="white", linewidths=0.6)

    def _plot_classes(self, extent: tuple[float, float, float, float]) -> None:
        """Mix the colours of the classes by their probabilities."""
        from matplotlib.colors import to_rgb

        assert self.classes is not None
        colors = np.array([to_rgb(CLASSES[k % len(CLASSES)]) for k in range(len(self.classes))])
        mixed = 1.0 - 0.65 * (1.0 - self.values @ colors)
        self.ax_.imshow(np.clip(mixed, 0, 1), extent=extent, origin="lower", aspect="auto", interpolation="nearest")
        if self.labels is None:
            self.ax_.plot(*self.points.T, ".", color="#444444", markersize=4)
            return
        for number, label in enumerate(self.classes):
            here = self.points[self.labels == label]
            style = class_style(number)
            self.ax_.plot(
                *here.T,
                linestyle="",
                markersize=5,
                markeredgecolor="white",
                markeredgewidth=0.6,
                label=str(label),
                **style,
            )
        self.ax_.legend(frameon=True, fontsize="small")


def _range(values: NDArray[np.float64], resolution: int) -> NDArray[np.float64]:
    margin = 0.05 * (float(np.ptp(values)) or 1.0)
    return np.linspace(values.min() - margin, values.max() + margin, resolution)
