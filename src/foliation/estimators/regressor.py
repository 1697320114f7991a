"""Regression forests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin

from foliation.analysis.intervals import calibration_values, conformal_score
from foliation.analysis.leaf_weights import quantiles as leaf_quantiles
from foliation.analysis.leaf_weights import standard_deviations
from foliation.data.arrays import Data, Floats, Outputs
from foliation.estimators.forest import Forest
from foliation.estimators.parameters import REGRESSOR
from foliation.model.settings import REGRESSION, MaxFeatures, MaxSamples
from foliation.printable import quoted
from foliation.projections.family import Given
from foliation.validation import check_flag, is_number


class ForestRegressor(RegressorMixin, Forest):  # type: ignore[misc]
    """A forest of regression trees on projections of the features.

    The same trees, projections and promises as ``ForestClassifier``; leaves hold means.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"squared_error"}, default="squared_error"
        Impurity that a cut decreases: the variance, averaged over the outputs.
    projections : projections, str or None, default=None
        What nodes draw from: a family such as ``Patches()``, or a name. ``"axis"``, ``"sparse"`` and ``"patches"`` are
        the families with their defaults. ``"image"``, ``"series"`` and ``"channels"`` are boxes of the grid and of
        views of it, whose sizes follow from its shape; the first and the last need X of at least three dimensions.
        None is ``Sparse()`` for X of two dimensions and ``Patches()`` for more.
    splitter : {"auto", "exact", "histogram", "random"}, default="auto"
        How a threshold is found. ``"exact"`` tries all of them, ``"histogram"`` up to 255 of them in nodes of more than
        256 rows, ``"random"`` one at random, as extra-trees do; ``"auto"`` tries all up to 4096 rows and 255 beyond.
    max_features : int, float, {"sqrt", "log2"} or None, default=1.0
        Candidate projections for each node: a number, a fraction of p that may pass 1, a function of p, or p.
        Here p is the number of features, and of the cells of all views if there are views.
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
    min_balance : float, default=0.0
        Least share of a node's weight on each side of its split.
    bootstrap : bool or "auto", default="auto"
        Whether each tree draws its rows with replacement. ``"auto"`` does, except with ``projections="image"``
        and ``"channels"`` if nothing asks for rows out of the bag.
    max_samples : int, float, callable or None, default=None
        Rows each tree draws; a float is a fraction of n, or of the sum of the weights; a callable gives the
        number for n, such as ``subsample_exponent(0.8)``. Without ``bootstrap`` they are drawn without replacement.
    oob_score : bool or callable, default=False
        Whether to estimate R² on rows that trees did not draw; a callable is a metric of (y, prediction). Rows
        count by ``sample_weight``, which a metric gets if it takes a ``sample_weight``; rows of weight zero do not
        count.
    honest : bool or float, default=False
        Whether the rows that grow a tree and those that fill its leaves are disjoint; a float is the share of
        a tree's distinct rows that grow it, True is one half. Rows outside its sample stay out of the bag.
    honest_fill : {"sample", "oob"}, default="sample"
        Which rows fill the leaves of an honest tree: those of its sample that do not grow it, or, with all of the
        sample growing it, those out of the bag, so that none are left for ``oob_score``.
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
    n_features_in_ : int
        Number of features of a row: of columns, or of cells of its grid.
    feature_names_in_ : array of str
        Names of the columns of a data frame; only if all of them are strings.
    n_outputs_ : int
        Number of targets of a row.
    grid_shape_ : tuple of int
        Shape of the grid that importances are given in, but for an axis of views. Rows to predict may have it or be
        flat.
    projections_ : projections
        What the nodes drew from.
    model_ : foliation.model.model.Model
        The fitted forest as a value: trees, projections, grid, targets, sampling and seed.
    oob_score_ : float
        R² out of the bag, or what the metric says. This and the next are there only with ``oob_score``.
    oob_prediction_ : array of shape (n,) or (n, outputs)
        Predictions of the training rows out of the bag; NaN for rows that every tree drew.
    """

    _parameter_constraints = REGRESSOR
    _composition = REGRESSION

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        projections: Given = None,
        splitter: str = "auto",
        max_features: MaxFeatures = 1.0,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        min_balance: float = 0.0,
        bootstrap: bool | str = "auto",
        max_samples: MaxSamples = None,
        oob_score: bool | Callable[..., float] = False,
        honest: bool | float = False,
        honest_fill: str = "sample",
        honest_prior: str = "ancestor",
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Data = None,
        verbose: int = 0,
    ) -> None:
        self._store(locals())

    @property
    def oob_prediction_(self) -> Floats:
        """Predictions of the training rows out of the bag; NaN for rows that every tree drew."""
        return np.asarray(self._oob_outputs())

    def predict(self, X: Data, quantiles: ArrayLike | None = None, *, return_std: bool = False) -> Outputs:
        """Return the mean of the trees' predictions, or more of the distribution that the leaves show.

        Quantiles and standard deviations are those of the training targets with the weights of ``leaf_weights``:
        they describe new targets, not the error of the mean, which ``standard_error`` gives.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        quantiles : list of float, optional
            Levels between 0 and 1. A quantile is the smallest target that at least this weight does not pass.
        return_std : bool, default=False
            Whether to return the standard deviation of the targets too.

        Returns
        -------
        array of shape (n,) or (n, outputs)
            Or, with ``quantiles``, of shape (n, q) or (n, q, outputs).
        std : array of shape (n,) or (n, outputs)
            Only with ``return_std``.
        """
        check_flag("return_std", return_std)
        if quantiles is not None and return_std:
            raise ValueError("quantiles and return_std=True ask for different things; call predict for each")
        if quantiles is not None:
            levels = _checked_levels(quantiles)
            return self._outputs(leaf_quantiles(self._fitted(), self._rows(X), levels, self._machine()))
        mean = self._outputs(self._mean_values(X))
        if not return_std:
            return mean
        return mean, self._outputs(standard_deviations(self.model_, self._rows(X), self._machine()))

    def predict_interval(self, X: Data, level: float = 0.9, method: str = "oob") -> Floats:
        """Return intervals that hold new targets as often as asked.

        The residuals of the training rows, predicted by the trees that did not draw them, say how far from the
        prediction the limits lie: conformal prediction from rows out of the bag. With few trees these are predicted
        worse than new rows, and intervals are wider than they need be.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        level : float, default=0.9
            Share of new rows whose targets lie within; over rows like the training rows (of new groups, if there are
            any), not for each row by itself, and for each of several outputs by itself.
        method : {"oob"}, default="oob"

        Returns
        -------
        array of shape (n, 2) or (n, 2, outputs)
            Lower and upper limits; infinite if there are too few training rows for the level.
        """
        mean, model = self._mean_values(X), self._fitted()
        residuals = np.abs(model.targets.y - calibration_values(model, self._machine()))
        reach = np.array([conformal_score(model, column, level, method) for column in residuals.T])
        return np.asarray(self._outputs(np.stack([mean - reach, mean + reach], axis=1)))

    def predict_trees(self, X: Data) -> Floats:
        """Return what each tree predicts for each row, (n, trees) or (n, trees, outputs).

        With ``honest_prior="ignore"``, trees without a prediction for a row are shown with the mean of all training
        rows.
        """
        return np.asarray(self._outputs(self._tree_values(X)))


def _checked_levels(quantiles: ArrayLike) -> Floats:
    levels = np.array(quantiles, dtype=object)  # takes lists of lists of any lengths
    real = all(is_number(level, 0, 1) for level in levels.ravel())
    if levels.ndim != 1 or not real:
        raise ValueError(f"quantiles={quoted(quantiles)} must be a list of numbers between 0 and 1")
    return levels.astype(np.float64)
