"""What all forests share: parameters, and growing through the core."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foliation import _core, rows, spec
from foliation._sklearn import (
    Interval,
    RealNotInt,
    StrOptions,
    checked_weights,
    clone,
    seed_from,
    with_callbacks,
)
from foliation.checks import group_numbers, same
from foliation.grid import Grid
from foliation.presets import resolve
from foliation.progress import ProgressBar, grow_with_callbacks
from foliation.projections import Projections
from foliation.proximity import ProximityForest
from foliation.targets import Targets
from foliation.trees import Arrays, joined

_COUNT = Interval(Integral, 1, None, closed="left")
_SHARE = Interval(RealNotInt, 0.0, 1.0, closed="neither")


class Given(NamedTuple):
    """What a fit was given, as far as more trees need the same."""

    grid: Grid
    projections: Projections
    targets: Targets
    sampling: dict[str, Any]
    marks: tuple[int, float]  # fingerprint and largest absolute value of the rows


class Seen(NamedTuple):
    """The rows as the core sees them: as they were given, or the cells of their views."""

    cells: NDArray[Any]
    whole: bool  # whether all values are


class Forest(ProximityForest):
    """The machinery of every forest; see its subclasses for the parameters."""

    _parameter_constraints: dict[str, list[Any]] = {  # noqa: RUF012
        "n_estimators": [_COUNT],
        "max_features": [_COUNT, Interval(RealNotInt, 0.0, None, closed="neither"), StrOptions({"sqrt", "log2"}), None],
        "max_depth": [_COUNT, None],
        "min_samples_split": [
            Interval(Integral, 2, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
        ],
        "min_samples_leaf": [_COUNT, _SHARE],
        "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
        "min_balance": [Interval(Real, 0.0, 0.5, closed="both")],
        "bootstrap": ["boolean", StrOptions({"auto"})],
        "max_samples": [None, _COUNT, Interval(RealNotInt, 0.0, None, closed="neither"), callable],
        "oob_score": ["boolean", callable],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
        "splitter": [StrOptions(set(spec.SPLITTERS))],
        "honest": ["boolean", Interval(RealNotInt, 0.0, 1.0, closed="neither")],
        "honest_fill": [StrOptions({"sample", "oob"})],
        "honest_prior": [StrOptions(set(spec.PRIORS))],
        "projections": "no_validation",  # type: ignore[dict-item]
    }

    # Parameters that every forest has; declared here for the type checker, set by the subclasses.
    n_estimators: int
    criterion: str
    projections: Any
    splitter: str
    max_features: Any
    max_depth: int | None
    min_samples_split: float
    min_samples_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    bootstrap: bool | str
    min_balance: float
    max_samples: float | Callable[[int], int] | None
    oob_score: bool | Callable[..., float]
    class_weight: Any = None
    honest: bool | float
    honest_fill: str
    honest_prior: str
    variance_floor: float = 0.0
    patience: float = 0.0
    warm_start: bool
    random_state: Any
    verbose: int

    def _store(self, arguments: dict[str, Any]) -> None:
        """Keep the arguments of ``__init__`` as they are, under their names."""
        for name, value in arguments.items():
            if name != "self":
                setattr(self, name, value)

    # ---- what subclasses say ----

    def _min_samples_split(self, n_rows: int) -> float:
        return self.min_samples_split

    def _n_features_drawn(self, n_features: int) -> int:
        """Features that a node may draw from, by which `max_features` counts its candidates."""
        return n_features

    def _projections(self, X: NDArray[Any], grid: Grid) -> Projections:
        projections: Projections = clone(resolve(self.projections, grid))
        return projections

    _learns: Literal["classes", "numbers", "nothing"]

    def _targets(self, y: Any) -> Targets:
        raise TypeError(f"{type(self).__name__} has no targets")

    def _class_weights(
        self, y: Any, targets: Targets, weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        return None

    def _set_targets(self, targets: Targets) -> None:
        """Record what predictions need to know of the targets."""

    def _set_oob(self, mean: NDArray[np.float64], seen: NDArray[np.bool_], y: NDArray[Any]) -> None:
        """Record the out-of-bag predictions and their score."""

    def _keep_oob(self, mean: NDArray[np.float64]) -> None:
        """Record the out-of-bag predictions."""

    # ---- fitting ----

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, groups: ArrayLike | None = None) -> Any:
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
            equally likely, with all of their rows: a group is drawn or out of the bag, grows a tree or fills it,
            but never both. ``max_samples`` counts groups.

        Returns
        -------
        self
        """
        before = dict(self.__dict__)
        try:
            self._validate_params()
            self._fit(X, y, sample_weight, groups)
        except BaseException:
            callbacks = {k: v for k, v in self.__dict__.items() if "callback" in k}
            self.__dict__.clear()
            self.__dict__.update(before | callbacks)
            raise
        return self

    def _fit(self, X: Any, y: Any, sample_weight: ArrayLike | None, groups: ArrayLike | None) -> None:
        X, y, grid = rows.fit_rows(self, X, y)
        targets = self._targets(y)
        whole, max_abs = rows.magnitude(X, self, grid.shape)
        projections = self._projections(X, grid)
        dictionary, views = projections.dictionary(grid), projections.views_on(grid)
        weights = self._row_weights(X, y, targets, sample_weight)
        sampling = spec.sampling(self, len(X), weights, group_numbers(groups, len(X)))
        cells, exponents = (X, np.empty(0, np.int32)) if views is None else views.fit(X, rows.n_threads(self.n_jobs))
        if views is not None:
            whole, max_abs = rows.magnitude(cells, self, views.cell_shape)
        given = Given(grid, projections, targets, sampling, (rows.fingerprint(X), max_abs))
        old = self.trees_ if self.warm_start and hasattr(self, "trees_") else None
        if old is None:
            self.seed_ = seed_from(self.random_state)
            self._record(given)
        else:
            self._check_same(given)
        self._known_dictionary = self.projections_, dictionary, views
        self.view_exponents_ = exponents
        n_old = 0 if old is None else len(old["split_start"]) - 1
        if n_old > self.n_estimators:
            raise ValueError(f"n_estimators={self.n_estimators} is below the {n_old} trees grown so far by warm_start")
        if n_old == self.n_estimators:
            warnings.warn("warm_start without a larger n_estimators grows no new trees", stacklevel=4)
        else:
            new = self._grow(X, y, Seen(cells, whole), targets, dictionary, n_old)
            self.trees_ = joined([new] if old is None else [old, new])
        self._train_on(X)
        if self.oob_score:
            self._score_out_of_bag(y)

    def _check_same(self, given: Given) -> None:
        """Trees added by warm_start must be trees of the same forest."""
        described = {
            "rows of the same shape": (self.row_shape_, given.grid.shape),
            "the same projections": (self.projections_, given.projections),
            "targets with the same classes and outputs": (self.target_kind_, given.targets.kind()),
            "the same rows, weights, groups, bootstrap and max_samples": (self.sampling_, given.sampling),
            "the same rows": ((self.fingerprint_, self.max_abs_), given.marks),
            "the same targets": (self.targets_, given.targets.y),
            "the same honest_prior": (self.leaf_prior_, self.honest_prior),
        }
        for what, (before, now) in described.items():
            if not same(before, now):
                raise ValueError(f"warm_start=True adds trees to a fitted forest and needs {what} as in the first fit")

    def _record(self, given: Given) -> None:
        grid, projections, targets, sampling, (self.fingerprint_, self.max_abs_) = given
        self.projections_ = projections
        self.sampling_ = sampling
        self.target_kind_ = targets.kind()
        self.targets_ = targets.y
        self.leaf_prior_ = self.honest_prior
        self.row_shape_ = grid.shape
        self.grid_shape_ = projections.shape_on(grid)
        self.n_outputs_ = targets.n_outputs
        self.n_columns_ = targets.n_columns
        self.one_dimensional_ = targets.one_dimensional
        self.prior_ = targets.prior(sampling["weights"] if len(sampling["weights"]) else None)
        self._set_targets(targets)

    def _row_weights(
        self, X: NDArray[Any], y: Any, targets: Targets, sample_weight: ArrayLike | None
    ) -> NDArray[np.float64] | None:
        weights = None if sample_weight is None else checked_weights(sample_weight, X)
        by_class = self._class_weights(y, targets, weights)
        if by_class is None or weights is None:
            return weights if by_class is None else checked_weights(by_class, X, "class_weight")
        return checked_weights(weights * by_class, X, "class_weight")

    def _grow(
        self,
        X: NDArray[Any],
        y: NDArray[Any],
        seen: Seen,
        targets: Targets,
        dictionary: _core.Dictionary,
        n_old: int,
    ) -> Arrays:
        """Grow trees n_old .. n_estimators-1."""
        rules = spec.rules(self, len(X), seen.cells.shape[1])
        core_targets = targets.core()
        sampling = self._core_sampling()

        def grow(first: int, count: int, tick: Callable[[int], bool] | None) -> Arrays:
            magnitude = seen.whole, self.max_abs_
            return _core.fit(dictionary, seen.cells, magnitude, core_targets, sampling, (first, count), rules, tick)

        n_new = self.n_estimators - n_old
        if getattr(self, "_skl_callbacks", None):
            return grow_with_callbacks(self, grow, range(n_old, self.n_estimators), X, y)
        if not self.verbose:
            return grow(n_old, n_new, None)
        bar = ProgressBar(n_new)
        try:
            return grow(n_old, n_new, bar)
        finally:
            bar.close()

    def _score_out_of_bag(self, y: NDArray[Any]) -> None:
        mean = self._oob_mean()
        seen = np.asarray(np.isfinite(mean).all(axis=1))
        if not seen.all():
            warnings.warn(
                f"{int((~seen).sum())} rows have no out-of-bag prediction; more trees would give them one",
                stacklevel=5,
            )
        self._set_oob(mean, seen, y)
