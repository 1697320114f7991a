"""Distances between points in any of the forms in which they are given, read some rows at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foliation.printable import quoted

Geodesic: TypeAlias = Callable[[Any, Any], Any]


class Distances(NamedTuple):
    """Distances between n points."""

    name: str
    n: int
    rows: Callable[[slice], NDArray[Any]]  # the distances of some points to all, shape (rows, n)
    discrete: bool = False  # whether all points at a finite distance are neighbours, however many


def read_truth(true: Any, geodesic: Geodesic | None) -> Distances:
    """Read what is true in any of its forms."""
    if geodesic is not None:
        truth = _coordinates(true, geodesic)
    elif np.ndim(true) == 1:
        truth = _components(np.asarray(true))
    else:
        truth = read_matrix("true", true)
    if truth.n < 2:
        raise ValueError(f"true has {truth.n} points; neighbours need at least 2")
    return truth


def _coordinates(true: Any, geodesic: Geodesic) -> Distances:
    """Distances between coordinates by a function of two arrays of them."""
    if not callable(geodesic):
        raise TypeError(f"geodesic is {quoted(geodesic)}; it must be a function of two arrays of coordinates")
    places = np.asarray(true)
    if places.ndim not in (1, 2):
        raise ValueError(f"true has shape {places.shape}; coordinates must have shape (n,) or (n, d)")

    def rows(here: slice) -> NDArray[Any]:
        block, wanted = np.asarray(geodesic(places[here], places)), (here.stop - here.start, len(places))
        if block.shape != wanted:
            raise ValueError(f"geodesic returned shape {block.shape}; distances of these points must have {wanted}")
        return block

    return Distances("what geodesic returned", len(places), rows)


def _components(labels: NDArray[Any]) -> Distances:
    """Distances of 0 between points of one component, and infinite ones between others."""
    if labels.dtype.kind not in "biuUSO":
        what = "components must be integers or strings, and coordinates need geodesic="
        raise TypeError(f"true holds one {labels.dtype} for each point; {what}")
    if any(label is None or label != label for label in labels.tolist()):
        raise ValueError("true contains NaN or None; every point must belong to a component")
    numbers: dict[Any, int] = {}
    components = np.array([numbers.setdefault(label, len(numbers)) for label in labels.tolist()])

    def rows(here: slice) -> NDArray[Any]:
        return np.where(components[here, None] == components, 0.0, math.inf)

    return Distances("true", len(labels), rows, discrete=True)


def read_matrix(name: str, given: Any) -> Distances:
    """Distances given as a square matrix; what a sparse one does not store is infinitely far."""
    is_sparse = hasattr(given, "tocsr")
    matrix: Any = given.tocsr(copy=True) if is_sparse else np.asarray(given)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name} has shape {matrix.shape}; distances must be a square matrix")
    if matrix.dtype.kind not in "biuf":
        raise TypeError(f"{name} has dtype {matrix.dtype}; distances must be real numbers")
    if not is_sparse:
        return Distances(name, len(matrix), matrix.__getitem__)
    matrix.sum_duplicates()

    def rows(here: slice) -> NDArray[Any]:
        entries = matrix[here].tocoo()
        block = np.full(entries.shape, math.inf)
        block[entries.row, entries.col] = entries.data
        return block

    return Distances(name, matrix.shape[0], rows)
