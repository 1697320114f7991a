"""One tree: the atom of each split, and how the projected rows fall on both sides of the cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from foliation.data.arrays import Array, Data, Floats, Longs
from foliation.model.fitted import FittedForest
from foliation.model.model import Model
from foliation.model.predict import leaf_ids, unscaled_cells
from foliation.plotting.grid import Places, Times, thickened
from foliation.plotting.nodes import Node, Rows, nodes_of
from foliation.plotting.style import (
    CLASSES,
    EDGE,
    HATCHES,
    SIGNS,
    SPARE,
    check_axes,
    draw_legend,
    in_lines,
    literal,
    root_figure,
    shortened,
)
from foliation.plotting.validation import check_forest, check_targets
from foliation.printable import quoted
from foliation.validation import is_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 24
_LEVEL = 1.3  # heights of a node from one depth to the next
_WIDTH, _HEIGHT = 1.25, 1.9  # of a node, in inches
_LINE = 0.075  # height of a line of text, in heights of a node
_LETTERS = 34  # of a line above a node
_SHORT_CUT = 8  # letters of a cut that fits beside the other on the two edges below a node
_DEEPEST = 50  # splits from the root, of which a picture can still be read
_MOST_CLASSES = 6  # with a color each


class TreeView:
    """A tree from the root down: at each split its atom on the grid, and a histogram of the projected rows at the cut.

    Cuts are in units of X, or of the view that an atom sums, with as many digits as part the rows that are drawn.

    Parameters
    ----------
    nodes : list of Node
    max_depth : int
    class_names : list of str
        Classes that histograms are colored by; empty if there are none.

    Attributes
    ----------
    figure_, ax_
        Set by ``plot``.
    """

    def __init__(self, nodes: list[Node], max_depth: int, class_names: list[str]) -> None:
        self.nodes, self.max_depth, self.class_names = nodes, max_depth, class_names

    @classmethod
    def from_estimator(
        cls,
        forest: FittedForest,
        X: Data = None,
        y: Data = None,
        *,
        tree: int = 0,
        max_depth: int = 3,
        channels: Sequence[str] | None = None,
        times: Times | None = None,
        unit: str = "",
        ax: Axes | None = None,
    ) -> TreeView:
        """Draw a tree of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
        X : array of shape (n, p) or (n, *grid), optional
            Rows for the histograms; by default the training rows, if the forest still has them.
        y : array of shape (n,), optional
            Their classes, for colors; those of the training rows by default.
        tree : int, default=0
            Number of the tree.
        max_depth : int, default=3
            Largest number of splits from the root that are drawn, at most 50.
        channels, times, unit
            As in ``ImportanceMap``.
        ax : matplotlib axes, optional

        Returns
        -------
        TreeView
        """
        model = check_forest(forest)
        if not is_integer(max_depth, 0, _DEEPEST):
            raise ValueError(f"max_depth={quoted(max_depth)}: expected an integer from 0 to {_DEEPEST}")
        rows = model.training.rows if X is None else forest._rows(X)
        if rows is None:
            raise ValueError("X=None: a loaded forest has no training rows; expected X, and y for colors")
        labels = None if y is None else check_targets(y, len(rows))
        if labels is None and X is None and model.targets.classes and model.targets.n_outputs == 1:
            labels = model.targets.classes[0][model.targets.y[:, 0]]
        codes, names = _classes(model, labels)
        machine = forest._machine()
        cells = unscaled_cells(model, rows, machine)
        leaves = leaf_ids(model, rows, machine)
        places = Places.of_forest(forest, channels, times, unit)
        nodes = nodes_of(model, tree, Rows(cells, leaves, codes), max_depth, places)
        return cls(nodes, max_depth, names).plot(ax)

    def plot(self, ax: Axes | None = None) -> TreeView:
        """Draw on ``ax``, or in a new figure."""
        check_axes(ax)
        width = max(1.0, max(node.x for node in self.nodes) + 1.0)
        low, high = self._ends()
        if ax is None:
            from matplotlib import pyplot

            figure = pyplot.figure(figsize=(max(5.0, _WIDTH * (width + 0.2)), _HEIGHT * (high - low)))
            ax = figure.add_axes((0.01, 0.01, 0.98, 0.98))
        self.ax_, self.figure_ = ax, root_figure(ax)
        ax.set(xlim=(-0.6, width - 0.4), ylim=(low, high))
        ax.set_axis_off()
        for node in self.nodes:
            if node.parent is not None:
                self._draw_edge(node)
        for node in self.nodes:
            self._draw_node(node)
        if self.class_names:
            self._draw_legend()
        return self

    @property
    def _legend_columns(self) -> int:
        return min(len(self.class_names), 3 if max(map(len, self.class_names)) > 8 else 4)

    def _ends(self) -> tuple[float, float]:
        """Return where the figure ends below the leaves and the legend, and above the label of the root."""
        depth = max(node.depth for node in self.nodes)
        root = self.nodes[0]
        high = 0.5 + _LINE * len(_title(root)) if root.values is not None else 0.3
        legend = 0.16 * -(-len(self.class_names) // self._legend_columns) + 0.1 if self.class_names else 0.0
        return -_LEVEL * depth - 0.2 - legend, high

    def _draw_legend(self) -> None:
        from matplotlib.patches import Patch

        handles = [
            Patch(facecolor=CLASSES[k], edgecolor=EDGE, hatch=HATCHES[k], linewidth=0.4)
            for k in range(len(self.class_names))
        ]
        names = [shortened(name, 22) for name in self.class_names]
        where = {"loc": "lower center", "ncols": self._legend_columns}
        draw_legend(self.ax_, handles, names, **where, frameon=False, fontsize="small", borderpad=0)

    def _draw_edge(self, node: Node) -> None:
        assert node.parent is not None
        x = node.parent.x, node.x
        above = 0.44 + _LINE * len(_title(node)) if node.values is not None else 0.18
        y = -_LEVEL * node.parent.depth - 0.46, -_LEVEL * node.depth + above
        self.ax_.plot(x, y, color="#999999", linewidth=1, zorder=0)
        text = f"{'>' if node.side else '≤'} {node.parent.cut}"
        paper = {"facecolor": self.figure_.get_facecolor(), "edgecolor": "none", "pad": 1}
        along = 0.5 if len(text) <= _SHORT_CUT else (0.35, 0.7)[node.side]  # long ones stand one above the other
        place = x[0] + along * (x[1] - x[0]), y[0] + along * (y[1] - y[0])
        self.ax_.text(*place, text, fontsize="small", ha="center", va="center", bbox=paper)

    def _draw_node(self, node: Node) -> None:
        y = -_LEVEL * node.depth
        if node.values is None or node.cells is None:
            self.ax_.text(node.x, y, literal(node.label), ha="center", va="center", fontsize="small")
            return
        self.ax_.text(node.x, y + 0.4, literal("\n".join(_title(node))), ha="center", va="bottom", fontsize="small")
        place = self.ax_.inset_axes((node.x - 0.46, y - 0.1, 0.9, 0.48), transform=self.ax_.transData)
        _draw_atom(place, node.cells)
        hist = self.ax_.inset_axes((node.x - 0.46, y - 0.44, 0.9, 0.28), transform=self.ax_.transData)
        self._draw_cut(hist, node)

    def _draw_cut(self, axes: Axes, node: Node) -> None:
        assert node.values is not None
        lo, hi = float(node.values.min(initial=node.threshold)), float(node.values.max(initial=node.threshold))
        edges = np.linspace(lo, hi if hi > lo else lo + 1.0, _BINS + 1).tolist()
        if node.classes is None or not self.class_names:
            axes.hist(node.values, edges, color=CLASSES[0])
        else:
            parts = [node.values[node.classes == k] for k in range(len(self.class_names))]
            axes.hist(parts, edges, stacked=True, color=list(CLASSES[: len(parts)]), ec=EDGE, lw=0.3)
            for hatch, bars in zip(HATCHES, axes.containers, strict=False):
                for bar in bars:
                    bar.set_hatch(hatch)
        axes.axvline(node.threshold, color="#D55E00", linewidth=1.2, linestyle="--")
        axes.set(yticks=[], xticks=[])
        for side in ("top", "left", "right"):
            axes.spines[side].set_visible(False)


def _title(node: Node) -> list[str]:
    """Return the label of a split in lines that do not reach the next node."""
    return in_lines(node.label, _LETTERS)


def _draw_atom(axes: Axes, atom: Floats) -> None:
    cells = thickened(atom)
    top = float(np.abs(cells).max()) or 1.0
    if cells.ndim == 1:
        axes.bar(np.arange(len(cells)), cells, width=1.0, color=np.where(cells < 0, CLASSES[1], CLASSES[0]))
        axes.axhline(0, color="#999999", linewidth=0.6)
        axes.set(xlim=(-0.5, len(cells) - 0.5), ylim=(-1.1 * top, 1.1 * top))
    else:
        sides = sorted(cells.shape)
        axes.imshow(cells, cmap=SIGNS, vmin=-SPARE * top, vmax=SPARE * top, interpolation="nearest")
        axes.set_aspect("equal" if sides[1] <= 3 * sides[0] else "auto")
    axes.set(xticks=[], yticks=[])


def _classes(model: Model, labels: Array | None) -> tuple[Longs | None, list[str]]:
    """Return codes of the labels, and the names of the classes; none if they are too many to color."""
    if labels is None or not model.targets.classes:
        return None, []
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) > _MOST_CLASSES:
        return None, []
    return codes.astype(np.int64), [str(label) for label in classes]
