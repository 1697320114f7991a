"""Whether two values are the same, with the same types in all their parts."""

from __future__ import annotations

from typing import Any

import numpy as np


def identical(a: Any, b: Any) -> bool:
    """Return whether two values are equal and all their parts have the same types; NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and identical(a.ravel().tolist(), b.ravel().tolist())
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    if isinstance(a, dict):
        return identical(list(a), list(b)) and identical(list(a.values()), list(b.values()))
    if hasattr(a, "get_params"):
        return identical(a.get_params(deep=False), b.get_params(deep=False))
    return bool(a == b or (a != a and b != b))
