"""Which values the parameters of forests may have, as scikit-learn checks them."""

from __future__ import annotations

from contextlib import suppress
from numbers import Integral, Real
from typing import TypeAlias

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import (
    Interval,
    InvalidParameterError,
    RealNotInt,
    StrOptions,
    make_constraint,
    validate_parameter_constraints,
)

from foliation import _core
from foliation.printable import quoted
from foliation.validation import LARGEST

Constraints: TypeAlias = dict[str, list[object] | str]

COUNT = Interval(Integral, 1, None, closed="left")
_CRITERIA = _core.criterion_names()
_SHARE = Interval(RealNotInt, 0.0, 1.0, closed="neither")
_MIN_SAMPLES_SPLIT = [Interval(Integral, 2, None, closed="left"), Interval(RealNotInt, 0.0, 1.0, closed="right")]

SHARED: Constraints = {
    "n_estimators": [Interval(Integral, 1, LARGEST, closed="both")],
    "max_features": [COUNT, Interval(RealNotInt, 0.0, None, closed="neither"), StrOptions({"sqrt", "log2"}), None],
    "max_depth": [COUNT, None],
    "min_samples_split": _MIN_SAMPLES_SPLIT,
    "min_samples_leaf": [COUNT, _SHARE],
    "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
    "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
    "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
    "min_balance": [Interval(Real, 0.0, 0.5, closed="both")],
    "bootstrap": ["boolean", StrOptions({"auto"})],
    "max_samples": [None, COUNT, Interval(RealNotInt, 0.0, None, closed="neither"), callable],
    "warm_start": ["boolean"],
    "n_jobs": [Interval(Integral, -LARGEST, LARGEST, closed="both"), None],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
    "splitter": [StrOptions(set(_core.Splitter.__members__))],
    "projections": "no_validation",
}

SUPERVISED: Constraints = SHARED | {
    "oob_score": ["boolean", callable],
    "honest": ["boolean", _SHARE],
    "honest_fill": [StrOptions({"sample", "oob"})],
    "honest_prior": [StrOptions(set(_core.HonestPrior.__members__))],
}

CLASSIFIER: Constraints = SUPERVISED | {
    "criterion": [StrOptions(set(_CRITERIA.of_classes))],
    "class_weight": [StrOptions({"balanced", "balanced_subsample"}), dict, list, None],
}

REGRESSOR: Constraints = SUPERVISED | {
    "criterion": [StrOptions(set(_CRITERIA.of_numbers))],
    "honest_prior": [StrOptions({"ancestor", "empirical", "ignore"})],
}

GEODESIC: Constraints = SHARED | {
    "criterion": [StrOptions(set(_CRITERIA.of_clusters))],
    "splitter": [StrOptions({"auto", "exact"})],
    "bootstrap": ["boolean"],
    "min_samples_split": [*_MIN_SAMPLES_SPLIT, None],
    "variance_floor": [Interval(Real, 1e-9, 1.0, closed="both")],
    "patience": [Interval(Real, 0.0, None, closed="left")],
    "affinity": [StrOptions({"leaf", "depth"})],
    "screen": [Interval(Real, 0.0, 1.0, closed="both")],
    "n_neighbors": [COUNT],
}


def clear_error(estimator: BaseEstimator, error: Exception) -> Exception:
    """Return an error of a parameter that names it and quotes its value on one line, however long.

    scikit-learn raises others for numbers that it can neither compare nor write.
    """
    given = estimator.get_params(deep=False)
    if not isinstance(error, InvalidParameterError):
        return next((found for name in given if (found := _error_of(estimator, name, given[name]))), error)
    text = str(error)
    for value in given.values():
        with suppress(ValueError):  # an integer of too many digits
            text = text.replace(repr(value), quoted(value))
    shortened: Exception = InvalidParameterError(text)
    return shortened


def _error_of(estimator: BaseEstimator, name: str, value: object) -> Exception | None:
    """Return an error that names a parameter if its check fails without one that does."""
    constraints = estimator._parameter_constraints
    try:
        validate_parameter_constraints(constraints, {name: value}, type(estimator).__name__)
    except InvalidParameterError:
        return None
    except (ValueError, TypeError):
        expected = ", or ".join(str(make_constraint(one)) for one in constraints[name])
        refused: Exception = InvalidParameterError(f"{name}={quoted(value)}: expected {expected}")
        return refused
    return None
