"""The algorithm in NumPy: the readable specification that the core must agree with.

Atoms, row plans and the keys of nodes come from the core; projections, cuts, partitions and leaves are
computed here, in the plainest way. A tree is a nested dict: splits have ``atom`` (its words), ``threshold``,
``gain``, ``left`` and ``right``; leaves have ``value`` and ``weight``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from reference_clusters import CLUSTERS, SOME, Sides, best_cut, cluster_level, midpoints, some_rows

from foliation import _core

Floats = NDArray[np.float64]
TIE = 1e-10  # a cut must beat the best one so far by more than this share of the node's impurity


@dataclass
class Rules:
    criterion: str
    splitter: str = "exact"
    n_candidates: int = 1
    max_depth: int = 2**31 - 1
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_balance: float = 0.0
    min_impurity_decrease: float = 0.0
    variance_floor: float = 0.001
    patience: int = 0

    @property
    def reads_values(self) -> bool:
        return self.criterion in CLUSTERS


def impurity(criterion: str, y: NDArray[Any], w: Floats) -> float:
    """Weight times impurity, averaged over the outputs (columns of y)."""
    if len(y) == 0:
        return 0.0
    total = 0.0
    for column in y.T:
        if criterion == "squared_error":
            total += float((w * (column - np.average(column, weights=w)) ** 2).sum())
            continue
        share = np.bincount(column, weights=w) / w.sum()
        share = share[share > 0]
        total += w.sum() * float(1 - (share**2).sum() if criterion == "gini" else -(share * np.log2(share)).sum())
    return total / len(y.T)


def draws(key: np.uint64, count: int) -> list[int]:
    """Return the first numbers of the generator with this key."""
    x = key + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return [int(draw) for draw in x ^ (x >> np.uint64(31))]


def places(n: int, number: np.uint64) -> NDArray[np.int64]:
    """Return which of n rows are looked at: all of few, or 1024 draws of the generator with this key."""
    return np.arange(n) if n <= 1024 else np.array([draw * n >> 64 for draw in draws(number, 1024)])


def thresholds(values: Floats, splitter: str, number: np.uint64) -> Floats:
    """Return the cuts that a splitter tries: midpoints, at most 255 of a sample's midpoints, or one."""
    if splitter == "random":
        uniform = int(number >> np.uint64(11)) * 2.0**-53
        drawn = values.min() + uniform * (values.max() - values.min())
        return np.array([drawn if drawn < values.max() else values.min()])  # a rounding may reach the largest
    distinct = np.unique(values)
    low, high = distinct[:-1], distinct[1:]
    sample = np.sort(values[places(len(values), number)])
    size = len(sample)
    if splitter == "histogram" and len(values) > 256 and len(np.unique(sample)) > 256:
        at = np.arange(1, 254) * size // 254
        low = np.array([distinct[0], *sample[at - 1], sample[-1]])
        high = np.array([sample[0], *sample[at], distinct[-1]])
    return midpoints(low[low < high], high[low < high])


def unit(criterion: str, y: NDArray[Any], w: Floats) -> float:
    """Return what ties are measured by: the impurity, or the weight where there are no targets."""
    return float(w.sum()) if criterion in CLUSTERS else impurity(criterion, y, w)


def project(X: NDArray[Any], dictionary: _core.Dictionary, words: NDArray[np.int32]) -> Floats:
    ids, weights = dictionary.expand(words)
    return np.asarray(X[:, ids].astype(np.float64) @ weights)


def leaf(y: NDArray[Any], w: Floats, n_columns: int, criterion: str) -> dict[str, Any]:
    value = np.zeros(n_columns)
    for output, column in enumerate(y.T):
        if criterion == "squared_error":
            value[output] = np.average(column, weights=w)
        else:
            value += np.bincount(column, weights=w, minlength=n_columns) / w.sum()
    return {"value": value, "weight": w.sum()}


Node = dict[str, Any]
Cut = dict[str, Any] | None


def shows_clusters(cut: Cut, criterion: str, w: Floats) -> bool:
    return cut is not None and cut["gain"] > cluster_level(criterion, w.sum()) + TIE * w.sum()


class Reference:
    def __init__(self, dictionary: _core.Dictionary, rules: Rules, n_columns: int, n_features: int) -> None:
        self.dictionary, self.rules, self.n_columns, self.n_features = dictionary, rules, n_columns, n_features

    def grow(self, X: NDArray[Any], y: NDArray[Any], w: Floats, key: int) -> dict[str, Any]:
        self.tree_weight = w.sum()
        return self._node(X, y, w, key, 0, self.rules.patience)

    def fill(self, tree: Node, X: NDArray[Any], y: NDArray[Any], w: Floats, empty: Floats | None, prior: str) -> Node:
        """Return an honest tree with the values of its estimation samples; ``empty`` is that of a leaf without any.

        That is the value of the nearest node with samples if the prior is "ancestor", of the root if "empirical".
        """
        own: Node = leaf(y, w, self.n_columns, self.rules.criterion) if len(w) else {"value": empty, "weight": 0.0}
        if "atom" not in tree:
            return own
        if prior == "ancestor" or (prior == "empirical" and empty is None):
            empty = own["value"]
        left = project(X, self.dictionary, tree["atom"]) <= tree["threshold"]
        sides = {"left": left, "right": ~left}
        filled = {name: self.fill(tree[name], X[s], y[s], w[s], empty, prior) for name, s in sides.items()}
        return tree | filled

    def leaves(self, tree: Node, X: NDArray[Any]) -> list[Node]:
        """Return the leaf that each row reaches."""
        if "atom" not in tree:
            return [tree] * len(X)
        left = project(X, self.dictionary, tree["atom"]) <= tree["threshold"]
        sides = iter(self.leaves(tree["left"], X[left])), iter(self.leaves(tree["right"], X[~left]))
        return [next(sides[0] if goes_left else sides[1]) for goes_left in left]

    def _node(self, X: NDArray[Any], y: NDArray[Any], w: Floats, key: int, depth: int, patience: int) -> dict[str, Any]:
        r = self.rules
        pure = not r.reads_values and all(len(np.unique(column)) == 1 for column in y.T)
        cut = None
        if depth < r.max_depth and len(y) >= max(r.min_samples_split, 2 * r.min_samples_leaf) and not pure:
            if r.reads_values:
                cut, patience = self._search_clusters(X, w, key, patience)
            else:
                cut = self._search(X, y, w, key)
        if cut is None or not self._worth(cut["gain"], unit(r.criterion, y, w)):
            return leaf(y, w, self.n_columns, r.criterion)
        left = project(X, self.dictionary, cut["atom"]) <= cut["threshold"]
        sides = zip(("left", "right"), (left, ~left), strict=True)
        children = {
            name: self._node(X[side], y[side], w[side], _core.chain(key, number), depth + 1, patience)
            for number, (name, side) in enumerate(sides)
        }
        return cut | children

    def _worth(self, gain: float, whole: float) -> bool:
        least = self.rules.min_impurity_decrease * self.tree_weight
        return bool(least == 0 or gain + TIE * whole >= least)

    def _search_clusters(self, X: NDArray[Any], w: Floats, key: int, patience: int) -> tuple[Cut, int]:
        """Find the cut by 256 rows of a large node, unless it is not legal for all of them, or else by all."""
        r, n = self.rules, len(X)
        if r.splitter == "auto" and n > SOME:
            some = some_rows(n, draws(np.uint64(_core.chain(key, 2**64 - 1)), SOME))
            cut, patience = self._best_cluster_cut(X[some], w[some], key, SOME / n, patience)
            if cut is not None:
                left = project(X, self.dictionary, cut["atom"]) <= cut["threshold"]
                least = r.min_weight_fraction_leaf * self.tree_weight
                enough_rows = min(left.sum(), (~left).sum()) >= r.min_samples_leaf
                if enough_rows and min(w[left].sum(), w[~left].sum()) >= least:
                    return cut | {"gain": cut["gain"] * n / SOME}, patience
        return self._best_cluster_cut(X, w, key, 1.0, patience)

    def _atoms(self, key: int, n_further: int = 0) -> list[tuple[NDArray[np.int32], np.uint64]]:
        """Return what a node may draw, in order: atoms, empty where none are left, and the next number of each."""
        start, words, numbers = self.dictionary.draw_with_numbers(
            key, self.rules.n_candidates + self.n_features + n_further
        )
        return [(words[start[c] : start[c + 1]], numbers[c]) for c in range(len(start) - 1)]

    def _values(self, X: NDArray[Any], atom: NDArray[np.int32]) -> Floats:
        return project(X, self.dictionary, atom) if len(atom) else np.zeros(len(X))

    def _n_candidates(self, X: NDArray[Any], atoms: list[tuple[NDArray[np.int32], np.uint64]]) -> tuple[int, bool]:
        """Return how many atoms are tried at least, more if none of them would vary, and whether one does."""
        first = self.rules.n_candidates
        for c, (atom, _) in enumerate(atoms[: first + self.n_features]):
            if np.ptp(self._values(X, atom)) > 0:
                return max(first, c + 1), True
        return first + self.n_features, False

    def _best_cluster_cut(self, X: NDArray[Any], w: Floats, key: int, share: float, patience: int) -> tuple[Cut, int]:
        """Return the best cut, and how many features the further candidates of the children may read."""
        r = self.rules
        fewest = int(np.ceil(share * r.min_samples_leaf))
        least = max(r.min_weight_fraction_leaf * share * self.tree_weight, (1 - 1e-12) * r.min_balance * w.sum())
        best: Cut = None
        atoms = self._atoms(key, patience)
        n_first, varied = self._n_candidates(X, atoms)
        n_left = patience
        for c, (atom, _) in enumerate(atoms):
            if c >= n_first:
                if n_left <= 0 or not varied or not len(atom) or shows_clusters(best, r.criterion, w):
                    break
                n_left -= max(1, len(self.dictionary.expand(atom)[0]))
            values = self._values(X, atom)
            found = best_cut(r.criterion, r.variance_floor, values, w, Sides(fewest, least)) if np.ptp(values) else None
            if found is not None and (best is None or found[1] > best["gain"] + TIE * w.sum()):
                best = {"atom": atom, "threshold": found[0], "gain": found[1]}
        return best, patience if not varied or shows_clusters(best, r.criterion, w) else 0

    def _search(self, X: NDArray[Any], y: NDArray[Any], w: Floats, key: int) -> Cut:
        r = self.rules
        whole = impurity(r.criterion, y, w)
        best: Cut = None
        atoms = self._atoms(key)
        for atom, number in atoms[: self._n_candidates(X, atoms)[0]]:
            values = self._values(X, atom)
            if np.ptp(values) == 0:
                continue
            for t in thresholds(values, r.splitter, number):
                left = values <= t
                if min(left.sum(), (~left).sum()) < r.min_samples_leaf:
                    continue
                least = max(r.min_weight_fraction_leaf * self.tree_weight, (1 - 1e-12) * r.min_balance * w.sum())
                if min(w[left].sum(), w[~left].sum()) < least:
                    continue
                parts = impurity(r.criterion, y[left], w[left]) + impurity(r.criterion, y[~left], w[~left])
                if best is None or whole - parts > best["gain"] + TIE * whole:
                    best = {"atom": atom, "threshold": t, "gain": whole - parts}
        return best
