"""Features that are nodes of a graph: its edges, and where its nodes are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse.csgraph import shortest_path

from foliation.data.arrays import Array, Floats, Longs, Matrix
from foliation.model.labels import is_table
from foliation.model.model import Model
from foliation.plotting.style import AMOUNTS, literal, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection

_MOST_NODES = 1500  # for a layout, whose time is cubic in their number
_MOST_NAMES = 25
_LONGEST_NAME = 24  # letters


def adjacency(model: Model) -> Matrix | None:
    """Return the adjacency matrix of the features; None if the forest has no graph."""
    graphs = (family.feature_graph(model.grid.n_features) for family in model.projections.parts())
    return next((graph for graph in graphs if graph is not None), None)


def edges(graph: Matrix) -> Longs:
    """Return pairs of neighbors, each once."""
    ends = np.stack(graph.tocoo().coords, axis=1)
    return np.asarray(ends[ends[:, 0] < ends[:, 1]], dtype=np.int64)


def layout(model: Model, graph: Matrix | None) -> Floats | None:
    """Return coordinates whose distances follow the numbers of hops, by classical scaling.

    None if the features lie on a grid, or are too many.
    """
    if graph is None or not is_table(model) or not 2 < graph.shape[0] <= _MOST_NODES:
        return None
    hops = shortest_path(graph, directed=False, unweighted=True)
    farthest = hops[np.isfinite(hops)].max()
    squares = np.where(np.isfinite(hops), hops, farthest + 2.0) ** 2  # components of the graph stay apart
    centered = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    size, axes = np.linalg.eigh(-centered / 2)
    return np.asarray(axes[:, :-3:-1] * np.sqrt(np.maximum(size[:-3:-1], 0.0)))


def draw_graph(
    ax: Axes, positions: Floats, values: Floats, pairs: Longs | None, names: Sequence[str] | Array | None
) -> PathCollection:
    """Draw nodes over their edges, larger and brighter for larger values; return the artist for a color bar."""
    from matplotlib.collections import LineCollection

    if pairs is not None:
        ax.add_collection(LineCollection(list(positions[pairs]), colors="#99999988", linewidths=0.8, zorder=1))
    size = 30 + 270 * values / (values.max() or 1.0)
    x, y = positions.T
    dots = ax.scatter(x, y, c=values, s=size, cmap=AMOUNTS, vmin=0, edgecolors="#666666", linewidths=0.5)
    if names is not None:
        for node in np.argsort(-values, kind="stable")[:_MOST_NAMES]:
            name = literal(shortened(names[node], _LONGEST_NAME))
            ax.annotate(name, positions[node], (4, 4), textcoords="offset points", fontsize="x-small")
    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.margins(0.1)
    return dots
