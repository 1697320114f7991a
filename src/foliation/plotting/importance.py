"""Where a forest looks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.plotting.grid import Places, draw_values
from foliation.plotting.style import AMOUNTS, panels

_MOST_CLASSES = 6


class ImportanceMap:
    """The importance of each place of the grid, beside the means of the classes.

    Parameters
    ----------
    maps : dict of str to array
        What is drawn, by its title; arrays in the shape of the grid.
    means : dict of str to array
        Mean rows of classes, by their names.
    places : Places
        What the places of the grid are called.
    kind : {"count", "gain"}
        What the importances are shares of.
    positions : array of shape (p, 2), optional
        Where features lie in the plane, if they are nodes of a graph.
    edges : array of shape (m, 2), optional
        Pairs of features that are neighbours.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(
        self,
        maps: dict[str, NDArray[np.float64]],
        means: dict[str, NDArray[np.float64]],
        places: Places,
        kind: str,
        positions: NDArray[np.float64] | None = None,
        edges: NDArray[np.int64] | None = None,
    ) -> None:
        self.maps, self.means, self.places, self.kind = maps, means, places, kind
        self.positions, self.edges = positions, edges

    @classmethod
    def from_estimator(
        cls,
        forest: Any,
        X: Any = None,
        y: Any = None,
        *,
        kind: Literal["count", "gain"] = "gain",
        channels: Sequence[str] | None = None,
        times: Sequence[float] | NDArray[Any] | None = None,
        unit: str = "",
        positions: Any = None,
        ax: Any = None,
    ) -> ImportanceMap:
        """Draw the importances of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
        X, y : arrays, optional
            Rows and their classes, whose means are drawn beside the importances.
        kind : {"count", "gain"}, default="gain"
        channels : sequence of str, optional
            Names along the axis before the last.
        times : sequence of float, optional
            Times along the last axis, in ``unit``.
        positions : array of shape (p, 2), optional
            Places of the features in the plane, for features on a graph.
        ax : matplotlib axes, optional

        Returns
        -------
        ImportanceMap
        """
        check_is_fitted(forest)
        views = forest._know()[2]
        found = forest.importance(kind)
        names = [""] if views is None else list(views.names)
        places = Places(forest.grid_shape_, channels, times, unit)
        maps = dict(zip(names, [found] if views is None else list(found), strict=True))
        means = _class_means(X, y, forest.grid_shape_) if X is not None else {}
        where = None if positions is None else np.asarray(positions, dtype=np.float64)
        if where is not None and where.shape != (forest.n_features_in_, 2):
            raise ValueError(f"positions has shape {where.shape}; it must be ({forest.n_features_in_}, 2)")
        return cls(maps, means, places, kind, where, _edges(forest)).plot(ax)

    def plot(self, ax: Any = None) -> ImportanceMap:
        """Draw on ``ax``, or in a new figure."""
        if self.positions is not None:
            self._plot_graph(ax)
        else:
            self._plot_grids(ax)
        self.figure_ = self.axes_[0].figure
        return self

    @property
    def _label(self) -> str:
        return "share of the gain" if self.kind == "gain" else "share of the splits' features"

    def _plot_grids(self, ax: Any) -> None:
        volume = len(self.places.shape) > 2
        slices = self.places.slices() if volume else [0]
        parts = [(f"mean of {name}", mean, False) for name, mean in self.means.items()]
        parts += [(name or "importance", found, True) for name, found in self.maps.items()]
        jobs = [(title, values, own, at) for title, values, own in parts for at in slices]
        line = len(self.places.shape) == 1
        size = (4.2, 2.6) if line or self.places.channels is not None else (2.7, 2.7)
        columns = len(slices) if volume else 1 if line else min(len(jobs), 3 if self.places.channels is not None else 5)
        self.axes_ = panels(ax, len(jobs), size=size, n_columns=columns)
        top = max(float(found.max()) for found in self.maps.values()) or 1.0
        lo, hi = _ends(self.means)
        images = []
        for (title, values, own, at), axes in zip(jobs, self.axes_, strict=True):
            shown = values.reshape(-1, *self.places.shape[-2:])[at] if volume else values
            options = {"cmap": AMOUNTS, "vmin": 0.0, "vmax": top} if own else {"cmap": "Greys", "vmin": lo, "vmax": hi}
            places = self.places.of_view(title if own else "")
            image = draw_values(axes, shown[..., : places.shape[-1]], places, **options)
            axes.set_title(f"{title}, slice {at}" if volume else title, fontsize="medium")
            if own and line:
                axes.set(ylabel=self._label, ylim=(0, 1.05 * top))
            elif line:
                axes.set(ylim=(min(0.0, 1.05 * lo), max(0.0, 1.05 * hi)))
            images += [image] if own and image is not None else []
        if images:
            mine = [axes for (_, _, own, _), axes in zip(jobs, self.axes_, strict=True) if own]
            self.axes_[0].figure.colorbar(images[-1], ax=mine, label=self._label, shrink=0.8)

    def _plot_graph(self, ax: Any) -> None:
        self.axes_ = panels(ax, 1, size=(4.6, 4.0))
        axes, where = self.axes_[0], self.positions
        assert where is not None
        total = np.sum([found.ravel() for found in self.maps.values()], axis=0)
        if self.edges is not None:
            from matplotlib.collections import LineCollection

            axes.add_collection(LineCollection(list(where[self.edges]), colors="#99999988", linewidths=0.8, zorder=1))
        size = 30 + 270 * total / (total.max() or 1.0)
        dots = axes.scatter(*where.T, c=total, s=size, cmap=AMOUNTS, vmin=0, edgecolors="#666666", linewidths=0.5)
        axes.figure.colorbar(dots, ax=axes, label=self._label, shrink=0.8)
        axes.set(xticks=[], yticks=[], aspect="equal")
        axes.margins(0.1)


def _ends(means: dict[str, NDArray[np.float64]]) -> tuple[float, float]:
    """Return the least and the largest value of all means, which share a scale."""
    values = [value for mean in means.values() for value in (mean.min(), mean.max())]
    return (float(min(values)), float(max(values))) if values else (0.0, 1.0)


def _class_means(X: Any, y: Any, shape: tuple[int, ...]) -> dict[str, NDArray[np.float64]]:
    rows = np.asarray(X, dtype=np.float64).reshape(-1, *shape)
    if y is None:
        return {"all rows": rows.mean(axis=0)}
    labels = np.asarray(y)
    if len(labels) != len(rows):
        raise ValueError(f"X has {len(rows)} rows and y has {len(labels)}")
    classes = np.unique(labels)
    if len(classes) > _MOST_CLASSES:
        return {"all rows": rows.mean(axis=0)}
    return {str(label): rows[labels == label].mean(axis=0) for label in classes}


def _edges(forest: Any) -> NDArray[np.int64] | None:
    graph = getattr(forest.projections_, "graph", None)
    if graph is None:
        return None
    adjacency = forest.projections_._adjacency(math.prod(forest.row_shape_)).tocoo()
    ends = np.stack(adjacency.coords, axis=1)
    return np.asarray(ends[ends[:, 0] < ends[:, 1]], dtype=np.int64)
