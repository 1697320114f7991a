"""Where a forest looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from foliation.analysis.importance import importance
from foliation.data.arrays import Array, Data, Floats, Longs
from foliation.model.fitted import FittedForest
from foliation.model.labels import is_table
from foliation.plotting.graph import adjacency, draw_graph, edges, layout
from foliation.plotting.grid import ColorScale, Places, Times, draw_values
from foliation.plotting.style import AMOUNTS, CLASSES, literal, panels, root_figure, shortened
from foliation.plotting.validation import check_forest, check_targets
from foliation.projections.views import view_outline
from foliation.validation import real_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_CLASSES = 10  # whose means are drawn
_MOST_CHANNELS = 32  # that all have their names
_MOST_BARS = 25
_LONGEST_CLASS = 24  # letters of a class in a title


class Panel(NamedTuple):
    """One line or image of the figure."""

    title: str
    values: Floats
    places: Places
    is_mean: bool  # of rows, not an importance


class ImportanceMap:
    """The importance of each place of the grid, beside the means of the classes; a bar for each named column.

    Parameters
    ----------
    maps : dict of str to array
        Importances in the shape of the grid, by view.
    means : dict of str to array
        Mean rows of the classes, by class.
    places : Places
        Names of the places of the grid.
    kind : {"count", "gain"}
        What the importances are shares of.
    positions : array of shape (p, 2), optional
        Coordinates of the features, if they are nodes of a graph.
    edges : array of shape (m, 2), optional
        Pairs of features that are neighbors.
    names : sequence of str, optional
        Names of the features, if they are columns of a table or nodes of a graph.

    Attributes
    ----------
    figure_, axes_
        Set by ``plot``.
    """

    def __init__(
        self,
        maps: dict[str, Floats],
        means: dict[str, Floats],
        places: Places,
        kind: str,
        positions: Floats | None = None,
        edges: Longs | None = None,
        names: Sequence[str] | Array | None = None,
    ) -> None:
        self.maps, self.means, self.places, self.kind = maps, means, places, kind
        self.positions, self.edges, self.names = positions, edges, names

    @classmethod
    def from_estimator(
        cls,
        forest: FittedForest,
        X: Data = None,
        y: Data = None,
        *,
        kind: Literal["count", "gain"] = "gain",
        channels: Sequence[str] | None = None,
        times: Times | None = None,
        unit: str = "",
        positions: ArrayLike | None = None,
        ax: Axes | None = None,
    ) -> ImportanceMap:
        """Draw the importances of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
        X, y : arrays, optional
            Rows and their classes, whose means are drawn beside the importances; not for named columns.
        kind : {"count", "gain"}, default="gain"
            Shares of the splits, or of the gain.
        channels : sequence of str, optional
            Names along the axis before the last.
        times : sequence of float, optional
            Times along the last axis, in ``unit``.
        unit : str, default=""
        positions : array of shape (p, 2), optional
            Coordinates of the features, for features on a graph; by default they follow the numbers of hops.
        ax : matplotlib axes, optional

        Returns
        -------
        ImportanceMap
        """
        model = check_forest(forest)
        shares = importance(model, kind)
        maps = {"": shares} if model.views is None else dict(zip(model.views.names, shares, strict=True))
        places = Places.of_forest(forest, channels, times, unit)
        means = {} if X is None else _means(forest, X, y)
        names = model.feature_names if is_table(model) else None
        graph = adjacency(model)
        coordinates = layout(model, graph) if positions is None else real_numbers("positions", positions)
        if coordinates is not None and coordinates.shape != (model.grid.n_features, 2):
            raise ValueError(f"positions has shape {coordinates.shape}: expected ({model.grid.n_features}, 2)")
        pairs = None if graph is None else edges(graph)
        return cls(maps, {} if names is not None else means, places, kind, coordinates, pairs, names).plot(ax)

    def plot(self, ax: Axes | None = None) -> ImportanceMap:
        """Draw on ``ax``, or in a new figure."""
        if self.positions is not None:
            self._plot_graph(ax, self.positions)
        elif self.names is not None:
            self._plot_bars(ax, self.names)
        else:
            self._plot_grids(ax)
        self.figure_ = root_figure(self.axes_[0])
        return self

    @property
    def _label(self) -> str:
        return "share of the gain" if self.kind == "gain" else "share of the splits' features"

    @property
    def _total(self) -> Floats:
        """The importance of each feature, summed over views."""
        return np.asarray(np.sum([shares.ravel() for shares in self.maps.values()], axis=0))

    def _panels(self) -> list[Panel]:
        titles = [f"mean of {shortened(name, _LONGEST_CLASS)}" for name in self.means]
        panels = [
            Panel(title, mean, self.places, True) for title, mean in zip(titles, self.means.values(), strict=True)
        ]
        for view, shares in self.maps.items():
            places = self.places.of_view(view)
            name = view_outline(view).label if view else "importance"
            panels.append(Panel(name, shares[..., : places.shape[-1]], places, False))
        if len(self.places.shape) <= 2:
            return panels
        return [_slice(panel, number) for panel in panels for number in self.places.slices()]

    def _plot_grids(self, ax: Axes | None) -> None:
        contents = self._panels()
        places, n_means = self.places, sum(panel.is_mean for panel in contents)
        n_maps = len(contents) - n_means
        columns = _columns(places, n_means, n_maps)
        # Means and importances have a scale each, so neither begins in the middle of the other's row.
        full_rows = ax is None and len(contents) > columns
        n_first = n_means + (-n_means % columns if full_rows else 0)
        n_last = n_maps + (-n_maps % columns if full_rows else 0)
        axes = panels(ax, n_first + n_last, size=_size(places, len(contents)), n_columns=columns)
        for part, own in ((contents[:n_means], axes[:n_first]), (contents[n_means:], axes[n_first:])):
            if part:
                self._plot_scale(part, own)
        self.axes_ = [*axes[:n_means], *axes[n_first : n_first + n_maps]]

    def _plot_scale(self, contents: list[Panel], axes: list[Axes]) -> None:
        """Draw panels that share a scale, and their color bar beside all axes of their rows."""
        low = min(float(panel.values.min()) for panel in contents)
        high = max(float(panel.values.max()) for panel in contents)
        are_means = contents[0].is_mean
        label = "mean" if are_means else self._label
        colors: ColorScale = {"cmap": "Greys", "vmin": low, "vmax": high}
        if not are_means:
            colors = {"cmap": AMOUNTS, "vmin": 0.0, "vmax": high or 1.0}
        for unused in axes[len(contents) :]:
            unused.set_axis_off()
        for panel, own in zip(contents, axes, strict=False):
            image = draw_values(own, panel.values, panel.places, _MOST_CHANNELS, colors)
            own.set_title(literal(panel.title), fontsize="medium")
            if image is None:
                own.set(ylabel=label, ylim=(min(0.0, 1.05 * low), max(0.0, 1.05 * high) or 1.0))
        if image is not None:
            axes[0].figure.colorbar(image, ax=axes, label=label, shrink=0.8)

    def _plot_bars(self, ax: Axes | None, names: Sequence[str] | Array) -> None:
        """Draw a bar for each of the most important columns, the largest on top."""
        total = self._total
        order = np.argsort(-total, kind="stable")[:_MOST_BARS]
        self.axes_ = panels(ax, 1, size=(5.2, 0.8 + 0.22 * len(order)))
        axes = self.axes_[0]
        axes.barh(np.arange(len(order)), total[order], color=CLASSES[0])
        shown = [literal(shortened(names[column], 32)) for column in order]
        axes.set_yticks(np.arange(len(order)), shown, fontsize="small")
        axes.invert_yaxis()
        axes.set(xlabel=self._label)
        if len(total) > len(order):
            rest = f"and {len(total) - len(order):,} more with {1 - total[order].sum():.0%} of it"
            axes.text(0.98, 0.02, rest, transform=axes.transAxes, ha="right", fontsize="small")

    def _plot_graph(self, ax: Axes | None, positions: Floats) -> None:
        self.axes_ = panels(ax, 1, size=(4.6, 4.0))
        dots = draw_graph(self.axes_[0], positions, self._total, self.edges, self.names)
        self.axes_[0].figure.colorbar(dots, ax=self.axes_[0], label=self._label, shrink=0.8)


def _slice(panel: Panel, number: int) -> Panel:
    """Return one slice of a volume."""
    values = panel.values.reshape(-1, *panel.values.shape[-2:])[number]
    return panel._replace(title=f"{panel.title}, slice {number}", values=values)


def _columns(places: Places, n_means: int, n_maps: int) -> int:
    """Return the number of panels beside each other that leaves the fewest places empty."""
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
    """Return width and height of each of n panels; a single map has its color bar inside."""
    if places.of_channels and len(places.shape) == 2:
        return 4.2, max(2.6, 0.8 + 0.095 * min(places.shape[0], _MOST_CHANNELS))
    if len(places.shape) == 1:
        return 4.2, 2.6
    return (3.4, 2.9) if n == 1 else (2.7, 2.7)


def _means(forest: FittedForest, X: Data, y: Data) -> dict[str, Floats]:
    """Return the mean row of each class, or of all rows if there are many classes."""
    rows = np.asarray(forest._rows(X), dtype=np.float64).reshape(-1, *forest.grid_shape_)
    labels = None if y is None else check_targets(y, len(rows))
    classes = np.empty(0) if labels is None else np.unique(labels)
    if not 0 < len(classes) <= _MOST_CLASSES:
        return {"all rows": rows.mean(axis=0)}
    return {str(label): rows[labels == label].mean(axis=0) for label in classes}
