"""Where a forest looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foliation.analysis.atlas import is_table
from foliation.plotting.graph import adjacency, draw_graph, edges, layout
from foliation.plotting.grid import Places, draw_values
from foliation.plotting.style import AMOUNTS, CLASSES, panels, shortened
from foliation.plotting.validation import check_forest, one_each
from foliation.projections.views import view_outline

_MOST_CLASSES = 10  # whose means are drawn
_MOST_CHANNELS = 32  # that all have their names
_MOST_BARS = 25


class Panel(NamedTuple):
    """One line or image of the picture."""

    title: str
    values: NDArray[np.float64]
    places: Places
    mean: bool  # of rows, not an importance


class ImportanceMap:
    """The importance of each place of the grid, beside the means of the classes; of named columns one bar each.

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
    names : sequence of str, optional
        Of features that are columns of a table or nodes of a graph.

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
        names: Sequence[str] | None = None,
    ) -> None:
        self.maps, self.means, self.places, self.kind = maps, means, places, kind
        self.positions, self.edges, self.names = positions, edges, names

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
            Rows and their classes, whose means are drawn beside the importances; not those of named columns.
        kind : {"count", "gain"}, default="gain"
        channels : sequence of str, optional
            Names along the axis before the last.
        times : sequence of float, optional
            Times along the last axis, in ``unit``.
        positions : array of shape (p, 2), optional
            Places of the features in the plane, for features on a graph; as far apart as they are in hops if left out.
        ax : matplotlib axes, optional

        Returns
        -------
        ImportanceMap
        """
        check_forest(forest)
        views = forest.model_.views
        found = forest.importance(kind)
        maps = {"": found} if views is None else dict(zip(views.names, found, strict=True))
        places = Places.of_forest(forest, channels, times, unit)
        means = {} if X is None else _means(forest, X, y)
        names = forest.feature_names_in_ if hasattr(forest, "feature_names_in_") and is_table(forest.model_) else None
        graph = adjacency(forest)
        where = layout(forest, graph) if positions is None else np.asarray(positions, dtype=np.float64)
        if where is not None and where.shape != (forest.n_features_in_, 2):
            raise ValueError(f"positions has shape {where.shape}; it must be ({forest.n_features_in_}, 2)")
        pairs = None if graph is None else edges(graph)
        return cls(maps, {} if names is not None else means, places, kind, where, pairs, names).plot(ax)

    def plot(self, ax: Any = None) -> ImportanceMap:
        """Draw on ``ax``, or in a new figure."""
        if self.positions is not None:
            self._plot_graph(ax, self.positions)
        elif self.names is not None:
            self._plot_bars(ax, self.names)
        else:
            self._plot_grids(ax)
        self.figure_ = self.axes_[0].figure
        return self

    @property
    def _label(self) -> str:
        return "share of the gain" if self.kind == "gain" else "share of the splits' features"

    @property
    def _total(self) -> NDArray[np.float64]:
        """The importance of each feature, in all views."""
        return np.asarray(np.sum([found.ravel() for found in self.maps.values()], axis=0))

    def _panels(self) -> list[Panel]:
        parts = [Panel(f"mean of {name}", mean, self.places, True) for name, mean in self.means.items()]
        for view, found in self.maps.items():
            places = self.places.of_view(view)
            name = view_outline(view).label if view else "importance"
            parts.append(Panel(name, found[..., : places.shape[-1]], places, False))
        if len(self.places.shape) <= 2:
            return parts
        return [
            Panel(f"{one.title}, slice {at}", one.values.reshape(-1, *one.values.shape[-2:])[at], one.places, one.mean)
            for one in parts
            for at in self.places.slices()
        ]

    def _plot_grids(self, ax: Any) -> None:
        jobs = self._panels()
        places, n_means = self.places, sum(one.mean for one in jobs)
        columns = _columns(places, n_means, len(jobs) - n_means)
        # Means and importances have a scale each, so neither begins in the middle of the other's row.
        whole = ax is None and len(jobs) > columns
        n_first = n_means + (-n_means % columns if whole else 0)
        n_last = len(jobs) - n_means + ((n_means - len(jobs)) % columns if whole else 0)
        found = panels(ax, n_first + n_last, size=_size(places, len(jobs)), n_columns=columns)
        for part, axes in ((jobs[:n_means], found[:n_first]), (jobs[n_means:], found[n_first:])):
            if part:
                self._plot_scale(part, axes)
        self.axes_ = np.concatenate([found[:n_means], found[n_first : n_first + len(jobs) - n_means]])

    def _plot_scale(self, jobs: list[Panel], axes: NDArray[Any]) -> None:
        """Draw panels that share a scale, and their colour bar beside all axes of their rows."""
        low, high = min(float(one.values.min()) for one in jobs), max(float(one.values.max()) for one in jobs)
        mean = jobs[0].mean
        options = {"cmap": "Greys", "vmin": low, "vmax": high} if mean else {"cmap": AMOUNTS, "vmin": 0.0}
        options |= {} if mean else {"vmax": high or 1.0}
        label = "mean" if mean else self._label
        for unused in axes[len(jobs) :]:
            unused.set_axis_off()
        for one, own in zip(jobs, axes, strict=False):
            image = draw_values(own, one.values, one.places, _MOST_CHANNELS, **options)
            own.set_title(one.title, fontsize="medium")
            if image is None:
                own.set(ylabel=label, ylim=(min(0.0, 1.05 * low), max(0.0, 1.05 * high) or 1.0))
        if image is not None:
            axes[0].figure.colorbar(image, ax=list(axes), label=label, shrink=0.8)

    def _plot_bars(self, ax: Any, names: Sequence[str]) -> None:
        """Draw a bar for each of the most important columns, the largest on top."""
        total = self._total
        order = np.argsort(-total, kind="stable")[:_MOST_BARS]
        self.axes_ = panels(ax, 1, size=(5.2, 0.8 + 0.22 * len(order)))
        axes = self.axes_[0]
        axes.barh(np.arange(len(order)), total[order], color=CLASSES[0])
        axes.set_yticks(np.arange(len(order)), [shortened(names[at], 32) for at in order], fontsize="small")
        axes.invert_yaxis()
        axes.set(xlabel=self._label)
        if len(total) > len(order):
            rest = f"and {len(total) - len(order):,} more with {1 - total[order].sum():.0%} of it"
            axes.text(0.98, 0.02, rest, transform=axes.transAxes, ha="right", fontsize="small")

    def _plot_graph(self, ax: Any, where: NDArray[np.float64]) -> None:
        self.axes_ = panels(ax, 1, size=(4.6, 4.0))
        dots = draw_graph(self.axes_[0], where, self._total, self.edges, self.names)
        self.axes_[0].figure.colorbar(dots, ax=self.axes_[0], label=self._label, shrink=0.8)


def _columns(places: Places, n_means: int, n_maps: int) -> int:
    """Return how many panels stand beside each other: so many that few places stay empty."""
    n = n_means + n_maps
    if len(places.shape) == 1:
        return 1
    if len(places.shape) > 2:
        return len(places.slices())
    most = 3 if places.of_channels else 5
    if n <= most:
        return n
    return min(range(most, 2, -1), key=lambda columns: -n_means % columns + -n_maps % columns)


def _size(places: Places, n: int) -> tuple[float, float]:
    """Return width and height of each of n panels; a lone map has its colour bar inside."""
    if places.of_channels and len(places.shape) == 2:
        return 4.2, max(2.6, 0.8 + 0.095 * min(places.shape[0], _MOST_CHANNELS))
    if len(places.shape) == 1:
        return 4.2, 2.6
    return (3.4, 2.9) if n == 1 else (2.7, 2.7)


def _means(forest: Any, X: Any, y: Any) -> dict[str, NDArray[np.float64]]:
    """Return the mean row of each class, or of all rows if there are many classes."""
    rows = np.asarray(forest._rows(X), dtype=np.float64).reshape(-1, *forest.grid_shape_)
    labels = None if y is None else one_each(y, len(rows))
    classes: Any = [] if labels is None else np.unique(labels)
    if not 0 < len(classes) <= _MOST_CLASSES:
        return {"all rows": rows.mean(axis=0)}
    return {str(label): rows[labels == label].mean(axis=0) for label in classes}
