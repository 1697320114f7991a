"""Views of series in NumPy: the readable specification that the core must agree with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def difference(x: Floats, circle: bool) -> Floats:
    return np.roll(x, -1, axis=-1) - x if circle else np.diff(x, axis=-1)


def spectrum(x: Floats) -> Floats:
    """Magnitudes of the frequencies 1 .. T // 2, to 2^-40 of the largest, or of what is half as large."""
    found = np.abs(np.fft.rfft(x - x.mean(axis=-1, keepdims=True), axis=-1))[..., 1:]
    step = np.ldexp(1.0, np.frexp(found.max(axis=-1, keepdims=True))[1] - 41)
    return np.asarray(np.rint(found / step) * step)


def edge(x: Floats, axis: int, sign: int, circle: bool) -> Floats:
    """Return how much brighter the next cell is, or darker; along the axis before the last, zeros at its end."""
    apart = sign * (np.roll(x, -1, axis) - x if circle else np.diff(x, axis=axis))
    if axis == -2 and not circle:
        apart = np.concatenate([apart, np.zeros_like(x[..., :1, :])], axis=-2)
    return np.maximum(apart, 0.0)


def relative(x: Floats) -> Floats:
    """Return series less the mean of all along the axis before the last."""
    apart = x - x[..., :1, :]
    return np.asarray(apart - apart.mean(axis=-2, keepdims=True))


def view(name: str, X: NDArray[Any], circle: bool = False, tube: bool = False) -> Floats:
    x = X.astype(np.float64)
    return {
        "raw": lambda: x,
        "difference": lambda: difference(x, circle),
        "spectrum": lambda: spectrum(x),
        "relative": lambda: relative(x),
        "relative_spectrum": lambda: spectrum(relative(x)),
        "east": lambda: edge(x, -1, 1, circle),
        "west": lambda: edge(x, -1, -1, circle),
        "south": lambda: edge(x, -2, 1, tube),
        "north": lambda: edge(x, -2, -1, tube),
    }[name]()


def views(X: NDArray[Any], names: Sequence[str], circle: bool = False, tube: bool = False) -> Floats:
    """Return all views of rows on a grid, (n, views, *grid), padded with zeros."""
    cells = np.zeros((len(X), len(names), *X.shape[1:]))
    for number, name in enumerate(names):
        found = view(name, X, circle, tube)
        cells[:, number, ..., : found.shape[-1]] = found
    return cells


def exponents(training: Floats) -> NDArray[np.int64]:
    """Return the powers of two that bring the largest number of each view to between 1 and 2."""
    largest = np.abs(training).reshape(len(training), training.shape[1], -1).max(axis=(0, 2))
    found = np.zeros(len(largest), np.int64)
    found[largest > 0] = -np.floor(np.log2(largest[largest > 0]))
    return found


def scaled(cells: Floats, training: Floats) -> Floats:
    by = 2.0 ** exponents(training)
    return np.asarray(cells * by.reshape(-1, *[1] * (cells.ndim - 2)))
