"""A prediction as a weighted mean of training targets: the weights, and what else they tell."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import _core, spec
from foliation._sklearn import check_is_fitted
from foliation.forest import Forest
from foliation.trees import Tree

_BLOCK = 1024  # rows whose weights are found together


class WeighingForest(Forest):
    """A supervised forest: its leaves hold targets."""

    leaf_prior_: str  # honest_prior of the fit

    def leaf_weights(self, X: Any) -> Any:
        """Return the weight that each training row has in the prediction of each row of X.

        Each tree shares a weight of one among the training rows that fill the leaf, and the mean is taken over the
        trees. So ``forest.leaf_weights(X) @ onehot(y)`` are the probabilities that a classifier predicts, and
        ``forest.leaf_weights(X) @ y`` is what a regressor does.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        CSR matrix of shape (n, n_train)
            Its rows sum to one.
        """
        check_is_fitted(self)
        return sp.vstack(list(self._weight_blocks(X)), format="csr")

    def _weight_blocks(self, X: Any) -> Any:
        """The rows of ``leaf_weights``, some at a time."""
        speaking, filling = self._derive("filling", self._find_filling)
        leaves = self._leaves(X).T + self.trees_["leaf_start"][:-1]
        for first in range(0, len(leaves), _BLOCK):
            some = speaking[leaves[first : first + _BLOCK]]
            start = np.arange(0, some.size + 1, some.shape[1])
            reached = sp.csr_matrix((np.ones(some.size), some.ravel(), start), shape=(len(some), filling.shape[0]))
            found = reached @ filling
            sums = np.asarray(found.sum(axis=1)).ravel()
            if self.leaf_prior_ == "ignore" and (sums == 0).any():
                found = found + sp.csr_matrix((sums == 0).astype(float)[:, None]) @ self._prior_weights()
                sums = np.where(sums == 0, 1.0, sums)
            found.data /= np.repeat(sums, np.diff(found.indptr))
            yield found

    def _prior_weights(self) -> Any:
        weights = self.sampling_["weights"]
        weights = weights if len(weights) else np.ones(self.sampling_["n_rows"])
        return sp.csr_matrix(weights / weights.sum())

    def _find_filling(self) -> tuple[NDArray[np.int64], Any]:
        """Which row of a matrix speaks for each leaf of all trees, and the matrix: weights of the training rows.

        Its rows sum to one, or zero if they are ignored. A split that lends to several empty leaves is there once.
        """
        leaves, leaf_start = self._training_leaves(), self.trees_["leaf_start"]
        found = [(tree, *self._filling_rows(tree)) for tree in range(self._n_trees)]
        reached = np.concatenate([leaves[tree, rows] + leaf_start[tree] for tree, rows, _ in found])
        columns = np.concatenate([rows for _, rows, _ in found])
        weights = np.concatenate([weights for _, _, weights in found])
        shape = (int(leaf_start[-1]), leaves.shape[1])
        sums = sp.coo_matrix((weights, (reached, columns)), shape=shape).tocsr()
        speaking, empty = np.arange(shape[0]), self.trees_["leaf_weight"] == 0
        if self.sampling_["grow_share"] < 1 and self.leaf_prior_ == "uniform":
            raise ValueError(
                'honest_prior="uniform" lets empty leaves say what no training row says, so no weights express it; '
                'fit with honest_prior="ancestor", "empirical" or "ignore"'
            )
        if empty.any() and self.leaf_prior_ != "ignore":
            leaf, lender, start, lent = _core.borrowed_leaves(self.trees_, spec.PRIORS.index(self.leaf_prior_))
            speaking[leaf] = shape[0] + lender
            lending = sp.csr_matrix((np.ones(len(lent)), lent, start), shape=(len(start) - 1, shape[0])) @ sums
            sums = sp.vstack([sums, lending], format="csr")
        totals = np.asarray(sums.sum(axis=1)).ravel()
        sums.data /= np.repeat(totals, np.diff(sums.indptr))
        return speaking, sums

    def leaf_polytope(self, tree: int, leaf: int) -> tuple[Any, NDArray[np.float64]]:
        """Return the polytope of all rows that reach a leaf.

        Parameters
        ----------
        tree, leaf : int
            As ``apply`` numbers them.

        Returns
        -------
        A : CSR matrix of shape (splits above the leaf, p)
        b : array
            A row x (flattened) reaches the leaf if ``A @ x <= b``. Conditions come in order from the root; one for
            the right side of a split has the signs of its projection turned, and the next larger number than the
            threshold, since rows at the threshold itself go left. Sums over boxes are exact in a forest, but
            ``A @ x`` is rounded: a row that lies within rounding of a cut may seem to be on its other side.
            If the projections have views, x are the cells of all views of a row, each view times its power of two:
            p is their number, and the leaf is a polytope among them, not among the rows as they are.
        """
        return polytope(self.tree(tree), leaf, math.prod(self._cell_shape))


def polytope(tree: Tree, leaf: int, n_features: int) -> tuple[Any, NDArray[np.float64]]:
    if not isinstance(leaf, Integral):
        raise TypeError(f"leaf number {leaf!r} must be an integer")
    if not 0 <= leaf < tree.n_leaves:
        raise IndexError(f"leaf {leaf} does not exist; this tree has {tree.n_leaves} leaves")
    parent = {
        int(child): (split, side) for split in range(tree.n_splits) for side, child in enumerate(tree.children[split])
    }
    ids, weights, bounds = [], [], []
    node = ~int(leaf)
    while node in parent:
        node, side = parent[node]
        own_ids, own_weights = tree.atom(node)
        sign = 1.0 if side == 0 else -1.0
        ids.append(own_ids)
        weights.append(sign * own_weights)
        bounds.append(tree.threshold[node] if side == 0 else -np.nextafter(tree.threshold[node], np.inf))
    ids, weights, bounds = ids[::-1], weights[::-1], bounds[::-1]
    start = np.cumsum([0, *map(len, ids)])
    shape = (len(bounds), n_features)
    data = np.concatenate([*weights, np.empty(0)])
    columns = np.concatenate([*ids, np.empty(0, np.int32)])
    return sp.csr_matrix((data, columns, start), shape=shape), np.array(bounds, dtype=np.float64)


def weighted_quantiles(weights: Any, values: NDArray[np.float64], levels: NDArray[Any]) -> NDArray[np.float64]:
    """Quantiles of columns of values under rows of sparse weights: (rows, levels, columns)."""
    found = np.empty((weights.shape[0], len(levels), values.shape[1]))
    rounding = 1e-9  # sums of weights may fall short of a level by this much and still reach it
    for column in range(values.shape[1]):
        order = np.argsort(values[:, column], kind="stable")
        ordered = weights[:, order].tocsr()
        ordered.sort_indices()
        before = np.concatenate([[0.0], np.cumsum(ordered.data)])
        first, last = ordered.indptr[:-1], ordered.indptr[1:]
        for k, level in enumerate(levels):
            wanted = before[first] + level * (before[last] - before[first]) - rounding
            at = np.clip(np.searchsorted(before[1:], wanted), first, last - 1)
            found[:, k, column] = values[order[ordered.indices[at]], column]
    return found
