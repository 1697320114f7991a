"""From parameters and data to a plan that any thread, process or machine can grow trees by."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from foliation.data.arrays import Bools, Data, Ints
from foliation.data.fingerprint import fingerprint
from foliation.data.rows import Rows, scale_of
from foliation.data.weights import group_codes, row_weights
from foliation.machine import n_threads
from foliation.model.model import ModelSpec
from foliation.model.rules import Rules, rules_of
from foliation.model.sampling import sampling_of
from foliation.model.settings import Settings
from foliation.projections import Mixture, Projections
from foliation.projections.screening import departs_from_normal, screened
from foliation.projections.views import Views
from foliation.warn import warn


@dataclass(frozen=True, eq=False, kw_only=True)
class FitPlan(ModelSpec):
    """All that growth needs but the rows. It can be pickled and sent to where the rows are."""

    rules: Rules
    whole: bool  # whether all values of the rows, or of their views, are whole numbers
    n_jobs: int | None


def prepare(settings: Settings, rows: Rows, y: Data, sample_weight: Data, groups: Data) -> FitPlan:
    """Return the plan of a fit; raise an error for data and settings that do not go together."""
    targets = settings.composition.read_targets(y)
    scan = scale_of(rows.values, rows.grid.shape, rows.names, settings.n_jobs)
    projections, passed = _projections(settings, rows)
    projections.dictionary(rows.grid)  # raises an error for projections that cannot be drawn from
    views = projections.views_on(rows.grid)
    class_weight = None if settings.balances_subsamples else settings.class_weight
    weights = row_weights(len(rows), y, targets, sample_weight, class_weight)
    sampling = sampling_of(settings, len(rows), weights, group_codes(groups, len(rows)))
    exponents = np.empty(0, np.int32)
    n_cells = rows.values.shape[1]
    if views is not None:
        exponents = _prepare_views(rows, views, settings.n_jobs)
        n_cells = views.n_cells
        scan = scale_of(rows.prepared["cells"], views.cell_shape, None, settings.n_jobs)
    n_screened = int(passed.sum()) if passed is not None and settings.screen == 1 and passed.any() else n_cells
    return FitPlan(
        grid=rows.grid,
        feature_names=rows.names,
        projections=projections,
        targets=targets,
        sampling=sampling,
        seed=_seed_of(settings.random_state) if settings.continued_seed is None else settings.continued_seed,
        max_abs=scan.max_abs,
        view_exponents=exponents,
        fingerprint=fingerprint(rows.values),
        criterion=settings.criterion,
        leaf_prior=settings.honest_prior,
        screened=passed,
        rules=rules_of(settings, projections, len(rows), n_cells, n_screened),
        whole=scan.whole,
        n_jobs=settings.n_jobs,
    )


def _prepare_views(rows: Rows, views: Views, n_jobs: int | None) -> Ints:
    """Compute the views of the rows, keep them with the rows, and return the exponents of their scales."""
    cells, exponents = views.fit(rows.values, n_threads(n_jobs))
    rows.prepared["cells"] = cells
    return exponents


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


def _seed_of(random_state: Data) -> int:
    """Return one 64-bit seed; the same for the same ``random_state`` on every platform."""
    return _seed_of_number(int(random_state)) if isinstance(random_state, Integral) else _drawn_seed(random_state)


@functools.lru_cache(maxsize=256)  # a generator takes longer to start than a small tree to grow
def _seed_of_number(number: int) -> int:
    return _drawn_seed(number)


def _drawn_seed(random_state: Data) -> int:
    return int(check_random_state(random_state).randint(0, 2**63 - 1, dtype=np.int64))
