"""How sure a supervised forest is: standard errors of its estimates, and sets that hold the truth as often as asked."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import check_is_fitted
from foliation.weights import WeighingForest

_BLOCK = 4_000_000  # numbers in a block of covariances


class UncertainForest(WeighingForest):
    """A supervised forest that says how sure it is."""

    def _standard_error(self, X: Any) -> NDArray[np.float64]:
        """Standard errors of the mean leaf values, (n, columns), by the infinitesimal jackknife.

        The variance is the sum over rows, or groups, of the squared covariance between how often trees drew it and what
        they say, less what so few trees make of it by chance. Drawn without replacement, rows count as if the sample
        were small: Wager, Hastie and Efron (2014), Wager and Athey (2018).
        """
        check_is_fitted(self)
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
        values = self._tree_values(X)
        deviations = values - values.mean(axis=1, keepdims=True)
        by_tree = np.moveaxis(deviations, 1, 0).reshape(n_trees, -1)
        raw = np.zeros(by_tree.shape[1])
        step = max(1, _BLOCK // max(1, by_tree.shape[1]))
        for first in range(0, n_units, step):
            raw += ((centred[:, first : first + step].T @ by_tree / n_trees) ** 2).sum(axis=0)
        variance = scale * (raw - noise * (by_tree**2).mean(axis=0))
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)).reshape(len(values), -1))

    def _draw_counts(self) -> NDArray[np.float64]:
        """How often each tree drew each row, or each group: (trees, units)."""
        sampling, groups = self._core_sampling(), self.sampling_["groups"]
        n_rows = self.sampling_["n_rows"]
        counts = np.stack([np.bincount(sampling.rows(tree), minlength=n_rows) for tree in range(self._n_trees)])
        if len(groups):
            counts = counts[:, np.unique(groups, return_index=True)[1]]  # all rows of a group are drawn together
        return counts.astype(np.float64)

    def _conformal_score(self, scores: NDArray[np.float64], level: Any, method: str) -> float:
        """The score that a share `level` of new rows stays below, by those of rows out of the bag."""
        if not isinstance(level, Real) or isinstance(level, bool) or not 0 < float(level) < 1:
            raise ValueError(f"level={level!r} must be a number between 0 and 1, such as 0.9")
        if method != "oob":
            raise ValueError(f'method={method!r} is unknown; it must be "oob"')
        known = np.sort(scores[np.isfinite(scores)])
        rank = math.ceil((len(known) + 1) * float(level))
        return float(known[rank - 1]) if rank <= len(known) else math.inf
