"""Classification forests."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.base import ClassifierMixin

from foliation.analysis.intervals import calibration_values, conformal_score
from foliation.data.arrays import Array, Data, Outputs
from foliation.data.weights import ClassWeight
from foliation.estimators.forest import Forest
from foliation.estimators.parameters import CLASSIFIER
from foliation.model.settings import CLASSIFICATION, MaxFeatures, MaxSamples
from foliation.projections.family import Given


class ForestClassifier(ClassifierMixin, Forest):  # type: ignore[misc]
    """A forest of classification trees on projections of the features.

    With ``projections=Axis()`` it is a random forest, with ``Sparse()`` a SPORF, with ``Patches()`` a MORF.
    The same ``random_state`` gives the same bits on any number of threads.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion : {"gini", "entropy"}, default="gini"
        Impurity that a cut decreases.
    projections : projections, str or None, default=None
        What nodes draw from: a family such as ``Patches()``, or a name. ``"axis"``, ``"sparse"`` and ``"patches"`` are
        the families with their defaults. ``"image"``, ``"series"`` and ``"channels"`` are boxes of the grid and of
        views of it, whose sizes follow from its shape; the first and the last need X of at least three dimensions.
        None is ``Sparse()`` for X of two dimensions and ``Patches()`` for more.
    splitter : {"auto", "exact", "histogram", "random"}, default="auto"
        How a threshold is found. ``"exact"`` tries all of them, ``"histogram"`` up to 255 of them in nodes of more than
        256 rows, ``"random"`` one at random, as extra-trees do; ``"auto"`` tries all up to 4096 rows and 255 beyond.
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
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
        Whether to estimate accuracy on rows that trees did not draw; a callable is a metric of (y, prediction). Rows
        count by ``sample_weight``, which a metric gets if it takes a ``sample_weight``; rows of weight zero do not
        count, and class weights are ignored.
    class_weight : dict, list of dicts, "balanced", "balanced_subsample" or None, default=None
        Weights of the classes, as in scikit-learn.
    honest : bool or float, default=False
        Whether the structure samples of a tree, which grow it, and its estimation samples, which fill its leaves,
        are disjoint. A float is the share of its distinct rows that grow it; True is one half. Rows outside its
        sample stay out of the bag.
    honest_fill : {"sample", "oob"}, default="sample"
        Estimation samples of an honest tree: the rest of its sample, or the rows out of the bag. With the latter
        the whole sample grows the tree, and no rows are left for ``oob_score``.
    honest_prior : {"ancestor", "uniform", "empirical", "ignore"}, default="ancestor"
        Value of a leaf without estimation samples: that of its nearest ancestor with some; equal shares for all
        classes; the shares among all estimation samples of the tree; none, so that other trees decide.
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
    classes_ : array, or list of arrays for several outputs
        The classes in ascending order, which is the order of the columns of ``predict_proba``.
    n_classes_ : int, or list of int
        Number of classes.
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
        Accuracy out of the bag, or what the metric says; with several outputs, all of a row's must be right. This and
        the next are there only with ``oob_score``.
    oob_decision_function_ : array of shape (n, classes), or a list of them
        Probabilities of the training rows out of the bag; NaN for rows that every tree drew.
    """

    _parameter_constraints = CLASSIFIER
    _composition = CLASSIFICATION

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        projections: Given = None,
        splitter: str = "auto",
        max_features: MaxFeatures = "sqrt",
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
        class_weight: ClassWeight = None,
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
    def classes_(self) -> Array | list[Array]:
        """The classes in ascending order; a list of them for several outputs."""
        targets = self._fitted().targets
        return targets.classes[0] if targets.one_dimensional else targets.classes

    @property
    def n_classes_(self) -> int | list[int]:
        """Number of classes; a list for several outputs."""
        sizes = [len(labels) for labels in self._fitted().targets.classes]
        return sizes[0] if self.model_.targets.one_dimensional else sizes

    @property
    def oob_decision_function_(self) -> Outputs:
        """Probabilities of the training rows out of the bag; NaN for rows that every tree drew."""
        return self._oob_outputs()

    def predict_proba(self, X: Data) -> Outputs:
        """Return class probabilities: the shares of the classes in the leaves, averaged over the trees.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array of shape (n, classes), or a list of such arrays for several outputs
        """
        return self._outputs(self._mean_values(X))

    def predict_log_proba(self, X: Data) -> Outputs:
        """Return logarithms of ``predict_proba``."""
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(p) for p in proba] if isinstance(proba, list) else np.log(proba)

    def predict(self, X: Data) -> Array:
        """Return the most probable class of each row, (n,) or (n, outputs)."""
        return self._fitted().targets.labels(self._mean_values(X))

    def predict_trees(self, X: Data) -> Array:
        """Return the class that each tree predicts for each row, (n, trees) or (n, trees, outputs)."""
        return self._fitted().targets.labels(self._tree_values(X))

    def predict_interval(self, X: Data, level: float = 0.9, method: str = "oob") -> Outputs:
        """Return sets of classes that hold the true one as often as asked.

        A class is in the set if its probability is not smaller than the smallest that a share `level` of the training
        rows have for their own class, predicted by the trees that did not draw them: conformal prediction from rows
        out of the bag. With few trees these are predicted worse than new rows, and sets are larger than they need be.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        level : float, default=0.9
            Share of new rows whose class is in their set; over rows like the training rows (of new groups, if there
            are any), not for each row by itself, and for each of several outputs by itself.
        method : {"oob"}, default="oob"

        Returns
        -------
        boolean array of shape (n, classes), or a list of such arrays for several outputs
            Sets may be empty: no class is probable enough.
        """
        columns, model = self._mean_values(X), self._fitted()
        known, targets = calibration_values(model, self._machine()), model.targets
        own = 1.0 - np.take_along_axis(known, targets.y, axis=1)
        most = [conformal_score(model, scores, level, method) for scores in own.T]
        per_output = [1.0 - block <= score for block, score in zip(targets.per_output(columns), most, strict=True)]
        return per_output[0] if targets.one_dimensional else per_output
