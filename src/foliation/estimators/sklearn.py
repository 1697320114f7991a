"""scikit-learn's base classes and decorators, typed, in all versions that are supported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, MultiOutputMixin, TransformerMixin
from sklearn.utils import metaestimators

try:  # scikit-learn 1.9 and newer
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks

    _CALLBACKS: tuple[type, ...] = (CallbackSupportMixin,)
except ImportError:
    _with_callbacks = None
    _CALLBACKS = ()

BASES: tuple[type, ...] = (
    *_CALLBACKS,
    MultiOutputMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    BaseEstimator,
)
Estimator = TypeVar("Estimator")
Method = TypeVar("Method", bound=Callable[..., Any])


def with_callbacks(method: Method) -> Method:
    """Let scikit-learn's callbacks end cleanly around a ``fit``, where it has any."""
    if _with_callbacks is None:
        return method
    managed: Method = _with_callbacks(method)
    return managed


def available_if(check: Callable[[Estimator], bool]) -> Callable[[Method], Method]:
    """Hide a method from estimators for which it has no meaning."""
    decorate: Callable[[Method], Method] = metaestimators.available_if(check)
    return decorate
