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

    Parameters are those of :class:`ForestClassifier`, but for ``class_weight``, and with scikit-learn's
    defaults for regression: ``criterion="squared_error"`` and ``max_features=1.0`` (as many candidates as
    features). ``honest_prior="uniform"`` has no meaning here and is refused.

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
        self.oob_score_ = float(metric(truth[seen], self.oob_prediction_[seen]))
