"""The nodes of a tree as they are drawn: what each is called, where it stands, and which rows arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.analysis.atlas import Chosen, atom_label
from foliation.plotting.grid import Places, fullest_slice
from foliation.plotting.style import counted, short, shortened

_LONG_CLASS, _LONGEST_CLASS = 8, 14  # letters of a class at a leaf that need a line, and that fit on it


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


def nodes_of(
    forest: Any, tree: Any, cells: NDArray[np.float64], codes: NDArray[np.int64] | None, max_depth: int, places: Places
) -> list[Node]:
    """Return the nodes down to a depth, leaves of the picture from left to right at whole numbers."""
    found: list[Node] = []
    place = 0.0

    def visit(reference: int, rows: NDArray[np.int64], depth: int, parent: Node | None, side: int) -> float:
        nonlocal place
        if reference < 0 or depth == max_depth:
            label = f"{_end_label(forest, tree, reference)}\n{counted(len(rows), 'row')}"
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
        on_grid, drawn = _on_grid(forest, ids, weights, places)
        name = atom_label(forest.model_, Chosen(ids.astype(np.int64), weights, 1, 0.0), places)
        whole = Node(
            reference,
            depth,
            float(np.mean(own)),
            f"{name}\n{drawn} is drawn" if drawn else name,
            len(rows),
            parent,
            side,
            values,
            None if codes is None else codes[rows],
            float(tree.threshold[reference]),
            on_grid,
        )
        found[at] = whole
        for k, node in enumerate(found):
            if node.parent is stub:
                found[k] = Node(**{**node.__dict__, "parent": whole})
        return whole.x

    visit(0 if tree.n_splits else ~0, np.arange(len(cells)), 0, None, 0)
    return found


def _end_label(forest: Any, tree: Any, reference: int) -> str:
    """Say what a leaf predicts, or what the leaves below a split that is not drawn predict on average."""
    more = " ..." if reference >= 0 else ""
    leaves = tree.leaves_below(reference)
    if not forest.model_.targets.n_columns:
        return more.strip() or f"leaf {leaves[0]}"
    weights = tree.leaf_weight[leaves]
    value = np.average(tree.value[leaves], axis=0, weights=weights if weights.any() else None)
    if hasattr(forest, "classes_") and forest.n_outputs_ == 1:
        best = int(np.argmax(value))
        name = shortened(np.ravel(forest.classes_)[best], _LONGEST_CLASS)
        parted = " " if len(name) < _LONG_CLASS else "\n"
        return f"{name}:{parted}{value[best]:.0%}{more}"
    return ", ".join(map(short, value)) + more


def _on_grid(
    forest: Any, ids: NDArray[Any], weights: NDArray[np.float64], places: Places
) -> tuple[NDArray[np.float64], str]:
    """Return an atom on the grid, of its view as long as that is and of its slice, and the slice's name."""
    cells = np.zeros(forest.model_.cell_shape)
    cells.flat[ids] = weights
    views = forest.model_.views
    if views is not None:
        view = int(np.abs(cells).reshape(len(cells), -1).sum(axis=1).argmax())
        cells = cells[view][..., : places.of_view(views.names[view]).shape[-1]]
    return fullest_slice(cells)


def in_words(nodes: list[Node], max_depth: int = 2) -> str:
    """Say what a tree asks, from the root down, for those who do not see it."""
    found = []
    for node in nodes:
        if node.depth <= max_depth:
            side = f", {'>' if node.side else '≤'} {short(node.parent.threshold)}" if node.parent is not None else ""
            found.append(f"level {node.depth}{side}: {', '.join(node.label.splitlines())}")
    return "; ".join(found)
