"""What all forests share: parameters, fitting, and what any fitted forest can be asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import joblib
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, validate_data

from foliation._core import Machine
from foliation.data.arrays import Array, Data, Floats, Longs, Matrix, Outputs
from foliation.data.rows import Shape, check_rows, is_plain, native, read_rows, split_shape
from foliation.data.weights import RowWeights
from foliation.estimators.growing import grow_with_callbacks, grow_with_progress
from foliation.estimators.inspection import Inspection
from foliation.estimators.parameters import Constraints, clear_error
from foliation.estimators.sklearn import BASES, with_callbacks
from foliation.io.atomic import check_place
from foliation.io.model_file import save
from foliation.memory import check_memory
from foliation.model.grow import GrowTrees, add_trees, grow
from foliation.model.model import Model
from foliation.model.oob_score import with_oob_score
from foliation.model.plan import prepare
from foliation.model.predict import mean_values, tree_values
from foliation.model.settings import Composition, Settings
from foliation.model.training import remember, stored
from foliation.parameters import cached_param_names
from foliation.printable import printable_errors
from foliation.projections import Projections
from foliation.report import write_report
from foliation.validation import check_sequence

_BLOCK = 256  # rows that a thread of the core takes at a time
Self = TypeVar("Self", bound="Forest")


class Forest(Inspection, *BASES):  # type: ignore[misc]
    """The parts of every forest; see its subclasses for the parameters."""

    _parameter_constraints: ClassVar[Constraints]
    _composition: ClassVar[Composition]

    n_estimators: int
    oob_score: bool | Callable[..., float]
    warm_start: bool
    n_jobs: int | None
    verbose: int
    model_: Model

    _get_param_names = cached_param_names
    transform = Inspection.transform  # where scikit-learn's ``set_output`` finds it

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
        machine = self._machine() if self.n_jobs else Machine(1)  # also of an n_jobs that no fit takes
        return state | {"model_": stored(self.model_, machine)} if "model_" in state else state

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
            Rows count by them in the out-of-bag score.
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
        given = RowWeights(len(rows.values), sample_weight, groups)
        machine = self._machine()
        grow_trees = self._grower(machine)
        plan = prepare(self._settings(prior), rows, targets, given, machine)
        model = add_trees(plan, rows, self.n_estimators, prior, grow_trees)
        if self._composition.learns != "nothing" and self.oob_score:
            model = with_oob_score(model, targets, self.oob_score, sample_weight, machine)
        self.model_ = model
        return self

    def fit_transform(self, X: Data, y: Data = None, n_neighbors: int | None = None, **fit_params: Any) -> Matrix:
        """Fit the forest, and return ``transform`` of its training rows."""
        targets = () if y is None else (y,)
        return self.fit(X, *targets, **fit_params).transform(X, n_neighbors)

    def _validate_params(self) -> None:
        try:
            super()._validate_params()
        except (ValueError, TypeError) as error:
            raise clear_error(self, error) from None

    def _settings(self, prior: Model | None = None) -> Settings:
        names = [field.name for field in fields(Settings)]
        parameters = {name: value for name, value in vars(self).items() if name in names}
        settings = Settings(**parameters, composition=self._composition)
        return replace(settings, continued_seed=prior.seed, row_hash=prior.row_hash) if prior else settings

    def _grower(self, machine: Machine) -> GrowTrees:
        """Return how trees are grown here: with scikit-learn's callbacks, a progress bar, or neither."""
        if getattr(self, "_skl_callbacks", None):
            return partial(grow_with_callbacks, self, machine=machine)
        return partial(grow_with_progress if self.verbose else grow, machine=machine)

    def _machine(self, n_rows: int | None = None) -> Machine:
        """Return the threads that ``n_jobs`` stands for; one inside a worker of a parallel search.

        One thread suffices for the rows of one block, and joblib, which may have to count processors, is not asked.
        """
        one_block = n_rows is not None and n_rows <= _BLOCK and self.n_jobs != 0
        return Machine(1 if one_block else int(joblib.effective_n_jobs(self.n_jobs)))

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
        n_drawn = model.n_trees * model.sampling.n_draws * model.sampling.rows_per_draw
        check_memory(f"the rows of {model.n_trees:,} trees", 8.0 * n_drawn, "a forest of fewer trees draws fewer")
        return [model.core_sampling.rows(tree) for tree in range(model.n_trees)]

    @property
    def oob_score_(self) -> float:
        """Score out of the bag; only with ``oob_score``."""
        score = self._fitted().oob_score
        if score is None:
            raise AttributeError("this forest was fitted without oob_score=True")
        return score

    def _oob_outputs(self) -> Outputs:
        if self._fitted().oob_score is None:
            raise AttributeError("this forest was fitted without oob_score=True")
        return self._outputs(self.model_.training.cached["oob"])

    @property
    def _n_features_out(self) -> int:
        """Columns of ``transform``: the training rows."""
        return self._fitted().sampling.n_rows

    def get_feature_names_out(self, input_features: Data = None) -> Array:
        """Return the names of the columns of ``transform``, as scikit-learn asks for them.

        Parameters
        ----------
        input_features : ignored
            There for pipelines.

        Returns
        -------
        array of str
        """
        n_names = self._n_features_out
        if input_features is not None:
            check_sequence("input_features", input_features)
        check_memory(f"the names of {n_names:,} columns", 100.0 * n_names, "use the columns by their numbers")
        return np.asarray(super().get_feature_names_out(input_features))

    def _rows(self, X: Data) -> Array:
        """Validate rows to predict: of the fitted shape, or flat."""
        model = self._fitted()
        if getattr(X, "shape", None) == model.grid_shape and len(model.grid_shape) > 1:
            raise ValueError(f"X is a single row of shape {model.grid_shape}; predict takes rows, here X[None]")
        X, grid = split_shape(X)
        if grid is not None and grid.shape not in (model.grid_shape, model.grid.shape):
            raise ValueError(f"X has rows of shape {grid.shape}; this forest was fitted on {model.grid_shape}")
        if not (is_plain(X) and X.shape[1] == model.grid.n_features and model.feature_names is None):
            with printable_errors():
                X = validate_data(self, X, reset=False, dtype="numeric", ensure_all_finite=False)
        rows = native(X)
        check_rows(rows, model.grid_shape, model.feature_names, self._machine(len(rows)))
        return rows

    def _mean_values(self, X: Data) -> Floats:
        """Return leaf values averaged over the trees, (n, columns)."""
        rows = self._rows(X)
        return mean_values(self.model_, rows, self._machine(len(rows)))

    def _tree_values(self, X: Data) -> Floats:
        """Return leaf values of every tree, (n, trees, columns)."""
        return tree_values(self._fitted(), self._rows(X), self._machine())

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
        self.model_ = remember(model, None if X is None else self._rows(X), self._machine())
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
        model = self._fitted()
        check_place(path)
        save(path, type(self).__name__, self.get_params(deep=False), stored(model, self._machine()))

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
