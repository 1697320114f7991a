"""Regression forests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import Regressor, StrOptions
from foliation.forest import Forest
from foliation.targets import Targets, number_targets


class ForestRegressor(Regressor, Forest):
    """A forest of regression trees on projections of the features.

    The same trees, projections and promises as :class:`ForestClassifier`; leaves hold means.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"squared_error"}, default="squared_error"
        Impurity that a cut decreases: the variance, averaged over the outputs.
    projections : projections, str or None, default=None
        What nodes draw from: a family such as ``Patches()``, or ``"axis"``, ``"sparse"``, ``"patches"``,
        ``"image"`` (boxes of up to 5 cells a side), ``"series"`` (intervals of the last axis, random subsets of
        the others), ``"channels"`` (the same, for X of at least three dimensions); these three take a contrast
        for half of their atoms. None is ``Sparse()`` for X of two dimensions and ``Patches()`` for more.
    splitter : {"auto", "exact", "histogram", "random"}, default="auto"
        How a threshold is found: trying all of them, up to 255 of them in nodes of more than 256 rows, one
        at random (extra-trees); ``"auto"`` tries all up to 4096 rows and 255 beyond.
    max_features : int, float, {"sqrt", "log2"} or None, default=1.0
        Candidate projections for each node: a number, a fraction of p that may pass 1, a function of p, or p.
    max_depth : int or None, default=None
        Most splits between the root and a leaf.
    min_samples_split : int or float, default=2
        Fewest rows of a node that may split; a float is a fraction of n.
    min_samples_leaf : int or float, default=1
        Fewest rows on each side of a split; a float is a fraction of n.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the tree's weight on each side of a split.
    max_leaf_nodes : int or None, default=None
        Most leaves of a tree; the splits with the largest gain are made first.
    min_impurity_decrease : float, default=0.0
        Least decrease of impurity, weighted by the node's share of the tree.
    bootstrap : bool, default=True
        Whether each tree draws its rows with replacement.
    max_samples : int, float or None, default=None
        Rows each tree draws; a float is a fraction of n, or of the sum of the weights. Without ``bootstrap``
        they are drawn without replacement.
    oob_score : bool or callable, default=False
        Whether to estimate R^2 on rows that trees did not draw; a callable is a metric of (y, prediction).
    honest : bool or float, default=False
        Whether the rows that grow a tree and those that fill its leaves are disjoint; a float is the share of
        a tree's distinct rows that grow it, True is one half. Rows outside its sample stay out of the bag.
    honest_prior : {"ancestor", "empirical", "ignore"}, default="ancestor"
        What a leaf says that no row fills: what its nearest filled ancestor says; the mean of all rows that
        fill the tree; nothing, so that other trees decide.
    warm_start : bool, default=False
        Whether a second ``fit`` adds trees to those that are there.
    n_jobs : int or None, default=None
        Number of threads, as joblib reads it.
    random_state : int, RandomState or None, default=None
        Seed of all draws.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_outputs_
    grid_shape_ : tuple of int
        Shape of the grid that importances are given in.
    oob_score_ : float
        R^2 of the out-of-bag predictions.
    oob_prediction_ : array of shape (n,) or (n, outputs)
        NaN for rows that every tree drew.
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        **Forest._parameter_constraints,
        "criterion": [StrOptions({"squared_error"})],
        "honest_prior": [StrOptions({"ancestor", "empirical", "ignore"})],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        projections: Any = None,
        splitter: str = "auto",
        max_features: Any = 1.0,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        max_samples: float | None = None,
        oob_score: bool | Callable[..., float] = False,
        honest: bool | float = False,
        honest_prior: str = "ancestor",
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self._store(locals())

    def _targets(self, y: Any) -> Targets:
        return number_targets(y)

    def _outputs(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        return columns[..., 0] if self.one_dimensional_ else columns

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the trees' predictions.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array of shape (n,) or (n, outputs)
        """
        return self._outputs(self._mean_values(X))

    def predict_trees(self, X: Any) -> NDArray[np.float64]:
        """Return what each tree predicts for each row, (n, trees) or (n, trees, outputs)."""
        return self._outputs(self._tree_values(X))

    def _set_oob(self, mean: NDArray[np.float64], seen: NDArray[np.bool_], y: NDArray[Any]) -> None:
        self.oob_prediction_ = self._outputs(mean)
        from sklearn.metrics import r2_score  # kept off the import path

        metric = self.oob_score if callable(self.oob_score) else r2_score
        truth = np.asarray(y, dtype=np.float64).reshape(self.oob_prediction_.shape)
        self.oob_score_ = float(metric(truth[seen], self.oob_prediction_[seen])) if seen.any() else float("nan")
