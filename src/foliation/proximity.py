"""Proximities: how often rows share a leaf; neighbours, graphs and outliers by them."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import memory
from foliation._sklearn import Transformer, check_is_fitted
from foliation.ancestry import Ancestry
from foliation.meetings import Arrivals, Meetings
from foliation.rows import hashes, n_threads, predict_rows
from foliation.training import Rows, TrainedForest

Mode = Literal["connectivity", "distance"]


class ProximityForest(Transformer, TrainedForest):
    """What every forest can say of rows that share its leaves."""

    @property
    def _n_features_out(self) -> int:
        """Columns of ``transform``: the training rows."""
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
        if not isinstance(min_value, Real) or not 0 <= float(min_value) <= 1:
            raise ValueError(f"min_value={min_value!r} must be a number between 0 and 1")
        if X is None and Y is not None:
            raise ValueError("Y was given without X; proximity(X, Y) compares rows X with rows Y")
        if X is not None and rows != "all":
            raise ValueError(f"rows={rows!r} tells training rows apart; leave X out to compare these")
        given = self._training_arrivals(rows) if X is None else self._arrivals(X)
        meetings = self._meetings(given, given if Y is None else self._arrivals(Y))
        meetings.warn_of_pairs()
        if sparse:
            meetings.check_size(min_value)
            found = sp.vstack([block for _, block in meetings.blocks(min_value)], format="csr")
            missing = found.diagonal() == 0 if Y is None else np.zeros(0, dtype=bool)  # no tree counts for them
            return found + sp.diags_array(missing.astype(float)).tocsr() if missing.any() else found
        what = f"a dense proximity matrix of shape {meetings.shape}"
        memory.check(what, 8.0 * meetings.shape[0] * meetings.shape[1], "sparse=True takes less")
        dense = np.empty(meetings.shape)
        for here, block in meetings.blocks(min_value):
            block.toarray(out=dense[here])
        if Y is None:
            np.fill_diagonal(dense, 1.0)
        return dense

    def _training_arrivals(self, kind: Rows) -> Arrivals:
        return Arrivals(self._training_leaves(), self._membership(kind))

    def _arrivals(self, X: Any) -> Arrivals:
        return Arrivals(self._leaves(X), np.empty(0, np.uint64))

    def _meetings(self, given: Arrivals, others: Arrivals) -> Meetings | Ancestry:
        return Meetings(given, others, self.trees_["leaf_start"], n_threads(self.n_jobs))

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True, *, rows: Rows = "all"
    ) -> Any:
        """Find the training rows that share the most leaves with each row.

        The work is the number of pairs in leaves, the sum of the squares of their sizes. It stays near linear in n
        while leaves stay small, as those of regression do; pure leaves of a classifier grow with n.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            Rows whose neighbours are sought; the training rows if left out, none of which is its own neighbour then.
        n_neighbors : int, optional
            The forest's ``n_neighbors`` if it has any, or 5.
        return_distance : bool, default=True
            Whether to return the distances too.
        rows : {"all", "in_bag", "oob"}, default="all"
            As in ``proximity``. For rows X, which are in no bag, the trees that drew the training row, or did not.

        Returns
        -------
        distances : array of shape (n, n_neighbors)
            1 - proximity, ascending. Left out unless ``return_distance``.
        indices : array of shape (n, n_neighbors)
            Numbers of training rows; equally near ones ascend.
        """
        check_is_fitted(self)
        training = self._training_arrivals(rows)
        given = training if X is None else self._arrivals(X)
        own = np.arange(given.n_rows) if X is None else np.full(given.n_rows, -1)
        k = self._n_neighbors(n_neighbors, 5, training.n_rows - (1 if X is None else 0))
        meetings = self._meetings(given, training)
        meetings.warn_of_pairs()
        proximity, indices = meetings.nearest(k, own)
        return (1.0 - proximity, indices) if return_distance else indices

    def _n_neighbors(self, wanted: Any, usual: int, most: int) -> int:
        if wanted is None:
            return min(usual, most)
        if not isinstance(wanted, Integral) or isinstance(wanted, bool) or not 1 <= int(wanted) <= most:
            raise ValueError(f"n_neighbors={wanted!r} must be an integer from 1 to {most}, the number of others")
        return int(wanted)

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: Mode = "connectivity", *, rows: Rows = "all"
    ) -> Any:
        """Return the neighbours as a sparse graph, as scikit-learn's neighbours do.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            As in ``kneighbors``.
        n_neighbors : int, optional
            As in ``kneighbors``.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether edges have ones or distances.
        rows : {"all", "in_bag", "oob"}, default="all"
            As in ``proximity``.

        Returns
        -------
        CSR matrix of shape (n, n_train)
        """
        if mode not in ("connectivity", "distance"):
            raise ValueError(f'mode={mode!r} is unknown; it must be "connectivity" or "distance"')
        distances, indices = self.kneighbors(X, n_neighbors, rows=rows)
        return self._graph(np.ones_like(distances) if mode == "connectivity" else distances, indices)

    def _graph(self, values: NDArray[np.float64], indices: NDArray[np.int64]) -> Any:
        start = np.arange(len(values) + 1) * values.shape[1]
        return sp.csr_matrix((values.ravel(), indices.ravel(), start), shape=(len(values), self._n_features_out))

    def transform(self, X: Any, n_neighbors: int | None = None) -> Any:
        """Return the graph of distances to the nearest training rows, as KNeighborsTransformer does.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        n_neighbors : int, optional
            Neighbours beside the row itself; the forest's ``n_neighbors`` if it has any, or 15, or all that there are.

        Returns
        -------
        CSR matrix of shape (n, n_train)
            One entry more than neighbours: a training row comes first in its own row, and rows that are new have
            one neighbour more. Distances ascend along each row; all are stored, also zeros.
        """
        check_is_fitted(self)
        training, given = self._training_arrivals("all"), self._arrivals(X)
        most = training.n_rows - 1
        k = self._n_neighbors(n_neighbors, 15, most)
        own = self._numbers_of(X)
        values, indices = np.empty((given.n_rows, k + 1)), np.empty((given.n_rows, k + 1), dtype=np.int64)
        for known in (False, True):
            if not (here := np.flatnonzero((own >= 0) == known)).size:
                continue
            some = Arrivals(np.ascontiguousarray(given.leaves[:, here]), given.bits)
            meetings = self._meetings(some, training)
            meetings.warn_of_pairs()
            values[here, 0], indices[here, 0] = 1.0, own[here]
            if k + 1 > known:
                values[here, known:], indices[here, known:] = meetings.nearest(k + 1 - known, own[here])
        return self._graph(1.0 - values, indices)

    def _numbers_of(self, X: Any) -> NDArray[np.int64]:
        """The number of each row among the training rows, or -1 for a new one; by its place where rows repeat."""
        known: NDArray[np.uint64] = self._of_training_rows("hashes", hashes)
        sought = hashes(predict_rows(self, X))
        order = np.argsort(known, kind="stable")
        at = order[np.minimum(np.searchsorted(known[order], sought), len(known) - 1)]
        numbers = np.where(known[at] == sought, at, -1)
        if len(sought) == len(known):
            numbers = np.where(known == sought, np.arange(len(known)), numbers)
        return numbers

    def fit_transform(self, X: Any, y: Any = None, n_neighbors: int | None = None, **fit_params: Any) -> Any:
        """Fit the forest, and return ``transform`` of its training rows."""
        fitted = self.fit(X, **fit_params) if y is None else self.fit(X, y, **fit_params)
        return fitted.transform(X, n_neighbors)

    def outlier_score(self, X: Any = None) -> NDArray[np.float64]:
        """Return how far each row lies from the rows of its class, as Breiman measures it.

        A row's raw score is the number of training rows of its class over the sum of their squared proximities to it.
        Of this the median of its class is taken away, and the rest divided by the class's median absolute deviation
        from it, or left as it is where that is zero. In regression all rows are of one class.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            Rows to score, by their predicted classes; the training rows by their own, if left out.

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        training = self._training_arrivals("all")
        of_training = self._outlier_classes(None, training.n_rows)
        known = self._raw_outlier_scores(self._meetings(training, training), of_training, of_training)
        if X is None:
            classes, raw = of_training, known
        else:
            given = self._arrivals(X)
            classes = self._outlier_classes(X, given.n_rows)
            raw = self._raw_outlier_scores(self._meetings(given, training), classes, of_training)
        scores = np.empty(len(raw))
        for label in np.unique(classes):
            own = known[of_training == label]
            middle = np.median(own) if len(own) else 0.0
            spread = np.median(np.abs(own - middle)) if len(own) else 0.0
            here = classes == label
            scores[here] = (raw[here] - middle) / (spread or 1.0)
        return scores

    def _outlier_classes(self, X: Any, n_rows: int) -> NDArray[Any]:
        """Numbers of the classes that rows are compared within: the training rows', or those predicted."""
        return np.zeros(n_rows, dtype=np.int64)

    def _raw_outlier_scores(
        self, meetings: Meetings | Ancestry, classes: NDArray[Any], of_training: NDArray[Any]
    ) -> NDArray[np.float64]:
        """The number of training rows of a row's class over the sum of their squared proximities to it."""
        meetings.warn_of_pairs()
        sums = np.empty(len(classes))
        for here, block in meetings.blocks():
            entries = block.tocoo()
            same = classes[here][entries.row] == of_training[entries.col]
            if classes is of_training:
                same &= here.start + entries.row != entries.col
            squares = np.where(same, entries.data**2, 0.0)
            sums[here] = np.bincount(entries.row, squares, minlength=block.shape[0])
        sizes = np.bincount(of_training, minlength=int(classes.max()) + 1)[classes]
        return np.asarray(sizes / np.maximum(sums, 1.0 / self._n_trees**2))
