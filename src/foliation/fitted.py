"""A fitted forest: sending rows down its trees, and looking inside."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foliation import _core, memory, rows
from foliation._sklearn import Estimator, check_is_fitted
from foliation.grid import Grid, Shape
from foliation.projections import Projections
from foliation.trees import Arrays, Tree
from foliation.views import Views

_MANY_CELLS = 10_000_000


class FittedForest(Estimator):
    """What a forest can do once it is fitted. Its state is plain arrays and numbers."""

    n_jobs: int | None
    trees_: Arrays
    seed_: int
    sampling_: dict[str, Any]  # what the draws of each tree's rows depend on, besides the seed and the tree
    max_abs_: float  # largest absolute value of the training rows; sets the scale of box sums
    projections_: Projections
    row_shape_: Shape  # of the rows as they were given
    grid_shape_: Shape  # that the projections live on
    n_columns_: int  # classes of all outputs, or outputs
    view_exponents_: NDArray[np.int32]  # of the powers of two that views are multiplied by; none without views
    prior_: NDArray[np.float64]  # what rows get that meet only empty leaves
    # The dictionary and the views, and the projections they belong to.
    _known_dictionary: tuple[Projections, _core.Dictionary, Views | None] | None = None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_known_dictionary"}

    def _know(self) -> tuple[Projections, _core.Dictionary, Views | None]:
        """Return the core's form of the projections: known from the fit, worked out again after a pickle or a copy."""
        known = self._known_dictionary
        if known is None or known[0] is not self.projections_:
            grid = Grid(self.row_shape_, flat=len(self.row_shape_) == 1)
            dictionary, views = self.projections_.dictionary(grid), self.projections_.views_on(grid)
            known = self._known_dictionary = self.projections_, dictionary, views
        return known

    def _dictionary(self) -> _core.Dictionary:
        return self._know()[1]

    @property
    def _cell_shape(self) -> Shape:
        """The shape of what atoms are sums over: the grid, after an axis of views if there are any."""
        views = self._know()[2]
        return self.grid_shape_ if views is None else views.cell_shape

    def _sent_down(self, X: NDArray[Any]) -> tuple[_core.Dictionary, float, Arrays, NDArray[Any], tuple[int, int]]:
        """What the core needs to send rows, as they were given, down the trees."""
        machine = rows.isa(), rows.n_threads(self.n_jobs, len(X))
        _, dictionary, views = self._know()
        cells = X if views is None else views.cells(X, self.view_exponents_, machine[1])
        return dictionary, self.max_abs_, self.trees_, cells, machine

    def _core_sampling(self) -> _core.Sampling:
        s = self.sampling_
        return _core.Sampling(
            self.seed_,
            s["n_rows"],
            s["n_draws"],
            s["bootstrap"],
            s["balanced_subsample"],
            s["grow_share"],
            s["fill_out_of_bag"],
            s["weights"],
            s["groups"],
        )

    def _mean_values(self, X: Any) -> NDArray[np.float64]:
        """Leaf values averaged over the trees, (n, columns)."""
        check_is_fitted(self)
        X = rows.predict_rows(self, X)
        mean = _core.predict(*self._sent_down(X), self.n_columns_)
        return np.where(np.isnan(mean), self.prior_, mean) if np.isnan(mean).any() else mean

    def _tree_values(self, X: Any) -> NDArray[np.float64]:
        """Leaf values of every tree, (n, trees, columns)."""
        leaves = self.apply(X) + self.trees_["leaf_start"][:-1]
        start = self.trees_["value_start"]
        values = np.zeros((leaves.size, self.n_columns_))
        counts = (start[leaves + 1] - start[leaves]).ravel()
        values[counts == 0] = self.prior_
        entries = np.repeat(start[leaves].ravel() - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        at = np.repeat(np.arange(leaves.size), counts)
        values[at, self.trees_["value_column"][entries]] = self.trees_["value"][entries]
        return values.reshape(*leaves.shape, self.n_columns_)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array of shape (n, p) or (n, *grid)

        Returns
        -------
        array of shape (n, trees)
            Leaves are numbered from 0 within each tree.
        """
        check_is_fitted(self)
        X = rows.predict_rows(self, X)
        leaves = _core.apply(*self._sent_down(X))
        return np.ascontiguousarray(leaves.T, dtype=np.int64)

    def tree(self, number: int) -> Tree:
        """Return one tree, a ``foliation.trees.Tree``: its flat arrays, printable, with the atom of each split."""
        check_is_fitted(self)
        n_trees = len(self.trees_["split_start"]) - 1
        if not isinstance(number, Integral):
            raise TypeError(f"tree number {number!r} must be an integer")
        if not -n_trees <= number < n_trees:
            raise IndexError(f"tree {number} does not exist; this forest has {n_trees} trees")
        return Tree(self.trees_, int(number) % n_trees, self)

    @property
    def n_nodes_(self) -> NDArray[np.int64]:
        """Number of nodes of each tree, splits and leaves."""
        check_is_fitted(self)
        nodes: NDArray[np.int64] = np.diff(self.trees_["split_start"]) + np.diff(self.trees_["leaf_start"])
        return nodes

    @property
    def estimators_samples_(self) -> list[NDArray[np.int64]]:
        """The rows that each tree drew, repeated as often as drawn."""
        check_is_fitted(self)
        sampling = self._core_sampling()
        return [sampling.rows(tree) for tree in range(len(self.trees_["split_start"]) - 1)]

    def importance(self, kind: Literal["count", "gain"] = "count", *, normalize: bool = True) -> NDArray[np.float64]:
        """Return how much each feature matters, in the shape of the grid.

        Parameters
        ----------
        kind : {"count", "gain"}, default="count"
            ``"count"``: how many splits use the feature. ``"gain"``: each split's decrease of impurity,
            shared out over its features by absolute weight, normalised within each tree and averaged.
        normalize : bool, default=True
            Divide by the sum. Without it, ``"count"`` is divided by the number of splits instead, which is
            the papers' πₖ: the share of splits that use the feature.

        Returns
        -------
        array in the shape of the grid, after an axis of views if the projections have views
            All zero if no tree has a split.
        """
        check_is_fitted(self)
        if kind not in ("count", "gain"):
            raise ValueError(f'kind={kind!r} is unknown; it must be "count" or "gain"')
        n_cells = math.prod(self._cell_shape)
        if n_cells > _MANY_CELLS:  # a small file may claim a huge grid
            memory.check("importances", 16.0 * n_cells, f"the grid has {n_cells:,} cells")
        found = _core.importance(self._dictionary(), self.trees_, 0 if kind == "count" else 1)
        papers_scale = len(self.trees_["threshold"]) if kind == "count" else 1.0
        scale = float(found.sum() if normalize else papers_scale)
        return (found / (scale or 1.0)).reshape(self._cell_shape)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """``importance("gain")``, one number for each feature: flattened, and summed over views if there are any.

        The sum adds what lies at the same place of each view; a frequency is no feature, so look at ``importance``.
        """
        by_view = self.importance("gain").reshape(-1, math.prod(self.grid_shape_))
        return np.asarray(by_view.sum(axis=0))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted forest to a file that ``foliation.load`` reads.

        The file has a format of its own, without pickle. It is there as a whole or not at all. What is known of the
        training rows is in it, as in a pickle; see ``remember``.

        Parameters
        ----------
        path : str or path
            By custom it ends in ``.fol``.
        """
        from foliation.files.model import save  # which knows all forests

        save(self, path)

    def report(
        self,
        X: Any,
        y: Any = None,
        path: str | os.PathLike[str] = "report.html",
        title: str = "",
        *,
        channels: Sequence[str] | None = None,
        times: Sequence[float] | NDArray[Any] | None = None,
        unit: str = "",
    ) -> Any:
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
        from foliation.report import write_report  # kept off the import path

        return write_report(self, X, y, path, title, {"channels": channels, "times": times, "unit": unit})
