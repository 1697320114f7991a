"""What classifiers and regressors share: leaves that hold targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from foliation.analysis.intervals import standard_errors
from foliation.analysis.leaf_weights import leaf_weights
from foliation.analysis.polytope import leaf_polytope
from foliation.data.arrays import Array, Bools, Data, Floats, Matrix, Outputs
from foliation.estimators.forest import Forest
from foliation.model.model import Model
from foliation.model.plan import FitPlan
from foliation.model.predict import mean_values, tree_values
from foliation.model.training import oob_means
from foliation.warn import warn


class SupervisedForest(Forest):
    """A forest that predicts."""

    oob_score: bool | Callable[..., float]

    def _outputs(self, columns: Floats) -> Outputs:
        """Return columns as users get them: one block, or one for each output."""
        raise NotImplementedError

    def _oob_score(self, model: Model, seen: Bools, y: Array) -> float:
        """Return the score of the rows that have an out-of-bag prediction."""
        raise NotImplementedError

    def _finished(self, model: Model, plan: FitPlan, y: Data) -> Model:
        if not self.oob_score:
            return model
        mean = oob_means(model, self.n_jobs)
        seen = np.asarray(np.isfinite(mean).all(axis=1))
        if not seen.all():
            warn(f"{int((~seen).sum())} rows have no out-of-bag prediction; more trees would give them one")
        return replace(model, oob_score=self._oob_score(model, seen, np.asarray(y)))

    @property
    def oob_score_(self) -> float:
        """Score out of the bag; only with ``oob_score``."""
        score = self._fitted().oob_score
        if score is None:
            raise AttributeError("this forest was fitted with oob_score=False")
        return score

    def _oob_outputs(self) -> Outputs:
        if self._fitted().oob_score is None:
            raise AttributeError("this forest was fitted with oob_score=False")
        return self._outputs(self.model_.training.found["oob"])

    def _mean_values(self, X: Data) -> Floats:
        """Return leaf values averaged over the trees, (n, columns)."""
        return mean_values(self._fitted(), self._rows(X), self.n_jobs)

    def _tree_values(self, X: Data) -> Floats:
        """Return leaf values of every tree, (n, trees, columns)."""
        return tree_values(self._fitted(), self._rows(X), self.n_jobs)

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
        return leaf_weights(self._fitted(), self._rows(X), self.n_jobs)

    def leaf_polytope(self, tree: int, leaf: int) -> tuple[Matrix, Floats]:
        """Return the polytope of all rows that reach a leaf.

        Parameters
        ----------
        tree, leaf : int
            As ``apply`` numbers them.

        Returns
        -------
        A : CSR matrix of shape (splits above the leaf, p)
        b : array
            A row x (flattened) reaches the leaf if ``A @ x <= b``. Conditions come in order from the root; one for
            the right side of a split has the signs of its projection turned, and the next larger number than the
            threshold, since rows at the threshold itself go left. Sums over boxes are exact in a forest, but
            ``A @ x`` is rounded: a row that lies within rounding of a cut may seem to be on its other side.
            If the projections have views, x are the cells of all views of a row, each view times its power of two:
            p is their number, and the leaf is a polytope among them, not among the rows as they are.
        """
        return leaf_polytope(self._fitted(), tree, leaf)

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
        return self._outputs(standard_errors(self._fitted(), self._rows(X), self.n_jobs))
