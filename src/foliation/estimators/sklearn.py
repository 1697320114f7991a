"""What differs between the versions of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from foliation.data.arrays import Data

try:  # scikit-learn 1.9 and newer
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks

    CALLBACKS: tuple[type, ...] = (CallbackSupportMixin,)
except ImportError:
    _with_callbacks = None
    CALLBACKS = ()

Method = TypeVar("Method", bound=Callable[..., Data])


def with_callbacks(method: Method) -> Method:
    """Let scikit-learn's callbacks end cleanly around a ``fit``, where it has any."""
    if _with_callbacks is None:
        return method
    managed: Method = _with_callbacks(method)
    return managed
