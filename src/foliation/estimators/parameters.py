"""Which values the parameters of forests may have, as scikit-learn checks them."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TypeAlias

from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, InvalidParameterError, RealNotInt, StrOptions

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


def shortened_error(estimator: BaseEstimator, error: InvalidParameterError) -> InvalidParameterError:
    """Return an error that quotes the value of a parameter on one line, however long."""
    text = str(error)
    for value in estimator.get_params(deep=False).values():
        text = text.replace(repr(value), quoted(value))
    return InvalidParameterError(text)
