"""One tree of a model, to look at."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from foliation import _core
from foliation.data.arrays import Floats, Ints, Longs
from foliation.data.rows import feature_label
from foliation.model.model import Model


def tree_of(model: Model, number: int) -> Tree:
    """Return one tree; negative numbers count from the last."""
    if not isinstance(number, Integral):
        raise TypeError(f"tree number {number!r} must be an integer")
    if not -model.n_trees <= number < model.n_trees:
        raise IndexError(f"tree {number} does not exist; this forest has {model.n_trees} trees")
    return Tree(model, int(number) % model.n_trees)


class Tree:
    """One tree of a forest as flat arrays; ``print`` draws it.

    Splits are numbered from 0, the root. An entry of ``children`` refers to a split if it is at least 0,
    and to leaf ``~entry`` otherwise. Rows whose projection is at most ``threshold`` go left.

    Attributes
    ----------
    children : array of shape (n_splits, 2)
    threshold, gain : arrays of shape (n_splits,)
        ``gain`` is the decrease of impurity times weight, to seven digits. If the projections have views, thresholds
        are in units of the scaled view: divide by ``2.0 ** forest.model_.view_exponents[view]`` for those of the data.
    value : array of shape (n_leaves, n_columns)
        Class probabilities, or means of the outputs.
    leaf_weight : array of shape (n_leaves,)
        Weight of the estimation samples in each leaf.
    n_splits, n_leaves, n_nodes, depth : int
        ``depth`` is the largest number of splits above a leaf.
    """

    def __init__(self, model: Model, number: int) -> None:
        trees = model.trees
        splits = slice(*trees.split_start[number : number + 2])
        leaves = slice(*trees.leaf_start[number : number + 2])
        self.children: Ints = trees.children.reshape(-1, 2)[splits]
        self.threshold: Floats = trees.threshold[splits]
        self.gain: Floats = trees.gain[splits].astype(np.float64) * trees.gain_unit[number]
        self.leaf_weight: Floats = trees.leaf_weight[leaves]
        start = trees.value_start[leaves.start : leaves.stop + 1]
        self.value = np.zeros((len(start) - 1, model.targets.n_columns))
        entries = slice(start[0], start[-1])
        holders = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.value[holders, trees.value_column[entries]] = trees.value[entries]
        self._atom_start, self._atom_words = trees.words_of(splits)
        self._trees, self._number = model.core_trees, number
        self._dictionary = model.dictionary
        self._shape = model.cell_shape
        self._names = model.feature_names if self._shape == model.grid_shape else None

    @property
    def n_splits(self) -> int:
        return len(self.threshold)

    @property
    def n_leaves(self) -> int:
        return len(self.leaf_weight)

    @property
    def n_nodes(self) -> int:
        return self.n_splits + self.n_leaves

    def atom(self, split: int) -> tuple[Ints, Floats]:
        """Return the (feature ids, weights) of a split's projection.

        If the projections have views, features are the cells of a grid with an axis of views before the others.
        """
        if not 0 <= split < self.n_splits:
            raise IndexError(f"split {split} does not exist; this tree has {self.n_splits} splits")
        start, end = self._atom_start[split : split + 2]
        return self._dictionary.expand(self._atom_words[start:end].astype(np.int32))

    def leaf_depths(self) -> Longs:
        """Return the number of splits above each leaf."""
        return _core.node_depths(self._trees, self._number)[1]

    def path(self, leaf: int) -> tuple[Ints, Ints]:
        """Return the splits from the root to a leaf, and on which side of each it lies: 0 is left."""
        return _core.path_to_leaf(self._trees, self._number, leaf)

    def leaves_below(self, node: int) -> Ints:
        """Return the leaves below a node, an entry of ``children``, from left to right."""
        return _core.leaves_below(self._trees, self._number, node)

    @property
    def depth(self) -> int:
        return int(self.leaf_depths().max())

    def __repr__(self) -> str:
        return f"Tree(n_splits={self.n_splits}, n_leaves={self.n_leaves}, depth={self.depth})"

    def __str__(self) -> str:
        return self.text()

    def text(self, max_depth: int = 4) -> str:
        """Draw the tree with characters, down to ``max_depth``."""
        lines: list[str] = []
        todo = [(0 if self.n_splits else ~0, 0, "")]
        while todo:
            node, level, side = todo.pop()
            lead = "|   " * level + side
            if node < 0:
                lines.append(f"{lead}{self._leaf_text(~node)}")
            elif level == max_depth:
                lines.append(f"{lead}...")
            else:
                lines.append(f"{lead}{self._split_text(node)}")
                left, right = self.children[node]
                todo += [(int(right), level + 1, "no:  "), (int(left), level + 1, "yes: ")]
        return "\n".join(lines)

    def _leaf_text(self, leaf: int) -> str:
        values = ", ".join(f"{v:.3g}" for v in self.value[leaf])
        return f"leaf {leaf}{f' [{values}]' if values else ''} weight {self.leaf_weight[leaf]:g}"

    def _split_text(self, split: int) -> str:
        ids, weights = self.atom(split)
        terms = [f"{'-' if w < 0 else '+'} {self._term(i, abs(w))}" for i, w in zip(ids, weights, strict=True)]
        shown = " ".join(terms[:6]) + (f" ... ({len(terms)} features)" if len(terms) > 6 else "")
        return f"{shown.removeprefix('+ ')} <= {self.threshold[split]:.6g}"

    def _term(self, feature: int, weight: float) -> str:
        label = feature_label(feature, self._names, self._shape)
        name = label if self._names is not None else f"x{label}"
        return name if weight == 1 else f"{weight:g} {name}"
