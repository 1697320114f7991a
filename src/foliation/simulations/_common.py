"""What the problems share: the types they return, checks of arguments, labels and two functions."""

from __future__ import annotations

import math
import sys
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foliation.printable import quoted
from foliation.validation import is_integer, is_number, real_numbers

RandomState: TypeAlias = int | np.random.Generator | None
Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.int64]

_LARGEST = 2**40  # rows or columns that no machine holds
N_TIMES = 100  # time points of every series


def check_size(name: str, value: int, most: int | None = None, *, least: int = 1) -> None:
    """Raise unless the value is an integer from `least` to `most`."""
    if not is_integer(value, least, _LARGEST if most is None else most):
        beyond = most is None and is_integer(value, least, value)
        wanted = f"of at least {least}" if most is None and not beyond else f"from {least} to {most or _LARGEST}"
        raise ValueError(f"{name} is {quoted(value)}; it must be an integer {wanted}")


def alternating_labels(n: int) -> Labels:
    """Return the labels 0, 1, 0, 1, ... of n rows."""
    check_size("n", n)
    return np.arange(n, dtype=np.int64) % 2


def as_rows(X: ArrayLike) -> Floats:
    """Return X as a matrix of floats with at least one column."""
    rows = real_numbers("X", X)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ValueError(f"X has shape {rows.shape}; it must have two dimensions and at least one column")
    return rows


def logistic(z: Floats) -> Floats:
    """Compute 1 / (1 + exp(-z)) without overflow."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -z)), dtype=np.float64)


def normal_cdf(z: float) -> float:
    """Compute the standard normal distribution function."""
    return 0.5 * (1.0 + math.erf(z / math.sqrt(2.0)))


def check_number(name: str, value: float, least: float = -math.inf) -> None:
    """Raise unless the value is a finite real number of at least `least`."""
    if not is_number(value, max(least, -sys.float_info.max), sys.float_info.max):
        bound = "" if least == -math.inf else f" of at least {least:g}"
        raise ValueError(f"{name}={quoted(value)}: expected a finite number{bound}")


def generator(random_state: RandomState) -> np.random.Generator:
    """Return a random number generator; raise TypeError for what is no seed."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        expected = "expected an integer of at least 0, a numpy.random.Generator or None"
        raise type(error)(f"random_state={quoted(random_state)}: {expected}") from None
