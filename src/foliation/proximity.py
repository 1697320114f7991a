"""Proximities: how often rows share a leaf; neighbours, graphs and outliers by them."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import _core, memory
from foliation._sklearn import Transformer, check_is_fitted
from foliation.rows import n_threads
from foliation.training import Bits, Rows, TrainedForest

Mode = Literal["connectivity", "distance"]

_BLOCK = 4096  # rows whose proximities are found together
_PROBES = 64  # rows by which the size of a sparse result is estimated
_ENTRY_BYTES = 12  # of a sparse result: a column and a value
_MANY_PAIRS = 5e10  # takes minutes
_PAIRS_PER_SECOND = 2.5e8  # of two threads, roughly


class ProximityForest(Transformer, TrainedForest):
    """What every forest can say of rows that share its leaves."""

    @property
    def _n_features_out(self) -> int:
        """Columns of :meth:`transform`: the training rows."""
        return int(self.sampling_["n_rows"])

    def proximity(
        self,
        X: Any = None,
        Y: Any = None,
        *,
        rows: Rows = "all",
        sparse: bool = True,
        min_value: float = 0.0,
    ) -> Any:
        """Return for each two rows the share of trees in which they share a leaf.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            Rows to compare; the training rows if left out.
        Y : array of shape (m, p) or (m, *grid), optional
            Rows to compare them with; X itself if left out.
        rows : {"all", "in_bag", "oob"}, default="all"
            Of the training rows (without X): whether all trees count for two rows, those that drew both, or those
            that drew neither. Out of the bag no tree has seen the rows: pure leaves cannot make equal classes close.
        sparse : bool, default=True
            Whether to return a sparse matrix; a dense one holds all n * m numbers.
        min_value : float, default=0
            Smaller proximities are left out of the result.

        Returns
        -------
        CSR matrix or array of shape (n, n), (n, n) or (n, m)
            Symmetric with a diagonal of ones if rows are compared with themselves. Pairs that are never together
            have 0, and so have pairs for which no tree counts.
        """
        check_is_fitted(self)
        if not 0 <= min_value <= 1:
            raise ValueError(f"min_value={min_value!r} must lie between 0 and 1")
        if X is None and Y is not None:
            raise ValueError("Y was given without X; proximity(X, Y) compares rows X with rows Y")
        leaves, bits = self._arrivals(X, rows)
        index = self._index(leaves, bits)
        others = None if Y is None else self._leaves(Y)
        if others is not None:
            index = self._index(others, bits)
        shape = (leaves.shape[1], leaves.shape[1] if others is None else others.shape[1])
        if not sparse:
            memory.check(
                f"a dense proximity matrix of shape {shape}", 8.0 * shape[0] * shape[1], "sparse=True takes less"
            )
        else:
            self._check_size(index, leaves, bits, min_value)
        starts = range(0, shape[0], _BLOCK)
        blocks = (self._block(index, leaves, bits, first, min_value, shape[1]) for first in starts)
        if sparse:
            return self._whole_diagonal(sp.vstack(list(blocks), format="csr"), Y)
        dense = np.empty(shape)
        for first, block in zip(starts, blocks, strict=True):
            dense[first : first + _BLOCK] = block.toarray()
        return self._whole_diagonal(dense, Y)

    def _arrivals(self, X: Any, kind: Rows) -> tuple[NDArray[np.int32], Bits]:
        """Leaves of rows, (trees, n), and in which trees they count."""
        if X is None:
            return self._training_leaves(), self._membership(kind)
        if kind != "all":
            raise ValueError(f"rows={kind!r} tells training rows apart; leave X out to compare these")
        return self._leaves(X), np.empty(0, np.uint64)

    def _index(self, leaves: NDArray[np.int32], bits: Bits) -> _core.LeafIndex:
        return _core.LeafIndex(leaves, bits, self.trees_["leaf_start"], n_threads(self.n_jobs))

    def _check_size(self, index: _core.LeafIndex, leaves: NDArray[np.int32], bits: Bits, min_value: float) -> None:
        """Refuse a sparse result that would not fit, by the number of entries that some rows have."""
        n = leaves.shape[1]
        probes = np.unique(np.linspace(0, n - 1, _PROBES).astype(int))
        found = sum(len(self._near(index, leaves, bits, (row, row + 1), min_value)[1]) for row in probes)
        wanted = 2.0 * _ENTRY_BYTES * found / len(probes) * n  # blocks, and the whole made of them
        memory.check(
            f"sparse proximities of {n} rows", wanted, "a larger min_value keeps fewer, kneighbors the nearest"
        )

    def _near(
        self, index: _core.LeafIndex, leaves: NDArray[np.int32], bits: Bits, block: tuple[int, int], min_value: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        return index.near(leaves, bits, block, min_value, n_threads(self.n_jobs))

    def _block(
        self, index: _core.LeafIndex, leaves: NDArray[np.int32], bits: Bits, first: int, min_value: float, width: int
    ) -> Any:
        last = min(first + _BLOCK, leaves.shape[1])
        start, columns, values = self._near(index, leaves, bits, (first, last), min_value)
        return sp.csr_matrix((values, columns, start), shape=(last - first, width))

    @staticmethod
    def _whole_diagonal(found: Any, Y: Any) -> Any:
        """A row is as close to itself as can be, also if no tree counts for it."""
        if Y is None and (missing := found.diagonal() == 0).any():
            return found + (sp.diags_array(missing.astype(float)).tocsr() if sp.issparse(found) else np.diag(missing))
        return found

    def kneighbors(
        self, X: Any = None, n_neighbors: int = 5, return_distance: bool = True, *, rows: Rows = "all"
    ) -> Any:
        """Find the training rows that share the most leaves with each row.

        The work is the number of pairs in leaves, the sum of the squares of their sizes. It stays near linear in n
        while leaves stay small, as those of regression do; pure leaves of a classifier grow with n.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            Rows whose neighbours are sought; the training rows if left out, none of which is its own neighbour then.
        n_neighbors : int, default=5
        return_distance : bool, default=True
            Whether to return the distances too.
        rows : {"all", "in_bag", "oob"}, default="all"
            As in :meth:`proximity`. For rows X, which are in no bag, the trees that drew the training row, or did not.

        Returns
        -------
        distances : array of shape (n, n_neighbors)
            1 - proximity, ascending. Left out unless ``return_distance``.
        indices : array of shape (n, n_neighbors)
            Numbers of training rows; equally near ones ascend.
        """
        check_is_fitted(self)
        training, bits = self._arrivals(None, rows)
        leaves, own_bits = (training, bits) if X is None else self._arrivals(X, "all")
        most = training.shape[1] - (1 if X is None else 0)
        if not isinstance(n_neighbors, Integral) or isinstance(n_neighbors, bool) or not 1 <= n_neighbors <= most:
            raise ValueError(f"n_neighbors={n_neighbors!r} must be an integer from 1 to {most}, the number of others")
        index = self._index(training, bits)
        self._warn_of_pairs(index.n_pairs(leaves, own_bits))
        proximity, indices = index.nearest(leaves, own_bits, int(n_neighbors), X is None, n_threads(self.n_jobs))
        return (1.0 - proximity, indices) if return_distance else indices

    @staticmethod
    def _warn_of_pairs(n_pairs: float) -> None:
        if n_pairs > _MANY_PAIRS:
            minutes = n_pairs / _PAIRS_PER_SECOND / 60
            warnings.warn(
                f"rows share leaves in {n_pairs:.1g} pairs, which take about {minutes:.0f} minutes to count; "
                'rows="oob" counts a seventh of those of a bootstrap, and fewer trees have fewer',
                stacklevel=3,
            )

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int = 5, mode: Mode = "connectivity", *, rows: Rows = "all"
    ) -> Any:
        """Return the neighbours as a sparse graph, as scikit-learn's neighbours do.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            As in :meth:`kneighbors`.
        n_neighbors : int, default=5
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether edges have ones or distances.
        rows : {"all", "in_bag", "oob"}, default="all"
            As in :meth:`proximity`.

        Returns
        -------
        CSR matrix of shape (n, n_train)
        """
        if mode not in ("connectivity", "distance"):
            raise ValueError(f'mode={mode!r} is unknown; it must be "connectivity" or "distance"')
        distances, indices = self.kneighbors(X, n_neighbors, rows=rows)
        values = np.ones(distances.size) if mode == "connectivity" else distances.ravel()
        start = np.arange(0, distances.size + 1, distances.shape[1])
        return sp.csr_matrix((values, indices.ravel(), start), shape=(len(distances), self.sampling_["n_rows"]))

    def transform(self, X: Any, n_neighbors: int = 15) -> Any:
        """Return the graph of distances to the nearest training rows, as KNeighborsTransformer does.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        n_neighbors : int, default=15
            Neighbours beside the row itself: one more is given, which for a training row is the row itself.

        Returns
        -------
        CSR matrix of shape (n, n_train)
            Distances ascend along each row; all are stored, also zeros.
        """
        check_is_fitted(self)
        return self.kneighbors_graph(X, min(n_neighbors + 1, self.sampling_["n_rows"]), mode="distance")

    def fit_transform(self, X: Any, y: Any = None, n_neighbors: int = 15, **fit_params: Any) -> Any:
        """Fit the forest, and return :meth:`transform` of its training rows."""
        fitted = self.fit(X, **fit_params) if y is None else self.fit(X, y, **fit_params)
        return fitted.transform(X, n_neighbors)

    def outlier_score(self, X: Any = None) -> NDArray[np.float64]:
        """Return how far each row lies from the rows of its class, as Breiman measures it.

        A row's raw score is the number of training rows of its class over the sum of their squared proximities to it.
        Of this the median of its class is taken away, and the rest divided by the class's median absolute deviation.
        Scores above 10 are remarkable. In regression all rows are of one class.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            Rows to score, by their predicted classes; the training rows by their own, if left out.

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        of_training = self._outlier_classes(None)
        training = self._raw_outlier_scores(None, of_training, of_training)
        classes = of_training if X is None else self._outlier_classes(X)
        raw = training if X is None else self._raw_outlier_scores(X, classes, of_training)
        scores = np.empty(len(raw))
        for label in np.unique(classes):
            own = training[of_training == label]
            middle = np.median(own) if len(own) else 0.0
            spread = np.median(np.abs(own - middle)) if len(own) else 0.0
            here = classes == label
            scores[here] = (raw[here] - middle) / (spread or 1.0)
        return scores

    def _outlier_classes(self, X: Any) -> NDArray[Any]:
        """Numbers of the classes that rows are compared within: the training rows', or those predicted."""
        return np.zeros(self.sampling_["n_rows"] if X is None else len(X), dtype=np.int64)

    def _raw_outlier_scores(self, X: Any, classes: NDArray[Any], of_training: NDArray[Any]) -> NDArray[np.float64]:
        training, none = self._arrivals(None, "all")
        leaves = training if X is None else self._leaves(X)
        index = self._index(training, none)
        sums = np.empty(leaves.shape[1])
        for first in range(0, len(sums), _BLOCK):
            block = self._block(index, leaves, none, first, 0.0, training.shape[1]).tocoo()
            same = classes[first + block.row] == of_training[block.col]
            if X is None:
                same &= first + block.row != block.col
            squares = np.where(same, block.data**2, 0.0)
            sums[first : first + block.shape[0]] = np.bincount(block.row, squares, minlength=block.shape[0])
        sizes = np.bincount(of_training, minlength=int(classes.max()) + 1)[classes]
        return np.asarray(sizes / np.maximum(sums, 1.0 / self._n_trees**2))
