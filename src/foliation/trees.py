"""The arrays of a fitted forest, and one tree of it to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation import _core, rows

Arrays = dict[str, NDArray[Any]]

# Arrays of offsets start at 0 and end at the length of what they point into.
_OFFSETS = ("split_start", "leaf_start", "value_start")


def joined(forests: list[Arrays]) -> Arrays:
    """Return the arrays of several forests as one forest's, their trees one after the other."""
    if len(forests) == 1:
        return forests[0]
    parts = {name: [forest[name] for forest in forests] for name in forests[0]}
    whole = {name: (_joined_offsets if name in _OFFSETS else np.concatenate)(arrays) for name, arrays in parts.items()}
    return whole | {"atom_start": _joined_atom_starts(forests)}


def _joined_offsets(arrays: list[NDArray[Any]]) -> NDArray[np.int64]:
    ends = np.cumsum([0, *(array[-1] for array in arrays)], dtype=np.int64)
    return np.concatenate([ends[:1], *(array[1:] + end for array, end in zip(arrays, ends, strict=False))])


def _joined_atom_starts(forests: list[Arrays]) -> NDArray[Any]:
    """Return what the core would store: nothing if all atoms have as many words, else 32 bits if they do."""
    sizes = {len(forest["atom_words"]) / len(forest["threshold"]) for forest in forests if len(forest["threshold"])}
    if len(sizes) <= 1 and not any(len(forest["atom_start"]) for forest in forests):
        return np.empty(0, np.int32)
    start = _joined_offsets([atom_start(forest, slice(0, len(forest["threshold"]))) for forest in forests])
    return start.astype(np.int32) if start[-1] <= np.iinfo(np.int32).max else start


def atom_start(arrays: Arrays, splits: slice) -> NDArray[Any]:
    """Return where the words of these splits begin, and where the last one's end."""
    if len(arrays["atom_start"]):
        return arrays["atom_start"][splits.start : splits.stop + 1]
    size = len(arrays["atom_words"]) // max(1, len(arrays["threshold"]))
    return np.arange(splits.start, splits.stop + 1) * size


class Tree:
    """One tree of a forest as flat arrays; ``print`` draws it.

    Splits are numbered from 0, the root. An entry of ``children`` refers to a split if it is at least 0,
    and to leaf ``~entry`` otherwise. Rows whose projection is at most ``threshold`` go left.

    Attributes
    ----------
    children : array of shape (n_splits, 2)
    threshold, gain : arrays of shape (n_splits,)
        ``gain`` is the decrease of impurity times weight, to seven digits. If the projections have views, thresholds
        are in units of the scaled view: divide by ``2.0 ** forest.view_exponents_[view]`` for those of the data.
    value : array of shape (n_leaves, n_columns)
        Class probabilities, or means of the outputs.
    leaf_weight : array of shape (n_leaves,)
        Weight of the training rows that fill each leaf.
    n_splits, n_leaves, n_nodes, depth : int
        ``depth`` is the largest number of splits above a leaf.
    """

    def __init__(self, arrays: Arrays, number: int, forest: Any) -> None:
        splits = slice(*arrays["split_start"][number : number + 2])
        leaves = slice(*arrays["leaf_start"][number : number + 2])
        self.children: NDArray[np.int32] = arrays["children"].reshape(-1, 2)[splits]
        self.threshold: NDArray[np.float64] = arrays["threshold"][splits]
        self.gain: NDArray[np.float64] = arrays["gain"][splits].astype(np.float64) * arrays["gain_unit"][number]
        self.leaf_weight: NDArray[np.float64] = arrays["leaf_weight"][leaves]
        start = arrays["value_start"][leaves.start : leaves.stop + 1]
        self.value = np.zeros((len(start) - 1, forest.n_columns_))
        entries = slice(start[0], start[-1])
        leaf_ids = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.value[leaf_ids, arrays["value_column"][entries]] = arrays["value"][entries]
        self._atom_start = atom_start(arrays, splits)
        self._atom_words = arrays["atom_words"]
        self._dictionary: _core.Dictionary = forest._dictionary()
        self._shape = forest._cell_shape
        self._names = getattr(forest, "feature_names_in_", None) if self._shape == forest.grid_shape_ else None

    @property
    def n_splits(self) -> int:
        return len(self.threshold)

    @property
    def n_leaves(self) -> int:
        return len(self.leaf_weight)

    @property
    def n_nodes(self) -> int:
        return self.n_splits + self.n_leaves

    def atom(self, split: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the (feature ids, weights) of a split's projection.

        If the projections have views, features are the cells of a grid with an axis of views before the others.
        """
        if not 0 <= split < self.n_splits:
            raise IndexError(f"split {split} does not exist; this tree has {self.n_splits} splits")
        start, end = self._atom_start[split : split + 2]
        return self._dictionary.expand(self._atom_words[start:end].astype(np.int32))

    def leaf_depths(self) -> NDArray[np.int64]:
        """Return the number of splits above each leaf."""
        depths = np.zeros(self.n_leaves, dtype=np.int64)
        above = np.zeros(self.n_splits, dtype=np.int64)
        for split in range(self.n_splits):  # a split comes before its children
            for child in self.children[split]:
                (above if child >= 0 else depths)[child if child >= 0 else ~child] = above[split] + 1
        return depths

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
        label = rows.feature_label(feature, self._names, self._shape)
        name = label if self._names is not None else f"x{label}"
        return name if weight == 1 else f"{weight:g} {name}"
