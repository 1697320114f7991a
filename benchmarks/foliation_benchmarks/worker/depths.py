"""Depths of nodes, level by level; what counts of visits and pairs are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def node_depths(left: NDArray[np.integer], right: NDArray[np.integer]) -> Ints:
    """Return the depth of each node of a tree whose leaves have children below 0."""
    depths = np.zeros(len(left), dtype=np.int64)
    level, depth = np.zeros(1, dtype=np.int64), 0
    while len(level):
        depths[level] = depth
        inner = level[left[level] >= 0]
        level, depth = np.concatenate([left[inner], right[inner]]), depth + 1
    return depths


def leaf_depths(children: NDArray[np.integer], n_leaves: int) -> Ints:
    """Return the splits above each leaf of a tree whose entries are splits, or ``~leaf`` below 0."""
    depths = np.zeros(n_leaves, dtype=np.int64)
    level: NDArray[np.integer] = np.zeros(min(1, len(children)), dtype=np.int64)
    depth = 0
    while len(level):
        depth += 1
        below = children[level].ravel()
        depths[~below[below < 0]] = depth
        level = below[below >= 0]
    return depths
