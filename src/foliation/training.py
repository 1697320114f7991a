"""What a fitted forest knows of the rows it was trained on: the leaf of each in each tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foliation import _core, rows
from foliation._sklearn import check_is_fitted
from foliation.fitted import FittedForest
from foliation.meetings import Bits

Rows = Literal["all", "in_bag", "oob"]

_LOST = (
    "this needs the training rows, which pickles and copies of large forests leave out; forest.remember(X) with the "
    "training rows finds what is needed of them, and keeps it"
)
_LIGHT = 16e6  # bytes that a pickle may always take for the training rows
_LIGHT_SHARE = 0.25  # of the bytes of the trees, which it may take, too


class TrainedForest(FittedForest):
    """A fitted forest that can be asked about its training rows.

    While it lives it refers to the rows it was fitted on. A pickle has what is known of them, and what can be known
    unless that would be larger than the trees; then ``remember`` decides.
    """

    training_: dict[str, NDArray[Any]]  # what has been found out about the training rows; grows as it is needed
    fingerprint_: int  # of the training rows
    targets_: NDArray[Any]  # of the training rows: numbers of classes, or values; (n, outputs)
    n_outputs_: int
    _fit_rows: NDArray[Any] | None = None
    _derived: dict[str, Any] | None = None  # what follows from the rest, and is not pickled

    def __getstate__(self) -> dict[str, Any]:
        self._remember_if_light()
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ("_fit_rows", "_derived")}

    def _remember_if_light(self) -> None:
        if self._fit_rows is not None and self._is_light() and self._rows_are_unchanged():
            self.remember()

    def _train_on(self, X: NDArray[Any]) -> None:
        """Refer to the rows of a fit, of which nothing is known yet."""
        self._fit_rows, self._derived, self.training_ = X, {}, {}

    def _rows_are_unchanged(self) -> bool:
        return self._fit_rows is not None and rows.fingerprint(self._fit_rows) == self.fingerprint_

    def _is_light(self) -> bool:
        """Whether the leaves of the training rows are a small matter, by themselves or beside the trees."""
        size = 4 * self._n_trees * self.sampling_["n_rows"]
        return bool(size <= max(_LIGHT, _LIGHT_SHARE * sum(array.nbytes for array in self.trees_.values())))

    @property
    def _n_trees(self) -> int:
        return len(self.trees_["split_start"]) - 1

    def _leaves(self, X: Any) -> NDArray[np.int32]:
        """Leaves of rows, (trees, n)."""
        return self._leaves_of_numbers(rows.predict_rows(self, X))

    def _leaves_of_numbers(self, X: NDArray[Any]) -> NDArray[np.int32]:
        return _core.apply(*self._sent_down(X))

    def _derive(self, name: str, find: Callable[[], Any]) -> Any:
        """What `find` says, asked once."""
        if self._derived is None:
            self._derived = {}
        if name not in self._derived:
            self._derived[name] = find()
        return self._derived[name]

    def _of_training_rows(self, name: str, find: Callable[[NDArray[Any]], NDArray[Any]]) -> Any:
        """What `find` says of the training rows, asked once and kept."""
        check_is_fitted(self)
        if name not in self.training_:
            if self._fit_rows is None:
                raise ValueError(_LOST)
            if not self._rows_are_unchanged():
                raise ValueError(
                    "the training rows were changed in place since the fit; forest.remember(X) takes a copy"
                )
            self.training_[name] = find(self._fit_rows)
        return self.training_[name]

    def _training_leaves(self) -> NDArray[np.int32]:
        """Leaves of the training rows, (trees, n)."""
        leaves: NDArray[np.int32] = self._of_training_rows("leaves", self._leaves_of_numbers)
        return leaves

    def _oob_mean(self) -> NDArray[np.float64]:
        """Leaf values of the training rows, averaged over the trees that did not draw them; NaN if all did."""
        if self.sampling_["fill_out_of_bag"]:
            raise ValueError('honest_fill="oob" fills leaves with the rows out of the bag: none are left to predict')
        mean: NDArray[np.float64] = self._of_training_rows("oob", self._oob_mean_of)
        return mean

    def _oob_mean_of(self, X: NDArray[Any]) -> NDArray[np.float64]:
        return _core.predict_oob(*self._sent_down(X), self.n_columns_, self._core_sampling())

    def remember(self, X: Any = None) -> Any:
        """Find out all that is ever needed of the training rows, and keep it, also in pickles.

        Weights, quantiles, proximities and neighbours need the leaves of the training rows, 4 bytes for each row and
        tree; intervals need their predictions out of the bag. A forest finds them by itself once they are needed, or
        when it is pickled, unless they would take more than 16 MB and than a quarter of its trees.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            The training rows; not needed unless the forest comes from a pickle or is a copy.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        if X is not None:
            X = rows.predict_rows(self, X)
            if len(X) != (n := self.sampling_["n_rows"]):
                raise ValueError(f"X has {len(X)} rows; this forest was fitted on {n}")
            if rows.fingerprint(X) != self.fingerprint_:
                raise ValueError("X are not the rows that this forest was fitted on, or not in the same order")
            self._fit_rows = X
        self._training_leaves()
        self._of_training_rows("hashes", rows.hashes)
        if self.n_columns_ and not self.sampling_["fill_out_of_bag"]:
            self._oob_mean()
        return self

    def _plan(self, tree: int) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]]:
        """Rows that grow a tree and their weights, and those that fill it, or none if they are the same."""
        classes = self.targets_.ravel() if self.sampling_["balanced_subsample"] else np.empty(0, np.int32)
        return self._core_sampling().plan(tree, classes, self.n_outputs_, self.n_columns_)

    def _filling_rows(self, tree: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Rows whose targets fill the leaves of a tree, and their weights."""
        grow, grow_weights, fill, fill_weights = self._plan(tree)
        return (fill, fill_weights) if len(fill) else (grow, grow_weights)

    def _membership(self, kind: Rows) -> Bits:
        if kind not in ("all", "in_bag", "oob"):
            raise ValueError(f'rows={kind!r} is unknown; it must be "all", "in_bag" or "oob"')
        if kind == "all":
            return np.empty(0, np.uint64)
        bits = self._core_sampling().membership(self._n_trees, kind == "oob", rows.n_threads(self.n_jobs))
        if not bits.any():
            raise ValueError("no row is out of the bag: fit with bootstrap=True, or max_samples below n")
        return bits
