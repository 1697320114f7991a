"""From parameters and data to a plan that any thread, process or machine can grow trees by."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from numbers import Integral
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from foliation import _core
from foliation.data.arrays import Array, Bools, Data, Floats, Hashes, Ints
from foliation.data.row_hash import ROW_HASHES, SIPHASH
from foliation.data.rows import Grid, Rows, Shape, digested_scan, fingerprint_of, scale_of
from foliation.data.targets import Targets
from foliation.data.weights import RowWeights, group_codes, row_weights
from foliation.model.sampling import Sampling, balances_subsamples, sampling_of
from foliation.model.settings import MaxFeatures, Settings
from foliation.printable import quoted
from foliation.projections import Mixture, Projections
from foliation.projections.family import dictionary_of
from foliation.projections.screening import departs_from_normal, screened
from foliation.projections.views import Views
from foliation.warn import warn

_UNLIMITED = 2**31 - 1


@dataclass(frozen=True)
class Rules:
    """Criterion, splitter, candidates and limits of growth, as the core reads them."""

    criterion: str
    variance_floor: float
    prior: str
    splitter: str
    n_candidates: int
    extra_candidates: int  # features that further candidates of a node without clusters may read
    max_depth: int
    min_samples_split: int
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    min_balance: float
    max_leaf_nodes: int
    min_impurity_decrease: float

    def core(self) -> _core.Rules:
        return _core.Rules(
            criterion=self.criterion,
            variance_floor=self.variance_floor,
            prior=_core.HonestPrior[self.prior],
            splitter=_core.Splitter[self.splitter],
            n_candidates=self.n_candidates,
            extra_candidates=self.extra_candidates,
            limits=_core.Limits(
                max_depth=self.max_depth,
                min_samples_split=self.min_samples_split,
                min_samples_leaf=self.min_samples_leaf,
                min_weight_fraction_leaf=self.min_weight_fraction_leaf,
                min_balance=self.min_balance,
                max_leaf_nodes=self.max_leaf_nodes,
                min_impurity_decrease=self.min_impurity_decrease,
            ),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelSpec:
    """What a plan and the model that is grown from it share."""

    grid: Grid  # of the rows as they were given
    feature_names: Array | None
    projections: Projections
    targets: Targets
    sampling: Sampling
    seed: int
    max_abs: float  # largest absolute value of the training rows, or of their views; sets the scale of box sums
    view_exponents: Ints  # of the powers of two that views are multiplied by; empty without views
    row_hash: str  # by which the training rows are recognized, a name of ``ROW_HASHES``
    fingerprint: int  # of the training rows
    criterion: str
    leaf_prior: str  # what an honest leaf without estimation samples predicts
    screened: Bools | None = None  # features that the screen of a geodesic forest let pass

    @cached_property
    def views(self) -> Views | None:
        return self.projections.views_on(self.grid)

    @cached_property
    def dictionary(self) -> _core.Dictionary:
        return dictionary_of(self.projections, self.grid, self.views)

    @cached_property
    def grid_shape(self) -> Shape:
        """Shape of the grid that the projections live on."""
        return self.projections.shape_on(self.grid)

    @property
    def cell_shape(self) -> Shape:
        """Shape of what atoms are sums over: the grid, after an axis of views if there are any."""
        return self.grid_shape if self.views is None else self.views.cell_shape

    @property
    def n_cells(self) -> int:
        return math.prod(self.cell_shape)

    @cached_property
    def prior(self) -> Floats:
        """What rows get for which no tree has a prediction: class shares, or means, of all training rows."""
        return self.targets.prior(self.sampling.row_weights)

    @cached_property
    def core_sampling(self) -> _core.Sampling:
        return _core.Sampling(seed=self.seed, **vars(self.sampling))

    def __getstate__(self) -> dict[str, object]:
        return {stored.name: getattr(self, stored.name) for stored in fields(self)}


@dataclass(frozen=True, eq=False, kw_only=True)
class FitPlan(ModelSpec):
    """All that growth needs but the rows. It can be pickled and sent to where the rows are."""

    rules: Rules
    digests: Hashes  # of the training rows
    whole: bool  # whether all values of the rows, or of their views, are whole numbers


class _Cells(NamedTuple):
    """What atoms are sums over, the features or the views of them, and what their scan found."""

    dictionary: _core.Dictionary
    views: Views | None
    view_exponents: Ints
    scan: _core.Scan
    n_cells: int


def prepare(settings: Settings, rows: Rows, y: Data, weights: RowWeights, machine: _core.Machine) -> FitPlan:
    """Return the plan of a fit; raise an error for data and settings that do not go together."""
    scanned = digested_scan(rows, machine)
    digests, fingerprint = scanned.digests, fingerprint_of(scanned.digests, rows.grid.n_features)
    if settings.row_hash != SIPHASH:
        row_hash = ROW_HASHES[settings.row_hash]
        digests, fingerprint = row_hash.digests(rows.values, machine), row_hash.fingerprint(rows.values, machine)
    targets = settings.composition.read_targets(y)
    projections, passed = _projections(settings, rows)
    cells = _cells(projections, rows, scanned.scan, machine)
    n_screened = int(passed.sum()) if passed is not None and settings.screen == 1 and passed.any() else cells.n_cells
    plan = FitPlan(
        grid=rows.grid,
        feature_names=rows.names,
        projections=projections,
        targets=targets,
        sampling=_sampling(settings, targets, y, weights),
        seed=_seed_of(settings.random_state) if settings.continued_seed is None else settings.continued_seed,
        max_abs=cells.scan.max_abs,
        view_exponents=cells.view_exponents,
        row_hash=settings.row_hash,
        fingerprint=fingerprint,
        digests=digests,
        criterion=settings.criterion,
        leaf_prior=settings.honest_prior,
        screened=passed,
        rules=_rules(settings, projections, len(rows.values), cells.n_cells, n_screened),
        whole=cells.scan.whole,
    )
    vars(plan).update(dictionary=cells.dictionary, views=cells.views)  # made once
    return plan


def _cells(projections: Projections, rows: Rows, scan: _core.Scan, machine: _core.Machine) -> _Cells:
    """Compute the views of the rows, if the projections have any, and keep them with the rows."""
    views = projections.views_on(rows.grid)
    dictionary = dictionary_of(projections, rows.grid, views)
    if views is None:
        return _Cells(dictionary, None, np.empty(0, np.int32), scan, rows.values.shape[1])
    cells, exponents = views.fit(rows.values, machine)
    rows.views[views, exponents.tobytes()] = cells
    return _Cells(dictionary, views, exponents, scale_of(cells, views.cell_shape, None, machine), cells.shape[1])


def _sampling(settings: Settings, targets: Targets, y: Data, given: RowWeights) -> Sampling:
    class_weight = None if balances_subsamples(settings) else settings.class_weight
    weighted = given.sample_weight is not None or class_weight is not None
    weights = row_weights(given.n_rows, y, targets, given.sample_weight, class_weight) if weighted else None
    groups = np.empty(0, np.int32) if given.groups is None else group_codes(given.groups, given.n_rows)
    return sampling_of(settings, given.n_rows, weights, groups)


def _projections(settings: Settings, rows: Rows) -> tuple[Projections, Bools | None]:
    """Return what nodes draw from, and which features a screen let pass."""
    given: Projections = clone(settings.composition.resolve_projections(settings.projections, rows.grid))
    if settings.screen == 0:
        return given, None
    passed = departs_from_normal(rows.values)
    some = screened(given, passed)
    if not passed.any():
        warn("no feature departs from a normal distribution: screen has no effect")
        return given, passed
    mixed = Mixture([some, given], p=[settings.screen, 1 - settings.screen])
    return (some if settings.screen == 1 else mixed), passed


def _rules(settings: Settings, projections: Projections, n_rows: int, n_cells: int, n_screened: int) -> Rules:
    """Work out the rules of a fit on so many rows and cells, ``n_screened`` of which nodes draw from."""
    n_drawn = n_candidates(settings.max_features, n_screened)
    if projections.distinct_candidates:
        n_drawn = min(n_drawn, n_cells)
    elif n_drawn > _UNLIMITED:
        given = quoted(settings.max_features)
        raise ValueError(f"max_features={given}: a node would draw more than 2^31 - 1 candidates")
    split = default_min_samples_split(n_rows) if settings.min_samples_split is None else settings.min_samples_split
    return Rules(
        criterion=settings.criterion,
        variance_floor=float(settings.variance_floor),
        prior=settings.honest_prior,
        splitter=settings.splitter,
        n_candidates=n_drawn,
        extra_candidates=math.ceil(min(settings.patience * n_screened, 2.0**62)),
        max_depth=min(settings.max_depth or _UNLIMITED, _UNLIMITED),
        min_samples_split=_n_rows(split, 2, n_rows),
        min_samples_leaf=_n_rows(settings.min_samples_leaf, 1, n_rows),
        min_weight_fraction_leaf=float(settings.min_weight_fraction_leaf),
        min_balance=float(settings.min_balance),
        max_leaf_nodes=min(settings.max_leaf_nodes, _UNLIMITED) if settings.max_leaf_nodes else 2**63 - 1,
        min_impurity_decrease=float(min(settings.min_impurity_decrease, sys.float_info.max)),
    )


def default_min_samples_split(n_rows: int) -> int:
    """Return the smallest node that a geodesic forest splits, unless told otherwise."""
    return max(2, min(100, n_rows // 8))


def _n_rows(value: float, least: int, n_rows: int) -> int:
    return min(int(value), _UNLIMITED) if isinstance(value, Integral) else max(least, math.ceil(value * n_rows))


def n_candidates(max_features: MaxFeatures, n_features: int) -> int:
    """Return how many candidates a node draws."""
    if max_features is None:
        return n_features
    if max_features == "sqrt":
        return max(1, int(math.sqrt(n_features)))
    if max_features == "log2":
        return max(1, int(math.log2(n_features)))
    if isinstance(max_features, Integral):
        return int(max_features)
    return max(1, int(min(float(max_features) * n_features, 2.0**62)))


def _seed_of(random_state: Data) -> int:
    """Return one 64-bit seed; the same for the same ``random_state`` on every platform."""
    return _seed_of_number(int(random_state)) if isinstance(random_state, Integral) else _drawn_seed(random_state)


@lru_cache(maxsize=256)  # a generator takes longer to start than a small tree to grow
def _seed_of_number(number: int) -> int:
    return _drawn_seed(number)


def _drawn_seed(random_state: Data) -> int:
    return int(check_random_state(random_state).randint(0, 2**63 - 1, dtype=np.int64))
