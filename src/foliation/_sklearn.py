"""The one door to scikit-learn's untyped classes and to what differs between its versions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
    clone,
)
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
from sklearn.utils.validation import check_is_fitted as _check_is_fitted
from sklearn.utils.validation import validate_data

try:  # scikit-learn 1.9 and newer
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:
    _with_callbacks = None

    class CallbackSupportMixin:  # type: ignore[no-redef]
        pass


Method = TypeVar("Method", bound=Callable[..., Any])


def with_callbacks(method: Method) -> Method:
    """Let scikit-learn's callbacks end cleanly around a ``fit``, where it has any."""
    if _with_callbacks is None:
        return method
    managed: Method = _with_callbacks(method)
    return managed


class Parameters(BaseEstimator):  # type: ignore[misc]
    """Something with ``get_params`` and ``set_params`` that ``clone`` and searches understand."""

    @classmethod
    @functools.cache  # scikit-learn reads the signature again at each call, several times in a fit
    def _get_param_names(cls) -> list[str]:
        names: list[str] = super()._get_param_names()
        return names


class Estimator(CallbackSupportMixin, MultiOutputMixin, Parameters):  # type: ignore[misc]
    """A scikit-learn estimator."""


class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin):  # type: ignore[misc]
    """What scikit-learn asks of an estimator that transforms; its columns are ``_n_features_out``."""


class Classifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """A scikit-learn classifier."""


def precomputed_mds(n_components: int, random_state: Any) -> Any:
    """Metric scaling of given distances, under the names that each version has for it."""
    from inspect import signature

    from sklearn.manifold import MDS  # kept off the import path

    names = signature(MDS).parameters
    given = {"metric": "precomputed"} if "metric_mds" in names else {"dissimilarity": "precomputed"}
    start = {"init": "random"} if "init" in names else {}
    return MDS(n_components, n_init=1, random_state=random_state, **given, **start)


class Regressor(RegressorMixin, Estimator):  # type: ignore[misc]
    """A scikit-learn regressor."""


def check_is_fitted(estimator: Any) -> None:
    """Raise scikit-learn's error if the estimator is not fitted."""
    if not estimator.__sklearn_is_fitted__():
        _check_is_fitted(estimator)


def seed_from(random_state: Any) -> int:
    """One 64-bit seed; the same for the same ``random_state`` on every platform."""
    return _seed_of_number(int(random_state)) if isinstance(random_state, Integral) else _drawn_seed(random_state)


@functools.lru_cache(maxsize=256)  # a generator takes longer to start than a small tree to grow
def _seed_of_number(number: int) -> int:
    return _drawn_seed(number)


def _drawn_seed(random_state: Any) -> int:
    return int(check_random_state(random_state).randint(0, 2**63 - 1, dtype=np.int64))


def checked_weights(weights: Any, X: NDArray[Any], name: str = "sample_weight") -> NDArray[np.float64]:
    """Weights of the rows as an array of finite, non-negative numbers that are not all zero."""
    array = np.asarray(weights)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {array.dtype}; it must hold real numbers")
    if array.shape not in ((), (len(X),)):
        raise ValueError(f"{name} has shape {array.shape}; it must be ({len(X)},), one weight for each row of X")
    bad = array[~(np.isfinite(array) & (array >= 0))]
    if bad.size:
        raise ValueError(f"{name} gives a row the weight {bad.flat[0]:g}; weights must be finite and at least 0")
    if not (array > 0).any():
        raise ValueError(f"{name} is zero for all rows; at least one weight must be positive")
    if not 1e-100 <= array.max() <= 1e100:
        raise ValueError(f"{name} has {array.max():g} as its largest weight; that must lie between 1e-100 and 1e100")
    return np.array(np.broadcast_to(array, len(X)), dtype=np.float64)


__all__ = [
    "Classifier",
    "Estimator",
    "Interval",
    "Parameters",
    "RealNotInt",
    "Regressor",
    "StrOptions",
    "Transformer",
    "check_is_fitted",
    "checked_weights",
    "clone",
    "precomputed_mds",
    "seed_from",
    "validate_data",
    "with_callbacks",
]
