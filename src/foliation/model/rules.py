"""How trees grow, as the numbers that the core reads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral

from foliation import _core
from foliation.model.settings import MaxFeatures, Settings
from foliation.projections import Projections

_UNLIMITED = 2**31 - 1


@dataclass(frozen=True)
class Rules:
    """Criterion, splitter, candidates and limits of growth."""

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


def rules_of(settings: Settings, projections: Projections, n_rows: int, n_cells: int, n_screened: int) -> Rules:
    """Work out the rules of a fit on so many rows and cells, ``n_screened`` of which nodes draw from."""
    most = n_cells if projections.distinct_candidates else _UNLIMITED
    split = default_min_samples_split(n_rows) if settings.min_samples_split is None else settings.min_samples_split
    return Rules(
        criterion=settings.criterion,
        variance_floor=float(settings.variance_floor),
        prior=settings.honest_prior,
        splitter=settings.splitter,
        n_candidates=min(n_candidates(settings.max_features, n_screened), most),
        extra_candidates=math.ceil(min(settings.patience * n_screened, 2.0**62)),
        max_depth=min(settings.max_depth or _UNLIMITED, _UNLIMITED),
        min_samples_split=_n_rows(split, 2, n_rows),
        min_samples_leaf=_n_rows(settings.min_samples_leaf, 1, n_rows),
        min_weight_fraction_leaf=float(settings.min_weight_fraction_leaf),
        min_balance=float(settings.min_balance),
        max_leaf_nodes=min(settings.max_leaf_nodes, _UNLIMITED) if settings.max_leaf_nodes else 2**63 - 1,
        min_impurity_decrease=float(settings.min_impurity_decrease),
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
    return max(1, int(float(max_features) * n_features))
