"""How sure a supervised forest is: standard errors of its estimates, and sets that hold the truth as often as asked."""

from __future__ import annotations

import math
import warnings
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.weights import WeighingForest

_BLOCK = 4_000_000  # numbers in a block of covariances
_FEW = 0.05  # a share that may be lost without a word


class UncertainForest(WeighingForest):
    """A supervised forest that says how sure it is."""

    def _outputs(self, columns: NDArray[np.float64]) -> Any:
        """Columns as users get them: one block, or one for each output."""
        raise NotImplementedError

    def standard_error(self, X: Any) -> Any:
        """Return the standard error of each estimate, by the infinitesimal jackknife.

        It says how much a mean, or a probability, would change with other training rows. It needs many trees, a few
        times as many as a tree draws rows, for the noise that it takes away to be small.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array, or a list of arrays
            In the shape of ``predict`` for a regressor and of ``predict_proba`` for a classifier.
        """
        return self._outputs(self._standard_error(X))

    def _standard_error(self, X: Any) -> NDArray[np.float64]:
        """Standard errors of the mean leaf values, (n, columns).

        The variance is the sum over rows, or groups, of the squared covariance between how often trees drew it and what
        they say, less what so few trees make of it by chance. Drawn without replacement, rows count as if the sample
        were small: Wager, Hastie and Efron (2014), Wager and Athey (2018).
        """
        check_is_fitted(self)
        if self.sampling_["fill_out_of_bag"]:
            raise ValueError('standard errors are not known for honest_fill="oob": use honest_fill="sample"')
        counts = self._draw_counts()
        n_trees, n_units = counts.shape
        if n_trees < 2:
            raise ValueError("standard errors need at least two trees")
        share = counts.sum(axis=1).mean() / n_units
        if not self.sampling_["bootstrap"] and share >= 1:
            raise ValueError(
                "standard errors need trees that draw different rows: bootstrap=True, or max_samples below n"
            )
        scale = 1.0 if self.sampling_["bootstrap"] else (n_units - 1) / n_units / (1.0 - share) ** 2
        centred = (counts - counts.mean(axis=0)).astype(np.float32)
        noise = centred.var(axis=0, dtype=np.float64).sum() / n_trees
        deviations = self._deviations(X)
        by_tree = np.moveaxis(deviations, 1, 0).reshape(n_trees, -1)
        raw = np.zeros(by_tree.shape[1])
        step = max(1, _BLOCK // max(1, by_tree.shape[1]))
        for first in range(0, n_units, step):
            raw += ((centred[:, first : first + step].T @ by_tree / n_trees) ** 2).sum(axis=0)
        variance = scale * (raw - noise * (by_tree**2).mean(axis=0))
        if (lost := float((variance < 0).mean())) > _FEW:
            warnings.warn(
                f"{lost:.0%} of the standard errors come out as 0: {n_trees} trees leave more noise than there is to "
                "see; grow some times as many as each tree draws rows",
                stacklevel=3,
            )
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)).reshape(len(deviations), -1))

    def _deviations(self, X: Any) -> NDArray[np.float64]:
        """What each tree adds to the deviation from the mean of those that speak, (n, trees, columns)."""
        values = self._tree_values(X)
        if self.leaf_prior_ != "ignore":
            return np.asarray(values - values.mean(axis=1, keepdims=True))
        leaves = self.apply(X)[:, :, None] + self.trees_["leaf_start"][:-1, None]
        speaks = self.trees_["leaf_weight"][leaves] > 0
        share = speaks.mean(axis=1, keepdims=True)
        return np.asarray(speaks * (values - self._mean_values(X)[:, None, :]) / np.where(share > 0, share, 1.0))

    def _weighted(self) -> NDArray[np.bool_]:
        """Which training rows have a weight."""
        weights = self.sampling_["weights"]
        return np.asarray(weights > 0 if len(weights) else np.ones(self.sampling_["n_rows"], dtype=bool))

    def _draw_counts(self) -> NDArray[np.int32]:
        """How often each tree drew each row, or each group, that might be drawn: (trees, units)."""
        sampling, groups = self._core_sampling(), self.sampling_["groups"]
        weighted = np.flatnonzero(self._weighted())
        if len(groups):  # all rows of a group are drawn together
            weighted = weighted[np.unique(groups[weighted], return_index=True)[1]]
        n_rows = self.sampling_["n_rows"]
        drawn = (np.bincount(sampling.rows(tree), minlength=n_rows)[weighted] for tree in range(self._n_trees))
        return np.stack([counts.astype(np.int32) for counts in drawn])

    def _calibration(self) -> NDArray[np.float64]:
        """Predictions of the training rows out of the bag, (n, columns); NaN for rows that every tree drew."""
        mean = self._oob_mean()
        if self.leaf_prior_ != "ignore" or not np.isnan(mean).any():
            return mean
        in_some = np.any(self._membership("oob").reshape(len(mean), -1), axis=1, keepdims=True)
        silent = np.isnan(mean[:, :1]) & in_some
        return np.where(silent, self.prior_, mean)

    def _conformal_score(self, scores: NDArray[np.float64], level: Any, method: str) -> float:
        """The score that a share `level` of new rows stays below, by those of rows out of the bag.

        Groups count alike, and so do the rows of each. Where rows were drawn by weight, those that every tree drew
        are not like the others: they count as missed.
        """
        if not isinstance(level, Real) or isinstance(level, bool) or not 0 < float(level) < 1:
            raise ValueError(f"level={level!r} must be a number between 0 and 1, such as 0.9")
        if method != "oob":
            raise ValueError(f'method={method!r} is unknown; it must be "oob"')
        if not (known := np.isfinite(scores)).any():
            raise ValueError("intervals need rows out of the bag: fit with bootstrap=True, or max_samples below n")
        by_weight = bool(len(self.sampling_["weights"]))
        counted = self._weighted() & (known | by_weight)
        if not known[counted].all():
            warnings.warn(
                f"{int((~known[counted]).sum())} of {int(counted.sum())} training rows were drawn by every tree and "
                "count as missed: intervals are wider than they need be; more trees help",
                stacklevel=3,
            )
        values = np.where(known, scores, np.inf)[counted]
        groups = self.sampling_["groups"][counted] if len(self.sampling_["groups"]) else np.arange(len(values))
        _, unit, sizes = np.unique(groups, return_inverse=True, return_counts=True)
        rank = math.ceil((len(sizes) + 1) * float(level))
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(1.0 / sizes[unit[order]]) >= rank - 1e-9
        return float(values[order[int(np.argmax(reached))]]) if reached.any() else math.inf
