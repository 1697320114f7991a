"""A prediction as a weighted mean of training targets: the weights, and quantiles by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp

from foliation import _core
from foliation._core import Machine
from foliation.data.arrays import Array, Floats, Longs, Matrix
from foliation.model.model import Model
from foliation.model.predict import leaf_ids, leaves_of_forest
from foliation.model.training import estimation_samples, training_leaves

_BLOCK = 1024  # rows whose weights are found together, at most
_MOST_WEIGHTS = 50_000_000  # that are added up for them


class _LeafRows(NamedTuple):
    """The weights of training rows in leaves, not yet divided by their sums: leaf l has those of ``source[l]``.

    Sources are rows of ``weights``, one per leaf, and after them nodes that lend to leaves without estimation samples.
    A node has the sum of the rows ``lender[first[n]:last[n]]``, which is found where it is asked for: nodes lie below
    others, and in a deep tree all of them together hold far more than the tree.
    """

    source: Longs
    sizes: Longs  # number of weights of each source
    weights: Matrix
    first: Longs
    last: Longs
    lender: Longs

    def table(self, sources: Longs) -> Matrix:
        """Return the weights of sources, in order, as rows that sum to one, or to zero if one predicts nothing."""
        n_leaves = self.weights.shape[0]
        is_leaf = sources < n_leaves
        table = self.weights[sources[is_leaf]]
        if not is_leaf.all():
            table = sp.vstack([table, self._lent(sources[~is_leaf] - n_leaves)], format="csr")
        sums = np.asarray(table.sum(axis=1)).ravel()
        table.data /= np.repeat(sums, np.diff(table.indptr))
        return table

    def _lent(self, nodes: Longs) -> Matrix:
        counts = self.last[nodes] - self.first[nodes]
        start = np.concatenate([[0], counts.cumsum()])
        places = np.arange(start[-1]) + np.repeat(self.first[nodes] - start[:-1], counts)
        shape = (len(nodes), self.weights.shape[0])
        return sp.csr_matrix((np.ones(len(places)), self.lender[places], start), shape=shape) @ self.weights


_KNOWN: WeakKeyDictionary[Model, _LeafRows] = WeakKeyDictionary()


def leaf_weights(model: Model, rows: Array, machine: Machine) -> Matrix:
    """Return the weight that each training row has in the prediction of each row, (n, n_train)."""
    return sp.vstack(list(weight_blocks(model, rows, machine)), format="csr")


def weight_blocks(model: Model, rows: Array, machine: Machine) -> Iterator[Matrix]:
    """Yield the rows of ``leaf_weights``, some at a time."""
    if model not in _KNOWN:
        _KNOWN[model] = _leaf_rows(model, machine)
    known = _KNOWN[model]
    leaves = leaves_of_forest(model, leaf_ids(model, rows, machine))
    n_weights = known.sizes[known.source[leaves]].sum(axis=1)
    for here in _blocks(n_weights.cumsum()):
        sources, places = _each_once(known.source[leaves[here]], len(known.sizes))
        start = np.arange(0, places.size + 1, places.shape[1])
        shape = (len(places), len(sources))
        block = sp.csr_matrix((np.ones(places.size), places.ravel(), start), shape=shape) @ known.table(sources)
        sums = np.asarray(block.sum(axis=1)).ravel()
        if model.leaf_prior == "ignore" and (sums == 0).any():
            block = block + sp.csr_matrix((sums == 0).astype(float)[:, None]) @ _prior_weights(model)
            sums = np.where(sums == 0, 1.0, sums)
        block.data /= np.repeat(sums, np.diff(block.indptr))
        yield block


def _each_once(numbers: Longs, end: int) -> tuple[Longs, Longs]:
    """Return the different ones of numbers below ``end`` in order, and where each number is among them."""
    is_there = np.zeros(end, bool)
    is_there[numbers] = True
    different = np.flatnonzero(is_there)
    place = np.empty(end, np.int64)
    place[different] = np.arange(len(different))
    return different, place[numbers]


def _blocks(ends: Longs) -> Iterator[slice]:
    """Yield rows whose weights are found together: few if leaves have many training rows, for Ctrl-C to be heard.

    The weights of row i are numbers ``ends[i - 1]`` to ``ends[i]``.
    """
    first, n_before = 0, 0
    while first < len(ends):
        last = int(np.searchsorted(ends, n_before + _MOST_WEIGHTS, "right"))
        last = min(max(last, first + 1), first + _BLOCK, len(ends))
        yield slice(first, last)
        first, n_before = last, int(ends[last - 1])


def _prior_weights(model: Model) -> Matrix:
    weights = model.sampling.row_weights
    weights = np.ones(model.sampling.n_rows) if weights is None else weights
    return sp.csr_matrix(weights / weights.sum())


def _leaf_rows(model: Model, machine: Machine) -> _LeafRows:
    leaves, trees = training_leaves(model, machine), model.trees
    samples = [estimation_samples(model, tree) for tree in range(model.n_trees)]
    reached = np.concatenate([leaves[t, own.rows] + trees.leaf_start[t] for t, own in enumerate(samples)])
    columns = np.concatenate([own.rows for own in samples])
    weights = np.concatenate([own.weights for own in samples])
    shape = (int(trees.leaf_start[-1]), leaves.shape[1])
    sums = sp.coo_matrix((weights, (reached, columns)), shape=shape).tocsr()
    if model.sampling.structure_share < 1 and model.leaf_prior == "uniform":
        raise ValueError(
            'honest_prior="uniform" gives leaves without estimation samples equal shares, which no weights of training '
            'rows express; fit with honest_prior="ancestor", "empirical" or "ignore"'
        )
    return _with_lenders(model, sums)


def _with_lenders(model: Model, weights: Matrix) -> _LeafRows:
    source, sizes = np.arange(weights.shape[0]), np.diff(weights.indptr).astype(np.int64)
    if model.leaf_prior == "ignore" or (model.trees.leaf_weight > 0).all():
        none = np.empty(0, np.int64)
        return _LeafRows(source, sizes, weights, none, none, none)
    borrowed = _core.borrowed_leaves(model.core_trees, _core.HonestPrior[model.leaf_prior])
    source[borrowed.leaf] = len(source) + borrowed.node
    has_rows = sizes[borrowed.lender] > 0  # a file may say of any leaf that it has weight
    n_before = np.concatenate([[0], has_rows.cumsum()])
    first, last, lender = n_before[borrowed.first], n_before[borrowed.last], borrowed.lender[has_rows]
    n_before = np.concatenate([[0], sizes[lender].cumsum()])
    return _LeafRows(source, np.append(sizes, n_before[last] - n_before[first]), weights, first, last, lender)


def quantiles(model: Model, rows: Array, levels: Floats, machine: Machine) -> Floats:
    """Return quantiles of the training targets under the weights of each row, (n, levels, outputs)."""
    blocks = weight_blocks(model, rows, machine)
    return np.concatenate([weighted_quantiles(block, model.targets.y, levels) for block in blocks])


def standard_deviations(model: Model, rows: Array, machine: Machine) -> Floats:
    """Return standard deviations of the training targets under the weights of each row, (n, outputs)."""
    centered = model.targets.y - model.prior  # squares of large numbers would hide small differences
    moments = [(block @ centered, block @ centered**2) for block in weight_blocks(model, rows, machine)]
    mean, square = (np.concatenate(parts) for parts in zip(*moments, strict=True))
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0.0)))


def weighted_quantiles(weights: Matrix, values: Floats, levels: Floats) -> Floats:
    """Return quantiles of columns of values under rows of sparse weights: (rows, levels, columns)."""
    quantiles = np.empty((weights.shape[0], len(levels), values.shape[1]))
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
            quantiles[:, k, column] = values[order[ordered.indices[at]], column]
    return quantiles
