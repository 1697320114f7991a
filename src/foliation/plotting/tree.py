"""One tree: what each split looks at, and how its values fall on both sides of the cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.atlas import Chosen, atom_label
from foliation.plotting.grid import Places, fullest_slice, thickened
from foliation.plotting.style import CLASSES, SIGNS, SPARE, counted, in_lines, need_matplotlib, short
from foliation.rows import predict_rows

_BINS = 24
_LEVEL = 1.3  # heights of a node from one depth to the next
_MOST_CLASSES = 6  # in colours of their own


@dataclass(frozen=True)
class Node:
    """A split, or a leaf, with its place in the picture and the rows that arrive."""

    reference: int  # as in Tree.children
    depth: int
    x: float
    label: str
    n_rows: int
    parent: Node | None = None
    side: int = 0  # of the parent: left, right
    values: NDArray[np.float64] | None = None  # of a split, projected
    classes: NDArray[np.int64] | None = None  # of the rows
    threshold: float = 0.0
    cells: NDArray[np.float64] | None = None  # the atom on the grid


class TreeView:
    """A tree from the root down: at each split its atom on the grid, and a histogram of the projected rows at the cut.

    Parameters
    ----------
    nodes : list of Node
    max_depth : int
    class_names : list of str
        Classes that histograms are coloured by; empty if there are none.

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
        forest: Any,
        X: Any = None,
        y: Any = None,
        *,
        tree: int = 0,
        max_depth: int = 3,
        channels: Sequence[str] | None = None,
        times: Sequence[float] | NDArray[Any] | None = None,
        unit: str = "",
        ax: Any = None,
    ) -> TreeView:
        """Draw a tree of a fitted forest.

        Parameters
        ----------
        forest : a fitted forest
        X : array of shape (n, p) or (n, *grid), optional
            Rows for the histograms; the training rows if the forest still has them.
        y : array of shape (n,), optional
            Their classes, for colours; those of the training rows by default.
        tree : int, default=0
        max_depth : int, default=3
            Splits from the root on that are drawn.
        channels, times, unit
            As in ``ImportanceMap``.
        ax : matplotlib axes, optional

        Returns
        -------
        TreeView
        """
        check_is_fitted(forest)
        rows = forest._fit_rows if X is None else predict_rows(forest, X)
        if rows is None:
            raise ValueError("a loaded forest has no training rows: give X, and y for colours")
        codes, names = _classes(forest, y, own=X is None)
        if codes is not None and len(codes) != len(rows):
            raise ValueError(f"X has {len(rows)} rows and y has {len(codes)}")
        cells = np.asarray(forest._sent_down(rows)[3], dtype=np.float64)
        places = Places(forest.grid_shape_, channels, times, unit)
        nodes = _nodes(forest, forest.tree(tree), cells, codes, max_depth, places)
        return cls(nodes, max_depth, names).plot(ax)

    def plot(self, ax: Any = None) -> TreeView:
        """Draw on ``ax``, or in a new figure."""
        need_matplotlib()
        depth = max(node.depth for node in self.nodes)
        width = max(1.0, max(node.x for node in self.nodes) + 1.0)
        if ax is None:
            from matplotlib import pyplot

            figure = pyplot.figure(figsize=(max(5.0, 1.5 * width), 2.0 * _LEVEL * (depth + 1)))
            ax = figure.add_axes((0.01, 0.06, 0.98, 0.92))
        self.ax_, self.figure_ = ax, ax.figure
        ax.set(xlim=(-0.6, width - 0.4), ylim=(-_LEVEL * depth - 0.62, 0.62))
        ax.set_axis_off()
        for node in self.nodes:
            if node.parent is not None:
                self._draw_edge(node)
        for node in self.nodes:
            self._draw_node(node)
        if self.class_names:
            handles = [self._patch(k) for k in range(len(self.class_names))]
            ax.legend(handles, self.class_names, loc="lower center", ncols=len(handles), frameon=False)
        return self

    @staticmethod
    def _patch(number: int) -> Any:
        from matplotlib.patches import Patch

        return Patch(color=CLASSES[number])

    def _draw_edge(self, node: Node) -> None:
        assert node.parent is not None
        x = node.parent.x, node.x
        y = -_LEVEL * node.parent.depth - 0.46, -_LEVEL * node.depth + (0.52 if node.values is not None else 0.18)
        self.ax_.plot(x, y, color="#999999", linewidth=1, zorder=0)
        text = f"{'>' if node.side else '≤'} {short(node.parent.threshold)}"
        paper = {"facecolor": self.figure_.get_facecolor(), "edgecolor": "none", "pad": 1}
        self.ax_.text(np.mean(x), np.mean(y), text, fontsize="x-small", ha="center", va="center", bbox=paper)

    def _draw_node(self, node: Node) -> None:
        y = -_LEVEL * node.depth
        if node.values is None or node.cells is None:
            self.ax_.text(node.x, y, node.label, ha="center", va="center", fontsize="x-small")
            return
        self.ax_.text(node.x, y + 0.4, in_lines(node.label), ha="center", va="bottom", fontsize="x-small")
        place = self.ax_.inset_axes((node.x - 0.46, y - 0.1, 0.9, 0.48), transform=self.ax_.transData)
        _draw_atom(place, node.cells)
        hist = self.ax_.inset_axes((node.x - 0.46, y - 0.44, 0.9, 0.28), transform=self.ax_.transData)
        self._draw_cut(hist, node)

    def _draw_cut(self, axes: Any, node: Node) -> None:
        assert node.values is not None
        lo, hi = float(node.values.min(initial=node.threshold)), float(node.values.max(initial=node.threshold))
        edges = np.linspace(lo, hi if hi > lo else lo + 1.0, _BINS + 1)
        if node.classes is None or not self.class_names:
            axes.hist(node.values, edges, color=CLASSES[0])
        else:
            parts = [node.values[node.classes == k] for k in range(len(self.class_names))]
            axes.hist(parts, edges, stacked=True, color=list(CLASSES[: len(parts)]))
        axes.axvline(node.threshold, color="#D55E00", linewidth=1.2, linestyle="--")
        axes.set(yticks=[], xticks=[])
        for side in ("top", "left", "right"):
            axes.spines[side].set_visible(False)


def _draw_atom(axes: Any, atom: NDArray[np.float64]) -> None:
    cells = thickened(atom)
    top = float(np.abs(cells).max()) or 1.0
    if cells.ndim == 1:
        axes.bar(np.arange(len(cells)), cells, width=1.0, color=np.where(cells < 0, CLASSES[1], CLASSES[0]))
        axes.axhline(0, color="#999999", linewidth=0.6)
        axes.set(xlim=(-0.5, len(cells) - 0.5), ylim=(-1.1 * top, 1.1 * top))
    else:
        sides = sorted(cells.shape)
        aspect = "equal" if sides[1] <= 3 * sides[0] else "auto"
        axes.imshow(cells, cmap=SIGNS, vmin=-SPARE * top, vmax=SPARE * top, aspect=aspect, interpolation="nearest")
    axes.set(xticks=[], yticks=[])


def _classes(forest: Any, y: Any, own: bool) -> tuple[NDArray[np.int64] | None, list[str]]:
    if y is None and own and hasattr(forest, "classes_") and forest.n_outputs_ == 1:
        y = np.asarray(forest.classes_).ravel()[forest.targets_[:, 0]]
    if y is None or not hasattr(forest, "classes_"):
        return None, []
    labels, codes = np.unique(np.asarray(y), return_inverse=True)
    if len(labels) > _MOST_CLASSES:
        return None, []
    return codes.astype(np.int64), [str(label) for label in labels]


def _nodes(
    forest: Any, tree: Any, cells: NDArray[np.float64], codes: NDArray[np.int64] | None, max_depth: int, places: Places
) -> list[Node]:
    """Return the nodes down to a depth, leaves of the picture from left to right at whole numbers."""
    found: list[Node] = []
    place = 0.0

    def visit(reference: int, rows: NDArray[np.int64], depth: int, parent: Node | None, side: int) -> float:
        nonlocal place
        if reference < 0 or depth == max_depth:
            name = _leaf_label(forest, tree, ~reference) if reference < 0 else "..."
            label = f"{name}\n{counted(len(rows), 'row')}"
            found.append(Node(reference, depth, place, label, len(rows), parent, side))
            place += 1.0
            return found[-1].x
        ids, weights = tree.atom(reference)
        values = cells[np.ix_(rows, ids)] @ weights
        left = values <= tree.threshold[reference]
        at = len(found)
        stub = Node(reference, depth, 0.0, "", len(rows), parent, side)
        found.append(stub)
        own = [
            visit(int(child), rows[part], depth + 1, stub, k)
            for k, (child, part) in enumerate(zip(tree.children[reference], (left, ~left), strict=True))
        ]
        atom = Chosen(ids, weights, 1, 0.0)
        whole = Node(
            reference,
            depth,
            float(np.mean(own)),
            atom_label(forest, atom, places),
            len(rows),
            parent,
            side,
            values,
            None if codes is None else codes[rows],
            float(tree.threshold[reference]),
            _on_grid(forest, ids, weights),
        )
        found[at] = whole
        for k, node in enumerate(found):
            if node.parent is stub:
                found[k] = Node(**{**node.__dict__, "parent": whole})
        return whole.x

    visit(0 if tree.n_splits else ~0, np.arange(len(cells)), 0, None, 0)
    return found


def _leaf_label(forest: Any, tree: Any, leaf: int) -> str:
    if not forest.n_columns_:
        return f"leaf {leaf}"
    value = tree.value[leaf]
    if hasattr(forest, "classes_") and forest.n_outputs_ == 1:
        best = int(np.argmax(value))
        return f"{np.ravel(forest.classes_)[best]}: {value[best]:.0%}"
    return ", ".join(map(short, value))


def _on_grid(forest: Any, ids: NDArray[Any], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an atom on the grid, of its view and its slice if there are several."""
    cells = np.zeros(forest._cell_shape)
    cells.flat[ids] = weights
    if forest._know()[2] is not None:
        cells = cells[np.abs(cells).reshape(len(cells), -1).sum(axis=1).argmax()]
    return fullest_slice(cells)
