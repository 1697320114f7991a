"""Features that are the nodes of a graph: its edges, and where to draw its nodes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import shortest_path

from foliation.analysis.atlas import is_table
from foliation.plotting.style import AMOUNTS
from foliation.projections import Neighborhoods

_MOST_NODES = 1500  # that get places of their own; it takes their number to the third power
_MOST_NAMES = 25


def adjacency(forest: Any) -> Any:
    """Return the neighbours of each feature as a sparse matrix, None if there is no graph."""
    graphs = [one for one in forest.model_.projections.parts() if isinstance(one, Neighborhoods)]
    return graphs[0]._adjacency(math.prod(forest.model_.grid.shape)) if graphs else None


def edges(graph: Any) -> NDArray[np.int64]:
    """Return pairs of neighbours, each once."""
    ends = np.stack(graph.tocoo().coords, axis=1)
    return np.asarray(ends[ends[:, 0] < ends[:, 1]], dtype=np.int64)


def layout(forest: Any, graph: Any) -> NDArray[np.float64] | None:
    """Return places in the plane that are as far apart as nodes are in hops, by classical scaling.

    None where features lie on a grid of their own, or are too many.
    """
    if graph is None or not is_table(forest.model_) or not 2 < graph.shape[0] <= _MOST_NODES:
        return None
    hops = shortest_path(graph, directed=False, unweighted=True)
    farthest = hops[np.isfinite(hops)].max()
    squares = np.where(np.isfinite(hops), hops, farthest + 2.0) ** 2  # parts of the graph stay apart
    middle = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    size, axes = np.linalg.eigh(-middle / 2)
    return np.asarray(axes[:, :-3:-1] * np.sqrt(np.maximum(size[:-3:-1], 0.0)))


def draw_graph(
    ax: Any, where: NDArray[np.float64], values: NDArray[np.float64], pairs: NDArray[np.int64] | None, names: Any
) -> Any:
    """Draw nodes, larger and brighter where values are, over their edges; return what a colour bar is made of."""
    from matplotlib.collections import LineCollection

    if pairs is not None:
        ax.add_collection(LineCollection(list(where[pairs]), colors="#99999988", linewidths=0.8, zorder=1))
    size = 30 + 270 * values / (values.max() or 1.0)
    dots = ax.scatter(*where.T, c=values, s=size, cmap=AMOUNTS, vmin=0, edgecolors="#666666", linewidths=0.5)
    if names is not None:
        for at in np.argsort(-values, kind="stable")[:_MOST_NAMES]:
            ax.annotate(str(names[at]), where[at], (4, 4), textcoords="offset points", fontsize="x-small")
    ax.set(xticks=[], yticks=[], aspect="equal")
    ax.margins(0.1)
    return dots
