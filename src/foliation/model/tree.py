"""One tree of a model, to look at."""

from __future__ import annotations

from functools import cached_property
from numbers import Integral

import numpy as np

from foliation import _core
from foliation.data.arrays import Floats, Ints, Longs
from foliation.memory import check_memory
from foliation.model.atoms import MANY_TERMS, expand_atoms
from foliation.model.labels import Labels, PlaceNames, Stored, number
from foliation.model.model import Model
from foliation.printable import printable, quoted
from foliation.validation import check_count

_DEEP = 100  # levels, above which the indentation may take much memory
_INDENT = "|   "  # of a level
_MOST_CLASSES = 3  # of a leaf that are written


def tree_of(model: Model, number: int) -> Tree:
    """Return one tree; negative numbers count from the last."""
    if not isinstance(number, Integral):
        raise TypeError(f"tree number {quoted(number)} must be an integer")
    if not -model.n_trees <= number < model.n_trees:
        raise IndexError(f"tree {quoted(number)} does not exist; this forest has {model.n_trees} trees")
    return Tree(model, int(number) % model.n_trees)


class Tree:
    """One tree of a forest as flat arrays; ``print`` draws it.

    Splits are numbered from 0, the root. An entry of ``children`` refers to a split if it is at least 0,
    and to leaf ``~entry`` otherwise. Rows whose projection is at most ``threshold`` go left.

    Attributes
    ----------
    children : array of shape (n_splits, 2)
    threshold, gain : arrays of shape (n_splits,)
        Thresholds are in units of X or, if the projections have views, of the view: differences of values, rises of
        brightness, magnitudes of frequencies. ``gain`` is the decrease of impurity times weight, to seven digits; of
        a raw criterion of a geodesic forest it is the score, which depends on the scale that the forest gives a view.
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
        self.threshold: Floats = model.thresholds(splits)
        self.gain: Floats = trees.gain[splits].astype(np.float64) * trees.gain_unit[number]
        self.leaf_weight: Floats = trees.leaf_weight[leaves]
        self._value_start = trees.value_start[leaves.start : leaves.stop + 1]
        entries = slice(self._value_start[0], self._value_start[-1])
        self._values, self._columns = trees.value[entries], trees.value_column[entries]
        self._n_columns = model.targets.n_columns
        self._atom_start, self._atom_words = trees.words_of(splits)
        self._model, self._number = model, number

    @cached_property
    def value(self) -> Floats:
        n_leaves, sizes = len(self.leaf_weight), np.diff(self._value_start)
        check_memory("values of all leaves", 8.0 * n_leaves * self._n_columns, f"the tree has {n_leaves:,} leaves")
        value = np.zeros((n_leaves, self._n_columns))
        value[np.repeat(np.arange(n_leaves), sizes), self._columns] = self._values
        return value

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

        Rows go left if ``forest.cells(X).reshape(len(X), -1)[:, ids] @ weights <= tree.threshold[split]``. Without
        views, cells are the values of X.
        """
        words, dictionary = self._words(split), self._model.dictionary
        start = np.array([0, len(words)])
        if dictionary.most_terms(start, words) > MANY_TERMS:
            return expand_atoms(dictionary, start, words, "an atom")[1:]
        return dictionary.expand(words)

    def label(self, split: int, places: PlaceNames | None = None) -> str:
        """Return what pictures call a split's projection."""
        return Labels(self._model, places).of(Stored(self._words(split)))

    def _words(self, split: int) -> Ints:
        if not isinstance(split, Integral):
            raise TypeError(f"split={quoted(split)}: expected an integer")
        if not 0 <= split < self.n_splits:
            raise IndexError(f"split {quoted(split)} does not exist; this tree has {self.n_splits} splits")
        start, end = self._atom_start[split : split + 2]
        return self._atom_words[start:end].astype(np.int32)

    def leaf_depths(self) -> Longs:
        """Return the number of splits above each leaf."""
        return self._depths()[1]

    def path(self, leaf: int) -> tuple[Ints, Ints]:
        """Return the splits from the root to a leaf, and on which side of each it lies: 0 is left."""
        return _core.path_to_leaf(self._model.core_trees, self._number, leaf)

    def leaves_below(self, node: int) -> Ints:
        """Return the leaves below a node, an entry of ``children``, from left to right."""
        return _core.leaves_below(self._model.core_trees, self._number, node)

    @property
    def depth(self) -> int:
        return int(self.leaf_depths().max())

    def __repr__(self) -> str:
        return f"Tree(n_splits={self.n_splits}, n_leaves={self.n_leaves}, depth={self.depth})"

    def __str__(self) -> str:
        return self.text()

    def text(self, max_depth: int = 4, *, max_terms: int | None = 6, digits: int | None = None) -> str:
        """Write the tree as rules that can be followed by hand.

        ``sum x[3-7, 2-5] <= 9.5`` asks whether the sum of X over the box of rows 3 to 7 and columns 2 to 5 of the grid
        is at most 9.5; both ends belong to the box, and ``[11-0]`` runs past the end of a circle. A contrast is a box
        minus another. Boxes of a view have its name, ``sum east[3-7, 2-5]``, and `forest.cells(X)` has its values;
        columns of a table are ``x3``, or have the names of a data frame. All numbers are in units of X, or of the view.

        Terms are summed from left to right, boxes exactly, of values that are rounded to about 15 digits of the largest
        one. A sum by hand has other roundings: it may part a row from the forest only if it hits a threshold to 14
        digits of the largest value of X, as sums of decimals such as 0.1 sometimes do. Whole numbers have no roundings.

        Parameters
        ----------
        max_depth : int, default=4
            What lies below so many splits is left out.
        max_terms : int, optional, default=6
            Sums of more terms are summarized. None writes all of them. Boxes are one term, however large they are.
        digits : int, optional
            Significant digits of thresholds and weights, for reading. By default as many as a rule needs to send
            every row where the forest does: ``float()`` of what is written is the number itself.

        Returns
        -------
        str
        """
        check_count("max_depth", max_depth, 0)
        for name, count in {"max_terms": max_terms, "digits": digits}.items():
            if count is not None:
                check_count(name, count, 1)
        self._check_text(max_depth)
        labels = Labels(self._model, max_terms=max_terms, digits=digits, rule=True)
        lines: list[str] = []
        todo = [(0 if self.n_splits else ~0, 0, "")]
        while todo:
            node, level, side = todo.pop()
            lead = _INDENT * level + side
            if node < 0:
                lines.append(f"{lead}{self._leaf_text(~node)}")
            elif level == max_depth:
                lines.append(f"{lead}...")
            else:
                rule = f"{labels.of(Stored(self._words(node)))} <= {number(self.threshold[node], digits)}"
                lines.append(f"{lead}{rule}")
                left, right = self.children[node]
                todo += [(int(right), level + 1, "no:  "), (int(left), level + 1, "yes: ")]
        return "\n".join(lines)

    def _check_text(self, max_depth: int) -> None:
        """Raise MemoryError if the indentation of a deep tree takes more memory than is free."""
        if max_depth > _DEEP:
            n_levels = sum(int(np.minimum(depths, max_depth).sum()) for depths in self._depths())
            check_memory("the text of a tree", 2.0 * len(_INDENT) * n_levels, "a smaller max_depth takes less")

    def _depths(self) -> tuple[Longs, Longs]:
        """Return the number of splits above each split and each leaf."""
        return _core.node_depths(self._model.core_trees, self._number)

    def _leaf_text(self, leaf: int) -> str:
        """Write the likeliest classes of a leaf with their probabilities, or its values."""
        weight, value, targets = self.leaf_weight[leaf], self.value[leaf], self._model.targets
        if not len(value) or not weight:
            return f"leaf {leaf}, weight {weight:g}"
        if targets.kind == "classes" and targets.n_outputs == 1:
            likeliest = [k for k in np.argsort(-value, kind="stable")[:_MOST_CLASSES] if value[k] > 0]
            written = ", ".join(f"{printable(targets.classes[0][k])} ({value[k]:.0%})" for k in likeliest)
            written += ", ..." if np.count_nonzero(value) > _MOST_CLASSES else ""
        else:
            written = ", ".join(f"{v:.3g}" for v in value)
        return f"leaf {leaf}: {written}, weight {weight:g}"
