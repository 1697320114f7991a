"""What all forests share: parameters, fitting, and what any fitted forest can be asked."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, MultiOutputMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from foliation.analysis import importance as importances
from foliation.analysis import neighbors, outliers
from foliation.analysis.comparison import Comparison
from foliation.analysis.proximity import proximity, rows_to_compare
from foliation.data.arrays import Array, Data, Floats, Longs, Matrix, Outputs
from foliation.data.grid import Shape
from foliation.data.rows import Rows, is_plain, native, read_rows, scale_of, split_shape
from foliation.estimators.growing import grow_with_callbacks, grow_with_progress
from foliation.estimators.parameters import Constraints
from foliation.estimators.sklearn import CALLBACKS, with_callbacks
from foliation.io.model_file import save
from foliation.model.grow import add_trees, grow
from foliation.model.model import Model
from foliation.model.plan import FitPlan, prepare
from foliation.model.predict import leaf_ids
from foliation.model.settings import Composition, Settings
from foliation.model.training import RowSet, remember, stored
from foliation.model.tree import Tree, tree_of
from foliation.model.trees import Trees
from foliation.parameters import param_names
from foliation.projections import Projections
from foliation.report import write_report

Self = TypeVar("Self", bound="Forest")


class Forest(*CALLBACKS, MultiOutputMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The parts of every forest; see its subclasses for the parameters."""

    _parameter_constraints: ClassVar[Constraints]
    _composition: ClassVar[Composition]

    n_estimators: int
    warm_start: bool
    n_jobs: int | None
    verbose: int
    model_: Model

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return param_names(cls)  # type: ignore[arg-type]

    def _store(self, arguments: dict[str, Any]) -> None:
        """Keep the arguments of ``__init__`` as they are, under their names."""
        for name, value in arguments.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return state | {"model_": stored(self.model_, self.n_jobs)} if "model_" in state else state

    # ---- fitting ----

    @with_callbacks
    def fit(
        self: Self, X: Data, y: Data, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), or a data frame
            Training rows. Number types are kept, nothing is copied that need not be.
        y : array of shape (n,) or (n, outputs)
            Targets.
        sample_weight : array of shape (n,), optional
            With ``bootstrap``, rows are drawn in proportion to their weights; without, they carry them.
        groups : array of shape (n,), optional
            The subject, or whatever else, that each row belongs to. Trees then draw groups instead of rows, all
            equally likely, with all of their rows: a group is drawn or out of the bag, and its rows are structure
            samples or estimation samples of a tree, never both. ``max_samples`` counts groups.

        Returns
        -------
        self
        """
        self._validate_params()
        prior = self.model_ if self.warm_start and self.__sklearn_is_fitted__() else None
        rows, targets = read_rows(X, y, type(self).__name__)
        plan = prepare(self._settings(prior), rows, targets, sample_weight, groups)
        model = add_trees(plan, rows, self.n_estimators, prior, self._grow)
        self.model_ = self._finished(model, plan, targets)
        return self

    def _settings(self, prior: Model | None = None) -> Settings:
        parameters = vars(self) | {"continued_seed": None if prior is None else prior.seed}
        return Settings.of(self._composition, type(self).__name__, parameters)

    def _grow(self, plan: FitPlan, rows: Rows, trees: range) -> Trees:
        if getattr(self, "_skl_callbacks", None):
            return grow_with_callbacks(self, plan, rows, trees)
        return grow_with_progress(plan, rows, trees) if self.verbose else grow(plan, rows, trees)

    def _finished(self, model: Model, plan: FitPlan, y: Data) -> Model:
        """Return the model with what else a fit finds out, before the estimator takes it."""
        return model

    # ---- what was fitted ----

    def _fitted(self) -> Model:
        check_is_fitted(self)
        return self.model_

    @property
    def n_features_in_(self) -> int:
        """Number of features of a row: of columns, or of cells of its grid."""
        return self._fitted().grid.n_features

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the columns of a data frame; only if all of them are strings."""
        names = self._fitted().feature_names
        if names is None:
            raise AttributeError("this forest was fitted on rows without feature names")
        return names

    @property
    def n_outputs_(self) -> int:
        """Number of targets of a row."""
        return self._fitted().targets.n_outputs

    @property
    def grid_shape_(self) -> Shape:
        """Shape of the grid that importances are given in, but for an axis of views."""
        return self._fitted().grid_shape

    @property
    def projections_(self) -> Projections:
        """What the nodes drew from."""
        return self._fitted().projections

    @property
    def n_nodes_(self) -> Longs:
        """Number of nodes of each tree, splits and leaves."""
        trees = self._fitted().trees
        return trees.n_splits + trees.n_leaves

    @property
    def estimators_samples_(self) -> list[Longs]:
        """The rows that each tree drew, repeated as often as drawn."""
        model = self._fitted()
        return [model.core_sampling.rows(tree) for tree in range(model.n_trees)]

    @property
    def _n_features_out(self) -> int:
        """Columns of ``transform``: the training rows."""
        return self._fitted().sampling.n_rows

    def _rows(self, X: Data) -> Array:
        """Validate rows to predict: of the fitted shape, or flat."""
        model = self._fitted()
        if getattr(X, "shape", None) == model.grid_shape and len(model.grid_shape) > 1:
            raise ValueError(f"X is a single row of shape {model.grid_shape}; predict takes rows, here X[None]")
        X, grid = split_shape(X)
        if grid is not None and grid.shape not in (model.grid_shape, model.grid.shape):
            raise ValueError(f"X has rows of shape {grid.shape}; this forest was fitted on {model.grid_shape}")
        if not (is_plain(X) and X.shape[1] == model.grid.n_features and model.feature_names is None):
            X = validate_data(self, X, reset=False, dtype="numeric", ensure_all_finite=False)
        rows = native(X)
        scale_of(rows, model.grid_shape, model.feature_names, self.n_jobs)
        return rows

    # ---- trees and features ----

    def apply(self, X: Data) -> Longs:
        """Return the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array of shape (n, trees)
            Leaves are numbered from 0 within each tree.
        """
        leaves = leaf_ids(self._fitted(), self._rows(X), self.n_jobs)
        return np.ascontiguousarray(leaves.T, dtype=np.int64)

    def tree(self, number: int) -> Tree:
        """Return one tree, a ``foliation.model.tree.Tree``: its arrays, printable, with the atom of each split."""
        return tree_of(self._fitted(), number)

    def importance(self, kind: Literal["count", "gain"] = "count", *, normalize: bool = True) -> Floats:
        """Return how much each feature matters, in the shape of the grid.

        Parameters
        ----------
        kind : {"count", "gain"}, default="count"
            ``"count"``: how many splits use the feature. ``"gain"``: each split's decrease of impurity,
            shared out over its features by absolute weight, normalized within each tree and averaged. Raw criteria
            of a geodesic forest have scores, which are no gains.
        normalize : bool, default=True
            Divide by the sum. Without it, ``"count"`` is divided by the number of splits instead, which is
            the papers' πₖ: the share of splits that use the feature.

        Returns
        -------
        array in the shape of the grid, after an axis of views if the projections have views
            All zero if no tree has a split.
        """
        return importances.importance(self._fitted(), kind, normalize=normalize)

    @property
    def feature_importances_(self) -> Floats:
        """``importance("gain")``, one number for each feature: flattened, and summed over views if there are any.

        The sum adds what lies at the same place of each view; a frequency is no feature, so look at ``importance``.
        """
        by_view = self.importance("gain").reshape(-1, math.prod(self.grid_shape_))
        return np.asarray(by_view.sum(axis=0))

    # ---- rows that share leaves ----

    def _comparison(self) -> Comparison:
        return Comparison(self._fitted(), self.n_jobs)

    def _n_neighbors(self, n_neighbors: int | None, default: int, most: int) -> int:
        return neighbors.check_n_neighbors(n_neighbors, default, most)

    def proximity(
        self,
        X: Data = None,
        Y: Data = None,
        *,
        rows: RowSet = "all",
        sparse: bool = True,
        min_value: float = 0.0,
    ) -> Outputs:
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
        how = self._comparison()
        given, others = (None if part is None else self._rows(part) for part in (X, Y))
        return proximity(how, rows_to_compare(how, given, others, rows), sparse=sparse, min_value=min_value)

    def kneighbors(
        self, X: Data = None, n_neighbors: int | None = None, return_distance: bool = True, *, rows: RowSet = "all"
    ) -> tuple[Floats, Longs] | Longs:
        """Find the training rows that share the most leaves with each row.

        The work is the number of pairs in leaves, the sum of the squares of their sizes. It stays near linear in n
        while leaves stay small, as those of regression do; pure leaves of a classifier grow with n.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid), optional
            Rows whose neighbors are sought; the training rows if left out, none of which is its own neighbor then.
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
        how = self._comparison()
        k = self._n_neighbors(n_neighbors, 5, how.n_training_rows - (1 if X is None else 0))
        distances, indices = neighbors.kneighbors(how, None if X is None else self._rows(X), k, rows)
        return (distances, indices) if return_distance else indices

    def kneighbors_graph(
        self,
        X: Data = None,
        n_neighbors: int | None = None,
        mode: Literal["connectivity", "distance"] = "connectivity",
        *,
        rows: RowSet = "all",
    ) -> Matrix:
        """Return the neighbors as a sparse graph, as scikit-learn's neighbors do.

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
        values = np.ones_like(distances) if mode == "connectivity" else distances
        return neighbors.neighbor_graph(values, indices, self._n_features_out)

    def transform(self, X: Data, n_neighbors: int | None = None) -> Matrix:
        """Return the graph of distances to the nearest training rows, as KNeighborsTransformer does.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        n_neighbors : int, optional
            Neighbors beside the row itself; the forest's ``n_neighbors`` if it has any, or 15, or all that there are.

        Returns
        -------
        CSR matrix of shape (n, n_train)
            One entry more than neighbors: a training row comes first in its own row, and rows that are new have
            one neighbor more. Distances ascend along each row; all are stored, also zeros.
        """
        how = self._comparison()
        k = self._n_neighbors(n_neighbors, 15, how.n_training_rows - 1)
        return neighbors.distance_graph(how, self._rows(X), k)

    def fit_transform(self, X: Data, y: Data = None, n_neighbors: int | None = None, **fit_params: Any) -> Matrix:
        """Fit the forest, and return ``transform`` of its training rows."""
        fitted = self.fit(X, **fit_params) if y is None else self.fit(X, y, **fit_params)
        return fitted.transform(X, n_neighbors)

    def outlier_score(self, X: Data = None) -> Floats:
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
        return outliers.outlier_score(self._comparison(), None if X is None else self._rows(X))

    # ---- keeping and showing ----

    def remember(self: Self, X: Data = None) -> Self:
        """Find out all that is ever needed of the training rows, and keep it, also in pickles.

        Weights, quantiles, proximities and neighbors need the leaves of the training rows, 4 bytes for each row and
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
        model = self._fitted()
        self.model_ = remember(model, None if X is None else self._rows(X), self.n_jobs)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted forest to a file that ``foliation.load`` reads.

        The file has a format of its own, without pickle. It is there as a whole or not at all. What is known of the
        training rows is in it, as in a pickle; see ``remember``.

        Parameters
        ----------
        path : str or path
            By custom it ends in ``.fol``.
        """
        model = stored(self._fitted(), self.n_jobs)
        save(path, type(self).__name__, self.get_params(deep=False), model)

    def report(
        self,
        X: Data,
        y: Data = None,
        path: str | os.PathLike[str] = "report.html",
        title: str = "",
        *,
        channels: Sequence[str] | None = None,
        times: Sequence[float] | Array | None = None,
        unit: str = "",
    ) -> Path:
        """Write a page about the forest and how it does on rows that it has not seen.

        One HTML file that needs nothing else: scores with intervals, confusion, calibration, where the forest looks
        and what for, first trees, typical and atypical rows, and the settings. It needs matplotlib
        (``pip install "foliation[plot]"``).

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)
        y : array of shape (n,)
        path : str or path, default="report.html"
        title : str, optional
        channels : sequence of str, optional
            Names along the axis before the last.
        times : sequence of float, optional
            Times along the last axis, in ``unit``.
        unit : str, optional

        Returns
        -------
        Path
            Where the page is.
        """
        return write_report(self, X, y, path, title, {"channels": channels, "times": times, "unit": unit})
