"""The flat arrays of all trees of a forest, and the only place that names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from foliation.data.arrays import Array, Floats, Ints, Longs


@dataclass(frozen=True, eq=False, slots=True)
class Trees:
    """All trees, one after the other.

    Splits of tree t are ``split_start[t]`` to ``split_start[t + 1]``, its leaves likewise. An entry of ``children``
    refers to a split of the tree if it is at least 0, and to leaf ``~entry`` otherwise. The values of leaf l are the
    entries ``value_start[l]`` to ``value_start[l + 1]``: a column and a value each.
    """

    split_start: Longs
    leaf_start: Longs
    children: Ints  # left and right of each split, side by side
    threshold: Floats
    gain: NDArray[np.float32]  # in units of ``gain_unit`` of the tree
    gain_unit: Floats
    atom_start: Ints | Longs  # empty if all atoms have as many words
    atom_words: NDArray[np.int16] | Ints
    value_start: Longs
    value_column: Ints
    value: Floats
    leaf_weight: Floats  # of the estimation samples in each leaf

    def arrays(self) -> dict[str, Array]:
        """Return the arrays by name."""
        return {name: getattr(self, name) for name in DTYPES}

    @property
    def n_trees(self) -> int:
        return len(self.split_start) - 1

    @property
    def n_splits(self) -> Longs:
        """Number of splits of each tree."""
        return np.diff(self.split_start)

    @property
    def n_leaves(self) -> Longs:
        """Number of leaves of each tree."""
        return np.diff(self.leaf_start)

    @property
    def n_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays().values())

    def words_of(self, splits: slice) -> tuple[Longs | Ints, Array]:
        """Return where the words of these splits begin, and where the last ones end; and all words."""
        if len(self.atom_start):
            return self.atom_start[splits.start : splits.stop + 1], self.atom_words
        size = len(self.atom_words) // max(1, len(self.threshold))
        return np.arange(splits.start, splits.stop + 1) * size, self.atom_words


# What each array may hold; the first is what a file of its own would use.
DTYPES: dict[str, tuple[type, ...]] = {
    "split_start": (np.int64,),
    "leaf_start": (np.int64,),
    "children": (np.int32,),
    "threshold": (np.float64,),
    "gain": (np.float32,),
    "gain_unit": (np.float64,),
    "atom_start": (np.int32, np.int64),
    "atom_words": (np.int16, np.int32),
    "value_start": (np.int64,),
    "value_column": (np.int32,),
    "value": (np.float64,),
    "leaf_weight": (np.float64,),
}
assert tuple(DTYPES) == tuple(array.name for array in fields(Trees))


def concatenate(parts: Sequence[Trees]) -> Trees:
    """Return the trees of all parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    offsets = {"split_start", "leaf_start", "value_start"}
    columns = {name: [part.arrays()[name] for part in parts] for name in DTYPES}
    whole: dict[str, Array] = {
        name: (_joined_offsets if name in offsets else np.concatenate)(own) for name, own in columns.items()
    }
    return Trees(**whole | {"atom_start": _joined_atom_starts(parts)})


def _joined_offsets(arrays: Sequence[Array]) -> Longs:
    ends = np.cumsum([0, *(array[-1] for array in arrays)], dtype=np.int64)
    return np.concatenate([ends[:1], *(array[1:] + end for array, end in zip(arrays, ends, strict=False))])


def _joined_atom_starts(parts: Sequence[Trees]) -> Ints | Longs:
    """Return what the core would store: nothing if all atoms have as many words, else 32 bits if they suffice."""
    sizes = {len(part.atom_words) / len(part.threshold) for part in parts if len(part.threshold)}
    if len(sizes) <= 1 and not any(len(part.atom_start) for part in parts):
        return np.empty(0, np.int32)
    start = _joined_offsets([part.words_of(slice(0, len(part.threshold)))[0] for part in parts])
    return start.astype(np.int32) if start[-1] <= np.iinfo(np.int32).max else start
