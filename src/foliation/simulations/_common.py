"""What the problems share: the types they return, checks of arguments, labels and two functions."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

RandomState: TypeAlias = int | np.random.Generator | None
Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.int64]

N_TIMES = 100  # time points of every series


def check_size(name: str, value: int, most: int | None = None, *, least: int = 1) -> None:
    """Raise unless the value is an integer from `least` to `most`."""
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_integer or value < least or (most is not None and value > most):
        wanted = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {value!r}; it must be an integer {wanted}")


def alternating_labels(n: int) -> Labels:
    """Return the labels 0, 1, 0, 1, ... of n rows."""
    check_size("n", n)
    return np.arange(n, dtype=np.int64) % 2


def as_rows(X: ArrayLike) -> Floats:
    """Return X as a matrix of floats with at least one column."""
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"X has shape {rows.shape}; it must have two dimensions and at least one column")
    return rows


def logistic(z: Floats) -> Floats:
    """Compute 1 / (1 + exp(-z)) without overflow."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -z)), dtype=np.float64)


def normal_cdf(z: float) -> float:
    """Compute the standard normal distribution function."""
    return 0.5 * (1.0 + math.erf(z / math.sqrt(2.0)))
