"""Checks of single arguments: errors say which argument was given, what it was, and what was expected."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from foliation.data.arrays import Floats
from foliation.printable import quoted

LARGEST = 2**31 - 1  # number that the core counts to


def is_integer(value: object, least: int, most: int = LARGEST) -> bool:
    """Return whether a value is an integer within bounds, and no boolean."""
    return isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most


def is_number(value: float, least: float, most: float) -> bool:
    """Return whether a value is a real number from ``least`` to ``most``, and no boolean."""
    return isinstance(value, Real) and not isinstance(value, bool) and least <= value <= most


def is_one_of(value: object, allowed: Collection[str]) -> bool:
    """Return whether a value is one of some words; arrays and lists are none."""
    return isinstance(value, str) and value in allowed


def check_count(name: str, value: object, least: int) -> None:
    """Raise ValueError for anything but an integer of at least ``least``."""
    if not is_integer(value, least):
        raise ValueError(f"{name}={quoted(value)}: expected an integer of at least {least}")


def check_flag(name: str, value: object) -> None:
    """Raise TypeError for anything but True and False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}={quoted(value)}: expected True or False")


def check_sequence(name: str, value: object) -> None:
    """Raise TypeError for what is no list, tuple or array."""
    unsized = isinstance(value, np.ndarray) and value.ndim == 0
    if isinstance(value, str | bytes | dict) or not hasattr(value, "__len__") or unsized:
        raise TypeError(f"{name}={quoted(value)}: expected a sequence")


def real_numbers(name: str, value: ArrayLike) -> Floats:
    """Return an array of real numbers; raise TypeError for anything else."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biuf" or (array.dtype.kind == "O" and array.size):
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise TypeError(f"{name}={quoted(value)}: expected real numbers")


def check_text(name: str, value: object) -> None:
    """Raise TypeError for anything but text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}={quoted(value)}: expected text")


@contextmanager
def named(name: str) -> Iterator[None]:
    """Let errors of a check of X name another argument."""
    try:
        yield
    except (ValueError, TypeError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(re.sub(r"\bX\b", name, str(error), count=1)) from error


def file_path(path: str | os.PathLike[str]) -> Path:
    """Return a path; raise an error for what names no file."""
    try:
        place = Path(os.fsdecode(path))
        os.fsencode(place)
    except TypeError:
        raise TypeError(f"path={quoted(path)}: expected the name of a file") from None
    except ValueError as error:  # what the file system cannot write
        raise ValueError(f"path={quoted(path)}: {error}") from None
    if "\0" in str(place):
        raise ValueError(f"path={quoted(path)}: expected a name without the character NUL")
    return place


def check_seed(random_state: object) -> None:
    """Raise TypeError for what scikit-learn takes for no seed."""
    is_seed = random_state is None or isinstance(random_state, np.random.RandomState)
    if not is_seed and not is_integer(random_state, 0, 2**32 - 1):
        raise TypeError(f"random_state={quoted(random_state)}: expected an integer from 0 to 2^32 - 1, or None")
