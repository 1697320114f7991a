"""A forest's parameters as the plain numbers that the core reads."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation.presets import bootstraps
from foliation.projections import Axis
from foliation.rows import isa, n_threads

SPLITTERS = ("auto", "exact", "histogram", "random")  # in the order of the core
PRIORS = ("ancestor", "uniform", "empirical", "ignore")
_UNLIMITED = 2**31 - 1


def sampling(
    forest: Any, n_rows: int, weights: NDArray[np.float64] | None, groups: NDArray[np.int32]
) -> dict[str, Any]:
    """Return what the draws of each tree's rows depend on, besides the seed and the tree."""
    units, what = (groups, "groups") if len(groups) else (np.arange(n_rows), "rows")
    n_units = int(units.max()) + 1
    n_draws = _n_draws(forest, n_units, None if len(groups) else weights, what)
    n_weighted = n_units if weights is None else len(np.unique(units[weights > 0]))
    if forest.honest and min(n_draws, n_weighted) < 2:
        raise ValueError(f"honest trees need at least two {what}: one to grow them and one to fill them")
    some_left_out = bootstraps(forest) or n_draws < n_units
    by_oob = bool(forest.honest) and forest.honest_fill == "oob"
    if by_oob and not isinstance(forest.honest, bool | np.bool_):
        raise ValueError(f'honest_fill="oob" lets the whole sample grow a tree: set honest=True, not {forest.honest}')
    if by_oob and not some_left_out:
        raise ValueError('honest_fill="oob" needs rows out of the bag: bootstrap=True, or max_samples below n')
    if by_oob and forest.oob_score:
        raise ValueError('honest_fill="oob" fills leaves with the rows out of the bag, so none are left for oob_score')
    if forest.oob_score and not some_left_out:
        raise ValueError("oob_score=True needs rows out of the bag: bootstrap=True, or max_samples below n")
    return {
        "n_rows": n_rows,
        "n_draws": n_draws,
        "bootstrap": bootstraps(forest),
        "balanced_subsample": bootstraps(forest) and forest.class_weight == "balanced_subsample",
        "grow_share": _grow_share(forest),
        "fill_out_of_bag": by_oob,
        "weights": np.empty(0) if weights is None else weights,
        "groups": groups,
    }


def _grow_share(forest: Any) -> float:
    if isinstance(forest.honest, bool | np.bool_):
        return 0.5 if forest.honest else 1.0
    return float(forest.honest)


def _n_draws(forest: Any, n_rows: int, weights: NDArray[np.float64] | None, what: str) -> int:
    if forest.max_samples is None:
        return n_rows
    if callable(forest.max_samples):
        n_draws = _called(forest.max_samples, n_rows)
    elif isinstance(forest.max_samples, Integral):
        n_draws = int(forest.max_samples)
    else:
        n_draws = max(1, int(forest.max_samples * (n_rows if weights is None else weights.sum())))
    if n_draws > _UNLIMITED:
        raise ValueError(
            f"max_samples={forest.max_samples} asks for {n_draws} {what}; at most {_UNLIMITED} can be drawn"
        )
    if not bootstraps(forest) and n_draws > n_rows:
        raise ValueError(
            f"max_samples={forest.max_samples} asks for {n_draws} {what} without replacement, but there are {n_rows}"
        )
    return n_draws


def _called(size: Any, n_rows: int) -> int:
    found = size(n_rows)
    if not isinstance(found, Integral) or isinstance(found, bool) or found < 1:
        raise ValueError(f"max_samples={size!r} gives {found!r} for {n_rows} rows; it must give a number of rows")
    return int(found)


def rules(forest: Any, n_rows: int, n_features: int) -> dict[str, Any]:
    def rows_of(value: float, least: int) -> int:
        return min(int(value), _UNLIMITED) if isinstance(value, Integral) else max(least, math.ceil(value * n_rows))

    n_drawn = forest._n_features_drawn(n_features)
    return {
        "criterion": forest.criterion,
        "variance_floor": float(forest.variance_floor),
        "n_threads": n_threads(forest.n_jobs),
        "n_candidates": min(n_candidates(forest, n_drawn), _most_candidates(forest, n_features)),
        "patience": math.ceil(min(forest.patience * n_drawn, 2.0**62)),
        "honest_prior": PRIORS.index(forest.honest_prior),
        "splitter": SPLITTERS.index(forest.splitter),
        "isa": isa(),
        "max_depth": min(forest.max_depth or _UNLIMITED, _UNLIMITED),
        "min_samples_split": rows_of(forest._min_samples_split(n_rows), 2),
        "min_samples_leaf": rows_of(forest.min_samples_leaf, 1),
        "min_weight_fraction_leaf": float(forest.min_weight_fraction_leaf),
        "max_leaf_nodes": min(forest.max_leaf_nodes, _UNLIMITED) if forest.max_leaf_nodes else 2**63 - 1,
        "min_balance": float(forest.min_balance),
        "min_impurity_decrease": float(forest.min_impurity_decrease),
    }


def _most_candidates(forest: Any, n_features: int) -> int:
    """Single features are drawn without replacement, so there are no more of them."""
    return n_features if isinstance(forest.projections_, Axis) else _UNLIMITED


def n_candidates(forest: Any, n_features: int) -> int:
    """Return how many candidates a node draws."""
    if forest.max_features is None:
        return n_features
    if forest.max_features == "sqrt":
        return max(1, int(math.sqrt(n_features)))
    if forest.max_features == "log2":
        return max(1, int(math.log2(n_features)))
    if isinstance(forest.max_features, Integral):
        return int(forest.max_features)
    return max(1, int(forest.max_features * n_features))
