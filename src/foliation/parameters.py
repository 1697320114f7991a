"""Objects that hold parameters only, so that ``clone``, searches and model files understand them."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

# What scikit-learn has as ``_get_param_names``, which reads the signature at each call.
cached_param_names: Any = classmethod(functools.cache(BaseEstimator._get_param_names.__func__))  # type: ignore[arg-type]


class Parameters(BaseEstimator):  # type: ignore[misc]
    """Base of parameter objects. A subclass registers itself by its name, under which model files store it.

    A class of a user never takes the name of one of ours.
    """

    registry: ClassVar[dict[str, type[Parameters]]] = {}
    _get_param_names = cached_param_names

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        known = Parameters.registry.get(cls.__name__)
        ours = known is not None and known.__module__.startswith("foliation.")
        if not ours or cls.__module__.startswith("foliation."):
            Parameters.registry[cls.__name__] = cls


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal; arrays, lists and parameter objects are compared by content."""
    if hasattr(a, "get_params"):
        return type(a) is type(b) and same(a.get_params(deep=False), b.get_params(deep=False))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if hasattr(a, "tocsr") or hasattr(b, "tocsr"):
        both = hasattr(a, "tocsr") and hasattr(b, "tocsr") and a.shape == b.shape
        return both and (a.tocsr() != b.tocsr()).nnz == 0
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float) and a != a:
        return b != b
    return np.array_equal(a, b)
