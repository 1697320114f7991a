"""The nodes of a tree as they are drawn: labels, places in the figure, and the rows that arrive."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from foliation.data.arrays import Floats, Ints, Longs
from foliation.model.model import Model
from foliation.model.tree import Tree, tree_of
from foliation.plotting.grid import Places, fullest_slice
from foliation.plotting.style import counted, parting, short, shortened

_LONG_CLASS, _LONGEST_CLASS = 8, 14  # letters of a class that needs a line of its own, and that fit on it


@dataclass(eq=False)
class Node:
    """A split, or a leaf, with its place in the figure and the rows that arrive."""

    reference: int  # as in Tree.children
    depth: int
    x: float
    label: str
    n_rows: int
    parent: Node | None = None
    side: int = 0  # of the parent: 0 is left, 1 is right
    values: Floats | None = None  # projections of the rows, for a split
    classes: Longs | None = None  # of the rows
    threshold: float = 0.0
    cells: Floats | None = None  # the atom on the grid

    @property
    def cut(self) -> str:
        """The threshold, with as many digits as part the rows that are drawn."""
        return parting(self.threshold, np.empty(0) if self.values is None else self.values)


@dataclass(frozen=True)
class Rows:
    """Rows to draw: their cells in units of X, the leaves of all trees, and the codes of their classes."""

    cells: Floats
    leaves: Ints  # (trees, n)
    codes: Longs | None


def nodes_of(model: Model, number: int, rows: Rows, max_depth: int, places: Places) -> list[Node]:
    """Return the nodes of a tree down to a depth, the root first; the lowest drawn ones stand at x = 0, 1, ..."""
    tree = tree_of(model, number)
    drawing = _Drawing(model, tree, rows, rows.leaves[int(number)], max_depth, places)
    drawing.add(0 if tree.n_splits else ~0, np.arange(len(rows.cells)), None, 0)
    return drawing.nodes


@dataclass
class _Drawing:
    """The nodes that are drawn so far."""

    model: Model
    tree: Tree
    rows: Rows
    leaves: Ints  # of the rows in this tree
    max_depth: int
    places: Places
    nodes: list[Node] = field(default_factory=list)
    n_lowest: int = 0

    def add(self, reference: int, rows: Longs, parent: Node | None, side: int) -> Node:
        """Add a node and those below it that are drawn."""
        depth = 0 if parent is None else parent.depth + 1
        if reference < 0 or depth == self.max_depth:
            label = f"{_end_label(self.model, self.tree, reference)}\n{counted(len(rows), 'row')}"
            node = Node(reference, depth, float(self.n_lowest), label, len(rows), parent, side)
            self.nodes.append(node)
            self.n_lowest += 1
            return node
        ids, weights = self.tree.atom(reference)
        values, threshold = self.rows.cells[np.ix_(rows, ids)] @ weights, float(self.tree.threshold[reference])
        classes = None if self.rows.codes is None else self.rows.codes[rows]
        label, cells = self._atom(reference, ids, weights)
        node = Node(reference, depth, 0.0, label, len(rows), parent, side, values, classes, threshold, cells)
        self.nodes.append(node)
        left = np.isin(self.leaves[rows], self.tree.leaves_below(int(self.tree.children[reference, 0])))
        children = zip(self.tree.children[reference], (left, ~left), strict=True)
        below = [self.add(int(child), rows[part], node, k) for k, (child, part) in enumerate(children)]
        node.x = float(np.mean([child.x for child in below]))
        return node

    def _atom(self, split: int, ids: Ints, weights: Floats) -> tuple[str, Floats]:
        """Return the label of an atom, and its cells on the grid."""
        name = self.tree.label(split, self.places)
        cells, slice_name = _on_grid(self.model, ids, weights, self.places)
        return f"{name}\n{slice_name} is drawn" if slice_name else name, cells


def _end_label(model: Model, tree: Tree, reference: int) -> str:
    """Write the prediction of a leaf, or the mean prediction of the leaves below a split that is not drawn."""
    more = " ..." if reference >= 0 else ""
    leaves = tree.leaves_below(reference)
    targets = model.targets
    if not targets.n_columns:
        return more.strip() or f"leaf {leaves[0]}"
    weights = tree.leaf_weight[leaves]
    value = np.average(tree.value[leaves], axis=0, weights=weights if weights.any() else None)
    if targets.kind == "classes" and targets.n_outputs == 1:
        best = int(np.argmax(value))
        name = shortened(targets.classes[0][best], _LONGEST_CLASS)
        separator = " " if len(name) < _LONG_CLASS else "\n"
        return f"{name}:{separator}{value[best]:.0%}{more}"
    return ", ".join(map(short, value)) + more


def _on_grid(model: Model, ids: Ints, weights: Floats, places: Places) -> tuple[Floats, str]:
    """Return an atom on the grid of its view, in a volume on its fullest slice, and the name of the slice."""
    cells = np.zeros(model.cell_shape)
    cells.flat[ids] = weights
    if model.views is not None:
        view = int(np.abs(cells).reshape(len(cells), -1).sum(axis=1).argmax())
        cells = cells[view][..., : places.of_view(model.views.names[view]).shape[-1]]
    return fullest_slice(cells)


def in_words(nodes: list[Node], max_depth: int = 2) -> str:
    """Describe a tree from the root down, for readers who cannot see it."""
    sentences = []
    for node in nodes:
        if node.depth <= max_depth:
            side = f", {'>' if node.side else '≤'} {node.parent.cut}" if node.parent is not None else ""
            sentences.append(f"level {node.depth}{side}: {', '.join(node.label.splitlines())}")
    return "; ".join(sentences)
