"""What any fitted forest can be asked: leaves, trees, importances, and which rows share leaves."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np

from foliation._core import Machine
from foliation.analysis import importance as importances
from foliation.analysis import neighbors, outliers
from foliation.analysis.comparison import Comparison
from foliation.analysis.intervals import standard_errors
from foliation.analysis.leaf_weights import leaf_weights
from foliation.analysis.polytope import leaf_polytope
from foliation.analysis.proximity import proximity, rows_to_compare
from foliation.data.arrays import Array, Data, Floats, Longs, Matrix, Outputs
from foliation.estimators.sklearn import available_if
from foliation.model.model import Model
from foliation.model.predict import leaf_ids_of_rows, unscaled_cells
from foliation.model.settings import Composition
from foliation.model.training import RowSet
from foliation.model.tree import Tree, tree_of
from foliation.printable import quoted
from foliation.validation import check_flag, is_one_of, named


def predicts(forest: Inspection) -> bool:
    """Return whether leaves hold targets; those of a geodesic forest hold nothing."""
    return forest._composition.learns != "nothing"


class Inspection:
    """Questions to a fitted forest. ``Forest`` has the model and validates rows."""

    _composition: ClassVar[Composition]

    @abstractmethod
    def _fitted(self) -> Model:
        """Return the model; raise NotFittedError if there is none."""

    @abstractmethod
    def _rows(self, X: Data) -> Array:
        """Validate rows."""

    @abstractmethod
    def _machine(self, n_rows: int | None = None) -> Machine:
        """Return what the core may use for so many rows."""

    def _outputs(self, columns: Floats) -> Outputs:
        """Return columns as users get them: one array, or one for each output of a classifier."""
        return self._fitted().targets.outputs(columns)

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
        rows = self._rows(X)
        return leaf_ids_of_rows(self._fitted(), rows, self._machine(len(rows)))

    def tree(self, number: int) -> Tree:
        """Return one tree, a ``foliation.model.tree.Tree``: its arrays, printable, with the atom of each split.

        ``print`` writes it as rules in units of X, such as ``sum east[2-3, 3-4] <= 5.5``.
        """
        return tree_of(self._fitted(), number)

    def cells(self, X: Data) -> Floats:
        """Return the numbers that atoms are sums of, in units of X: what rules of a tree are evaluated on.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array of shape (n, *grid), or (n, views, *grid) if the projections have views
            X itself, or its views in the order of ``Patches(views=)``. The last axis is as long as the longest view;
            a shorter one is followed by zeros.
        """
        model, rows = self._fitted(), self._rows(X)
        return unscaled_cells(model, rows, self._machine(len(rows))).reshape(len(rows), *model.cell_shape)

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
            All zero if no tree has a split, or by gain, if no split has a positive one.
        """
        return importances.importance(self._fitted(), kind, normalize=normalize)

    @property
    def feature_importances_(self) -> Floats:
        """``importance("gain")``, one number for each feature: flattened, and summed over views if there are any.

        The sum adds what lies at the same place of each view; a frequency is no feature, so look at ``importance``.
        """
        return importances.of_features(self._fitted())

    @available_if(predicts)
    def standard_error(self, X: Data) -> Outputs:
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
        return self._outputs(standard_errors(self._fitted(), self._rows(X), self._machine()))

    def _comparison(self) -> Comparison:
        return Comparison(self._fitted(), self._machine())

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
        given = None if X is None else self._rows(X)
        with named("Y"):
            others = None if Y is None else self._rows(Y)
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
        check_flag("return_distance", return_distance)
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
        if not is_one_of(mode, ("connectivity", "distance")):
            raise ValueError(f'mode={quoted(mode)} is unknown; it must be "connectivity" or "distance"')
        distances, indices = self.kneighbors(X, n_neighbors, rows=rows)
        values = np.ones_like(distances) if mode == "connectivity" else distances
        return neighbors.neighbor_graph(values, indices, self._fitted().sampling.n_rows)

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

    @available_if(predicts)
    def leaf_weights(self, X: Data) -> Matrix:
        """Return the weight that each training row has in the prediction of each row of X.

        Each tree shares a weight of one among the estimation samples in the leaf, and the mean is taken over the
        trees. So ``forest.leaf_weights(X) @ onehot(y)`` are the probabilities that a classifier predicts, and
        ``forest.leaf_weights(X) @ y`` is what a regressor does.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        CSR matrix of shape (n, n_train)
            Its rows sum to one.
        """
        return leaf_weights(self._fitted(), self._rows(X), self._machine())

    def leaf_polytope(self, tree: int, leaf: int) -> tuple[Matrix, Floats]:
        """Return the polytope of all rows that reach a leaf.

        Parameters
        ----------
        tree, leaf : int
            As ``apply`` numbers them.

        Returns
        -------
        A : CSR matrix of shape (splits above the leaf, p), or (splits above the leaf, cells) with views
        b : array
            A row x (flattened) reaches the leaf if ``A @ x <= b``. Conditions come in order from the root; one for
            the right side of a split has the signs of its projection turned, and the next larger number than the
            threshold, since rows at the threshold itself go left. Sums over boxes are exact in a forest, but
            ``A @ x`` is rounded: a row that lies within rounding of a cut may seem to be on its other side.
            If the projections have views, x are the cells of all views of a row, ``forest.cells(X)`` flattened: the
            leaf is a polytope among them, not among the rows as they are.
        """
        return leaf_polytope(self._fitted(), tree, leaf)
