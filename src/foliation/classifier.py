"""Classification forests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation._sklearn import Classifier, StrOptions
from foliation.presets import bootstraps
from foliation.targets import Targets, class_targets, class_weights
from foliation.uncertainty import UncertainForest


class ForestClassifier(Classifier, UncertainForest):
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
        Whether to estimate accuracy on rows that trees did not draw; a callable is a metric of (y, prediction).
    class_weight : dict, list of dicts, "balanced", "balanced_subsample" or None, default=None
        Weights of the classes, as in scikit-learn.
    honest : bool or float, default=False
        Whether the rows that grow a tree and those that fill its leaves are disjoint; a float is the share of
        a tree's distinct rows that grow it, True is one half. Rows outside its sample stay out of the bag.
    honest_fill : {"sample", "oob"}, default="sample"
        Which rows fill the leaves of an honest tree: those of its sample that do not grow it, or, with all of the
        sample growing it, those out of the bag, so that none are left for ``oob_score``.
    honest_prior : {"ancestor", "uniform", "empirical", "ignore"}, default="ancestor"
        What a leaf says that no row fills: what its nearest filled ancestor says; equal shares for all
        classes; the shares among all rows that fill the tree; nothing, so that other trees decide.
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
    view_exponents_ : array of int
        Exponents of the powers of two that the views were multiplied by; empty if the projections have no views.
    projections_ : projections
        What the nodes drew from.
    trees_ : dict of arrays
        All trees one after the other; ``tree`` gives one of them.
    seed_ : int
        What all draws follow from.
    oob_score_ : float
        Accuracy out of the bag, or what the metric says; with several outputs, all of a row's must be right. This and
        the next are there only with ``oob_score``.
    oob_decision_function_ : array of shape (n, classes), or a list of them
        Probabilities of the training rows out of the bag; NaN for rows that every tree drew.
    """

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        **UncertainForest._parameter_constraints,
        "criterion": [StrOptions({"gini", "entropy"})],
        "class_weight": [StrOptions({"balanced", "balanced_subsample"}), dict, list, None],
    }

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        projections: Any = None,
        splitter: str = "auto",
        max_features: Any = "sqrt",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        min_balance: float = 0.0,
        bootstrap: bool | str = "auto",
        max_samples: float | Callable[[int], int] | None = None,
        oob_score: bool | Callable[..., float] = False,
        class_weight: Any = None,
        honest: bool | float = False,
        honest_fill: str = "sample",
        honest_prior: str = "ancestor",
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self._store(locals())

    _learns = "classes"

    def _targets(self, y: Any) -> Targets:
        return class_targets(y)

    def _class_weights(
        self, y: Any, targets: Targets, weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        if self.class_weight == "balanced_subsample" and bootstraps(self):
            return None  # the core balances each tree's own rows
        return class_weights(self.class_weight, y, targets, weights)

    def _set_targets(self, targets: Targets) -> None:
        single = targets.n_outputs == 1 and targets.one_dimensional
        sizes = [len(labels) for labels in targets.classes]
        self.classes_: Any = targets.classes[0] if single else targets.classes
        self.n_classes_: Any = sizes[0] if single else sizes

    def _per_output(self, columns: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Split columns into one block of classes for each output."""
        if self.one_dimensional_:
            return [columns]
        return np.split(columns, np.cumsum(self.n_classes_)[:-1], axis=-1)

    def _outputs(self, columns: NDArray[np.float64]) -> Any:
        return columns if self.one_dimensional_ else self._per_output(columns)

    def _labels(self, columns: NDArray[np.float64]) -> NDArray[Any]:
        classes = [self.classes_] if self.one_dimensional_ else self.classes_
        blocks = self._per_output(columns)
        labels = [known[block.argmax(axis=-1)] for known, block in zip(classes, blocks, strict=True)]
        return labels[0] if self.one_dimensional_ else np.stack(labels, axis=-1)

    def predict_proba(self, X: Any) -> Any:
        """Return class probabilities: the shares of the classes in the leaves, averaged over the trees.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array of shape (n, classes), or a list of such arrays for several outputs
        """
        return self._outputs(self._mean_values(X))

    def predict_log_proba(self, X: Any) -> Any:
        """Return logarithms of ``predict_proba``."""
        proba = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(p) for p in proba] if isinstance(proba, list) else np.log(proba)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row, (n,) or (n, outputs)."""
        return self._labels(self._mean_values(X))

    def predict_trees(self, X: Any) -> NDArray[Any]:
        """Return the class that each tree predicts for each row, (n, trees) or (n, trees, outputs)."""
        return self._labels(self._tree_values(X))

    def predict_interval(self, X: Any, level: float = 0.9, method: str = "oob") -> Any:
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
        columns, known = self._mean_values(X), self._calibration()
        own = 1.0 - np.take_along_axis(known, self.targets_, axis=1)
        most = [self._conformal_score(scores, level, method) for scores in own.T]
        per_output = [1.0 - block <= score for block, score in zip(self._per_output(columns), most, strict=True)]
        return per_output[0] if self.one_dimensional_ else per_output

    def _outlier_classes(self, X: Any, n_rows: int) -> NDArray[Any]:
        if self.n_outputs_ > 1:
            return super()._outlier_classes(X, n_rows)
        return self.targets_[:, 0] if X is None else self._mean_values(X).argmax(axis=1)

    def _keep_oob(self, mean: NDArray[np.float64]) -> None:
        self.oob_decision_function_: Any = self._outputs(mean)

    def _set_oob(self, mean: NDArray[np.float64], seen: NDArray[np.bool_], y: NDArray[Any]) -> None:
        self._keep_oob(mean)
        truth = np.asarray(y).reshape(len(mean), self.n_outputs_)[seen]
        found = self._labels(mean[seen]).reshape(truth.shape)
        if callable(self.oob_score) and len(truth):
            shape = (-1,) if self.one_dimensional_ else truth.shape
            self.oob_score_ = float(self.oob_score(truth.reshape(shape), found.reshape(shape)))
        else:
            self.oob_score_ = float((truth == found).all(axis=1).mean()) if len(truth) else float("nan")
