"""How well distances that were found keep the true neighbours: geodesic precision and recall.

They are those of section 3.5 of the Geodesic Forests paper. The *relevant* points of a point are its k truly nearest
ones if the truth is continuous, and all others of its component if it is discrete; the *retrieved* ones are the k
nearest by the distances found. Precision is the share of the retrieved that are relevant, recall the share of the
relevant that are retrieved. A point is never its own neighbour.

Ties: points nearer than the k-th distance are among the nearest k, and those at the k-th distance share the places
that are left in equal parts. The values are therefore means over breaking all ties at random, those of the truth and
those of the distances found apart from each other, and depend on no order of rows. Infinite distances are ties, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foliation.metrics.distances import Distances, Geodesic, read_matrix, read_truth
from foliation.simulations._common import check_size

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

_BLOCK = 2**18  # pairs of points looked at together


class _Nearest(NamedTuple):
    """The nearest of some points among all others, for several numbers of neighbours.

    Those nearer than the bound belong to them; those at the bound share the places left until the size is reached.
    """

    distances: Floats  # (rows, n - 1), self left out
    bounds: Floats  # (rows, numbers)
    sizes: Ints  # (rows, numbers)


def geodesic_precision(
    true: Any, found: Any, k: int | Sequence[int], *, geodesic: Geodesic | None = None
) -> NDArray[np.float64]:
    """Return for each point the share of its k nearest points that are truly near.

    Parameters
    ----------
    true : array of shape (n, n), (n,) or (n, d)
        What is true, in one of three forms. A square matrix of distances, where a sparse matrix leaves out what is
        infinitely far. Coordinates, together with ``geodesic``. One label for each point, an integer or a string: the
        component that it belongs to. If some distances of a point are infinite its truth is discrete, too: all points
        at a finite distance are relevant.
    found : array or sparse matrix of shape (n, n)
        Distances found. What a sparse matrix does not store is infinitely far.
    k : int or sequence of int
        Number of neighbours, from 1 to n - 1; several for a curve.
    geodesic : callable, optional
        Function of two arrays of coordinates that returns the distances of each row of the first to each row of the
        second.

    Returns
    -------
    ndarray of float64, shape (n,) or (n, len(k))
        A value for each point, or a row of values for each point if several k are given.

    Examples
    --------
    >>> import numpy as np
    >>> from foliation.metrics import geodesic_precision
    >>> true = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    >>> found = np.abs(np.subtract.outer([0, 1, 2, 9, 3], [0, 1, 2, 9, 3]))
    >>> geodesic_precision(true, found, 2)
    array([1. , 1. , 0.5, 1. , 0.5])
    """
    hits, _ = _compare(true, found, k, geodesic)
    return _as_asked(hits / np.asarray(k), k)


def geodesic_recall(
    true: Any, found: Any, k: int | Sequence[int], *, geodesic: Geodesic | None = None
) -> NDArray[np.float64]:
    """Return for each point the share of the points truly near that are among its k nearest.

    With continuous truth k points are relevant and k retrieved, so that recall and precision are equal. The only point
    of a component has nothing to be found: its recall is 1, and its precision 0.

    Parameters
    ----------
    true, found, k, geodesic
        As in ``geodesic_precision``.

    Returns
    -------
    ndarray of float64, shape (n,) or (n, len(k))
        A value for each point, or a row of values for each point if several k are given.
    """
    hits, relevant = _compare(true, found, k, geodesic)
    return _as_asked(np.divide(hits, relevant, out=np.ones_like(hits), where=relevant > 0), k)


def geodesic_chance(true: Any, k: int | Sequence[int], *, geodesic: Geodesic | None = None) -> NDArray[np.float64]:
    """Return for each point the precision that is expected of guessing.

    It is the share of the other points that are relevant: k / (n - 1) with continuous truth. The recall expected of
    guessing is k / (n - 1) with any truth.

    Parameters
    ----------
    true, k, geodesic
        As in ``geodesic_precision``.

    Returns
    -------
    ndarray of float64, shape (n,) or (n, len(k))
        A value for each point, or a row of values for each point if several k are given.
    """
    truth = read_truth(true, geodesic)
    ks = _numbers(k, truth.n)
    relevant = np.vstack([_relevant(truth, here, ks).sizes for here in _blocks(truth.n)])
    return _as_asked(relevant / (truth.n - 1), k)


def _compare(true: Any, found: Any, k: int | Sequence[int], geodesic: Geodesic | None) -> tuple[Floats, Ints]:
    """Return how many retrieved points are relevant, and how many are relevant, for each point and each k."""
    truth = read_truth(true, geodesic)
    answer = read_matrix("found", found)
    if answer.n != truth.n:
        raise ValueError(f"found has {answer.n} points and true has {truth.n}; they must be the same points")
    ks = _numbers(k, truth.n)
    hits, sizes = [], []
    for here in _blocks(truth.n):
        relevant = _relevant(truth, here, ks)
        retrieved = _nearest(answer, here, ks)
        hits.append(np.column_stack([_overlap(relevant, retrieved, i) for i in range(len(ks))]))
        sizes.append(relevant.sizes)
    return np.vstack(hits), np.vstack(sizes)


def _as_asked(values: Floats, k: int | Sequence[int]) -> Floats:
    """Return one value for each point if one k was given."""
    return values[:, 0] if np.ndim(k) == 0 else values


def _numbers(k: int | Sequence[int], n: int) -> Ints:
    """Return the numbers of neighbours as an array."""
    if np.ndim(k) > 1 or np.size(k) == 0:
        raise ValueError(f"k has shape {np.shape(k)}; it must be an integer or a sequence of integers")
    ks: Sequence[Any] = [k] if np.ndim(k) == 0 else list(k)  # type: ignore[arg-type]
    for number in ks:
        check_size("k", number, most=n - 1)
    return np.array(ks, dtype=np.int64)


def _blocks(n: int) -> list[slice]:
    """Cut n rows into blocks that fit into the cache."""
    step = max(1, _BLOCK // n)
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def _relevant(truth: Distances, here: slice, ks: Ints) -> _Nearest:
    """Return the relevant points of a block: the nearest k, or all at a finite distance if the truth is discrete."""
    near = _nearest(truth, here, ks)
    discrete = (near.distances == math.inf).any(axis=1) | truth.discrete
    near.bounds[discrete] = math.inf
    near.sizes[discrete] = (near.distances[discrete] < math.inf).sum(axis=1, keepdims=True)
    return near


def _nearest(given: Distances, here: slice, ks: Ints) -> _Nearest:
    """Return the nearest k of a block of points, for each k."""
    block = np.asarray(given.rows(here), dtype=np.float64)
    others = np.arange(given.n) != np.arange(here.start, here.stop)[:, None]
    distances = block[others].reshape(len(block), -1)
    if np.isnan(distances).any():
        raise ValueError(f"{given.name} holds NaN; every distance must be a number")
    bounds = np.partition(distances, np.unique(ks - 1), axis=1)[:, ks - 1]
    return _Nearest(distances, bounds, np.tile(ks, (len(block), 1)))


def _overlap(relevant: _Nearest, retrieved: _Nearest, column: int) -> Floats:
    """Return the expected number of points that are in both sets, for each row of a block and one k."""
    whole, part, share = _members(relevant, column)
    whole_too, part_too, share_too = _members(retrieved, column)
    surely = np.count_nonzero(whole & whole_too, axis=1) + share_too * np.count_nonzero(whole & part_too, axis=1)
    perhaps = np.count_nonzero(part & whole_too, axis=1) + share_too * np.count_nonzero(part & part_too, axis=1)
    return np.asarray(surely + share * perhaps)


def _members(near: _Nearest, column: int) -> tuple[Bools, Bools, Floats]:
    """Return who belongs to the nearest wholly, who in part, and that part for each row."""
    bounds = near.bounds[:, column, None]
    whole, part = near.distances < bounds, near.distances == bounds
    places = near.sizes[:, column] - np.count_nonzero(whole, axis=1)
    return whole, part, places / np.maximum(np.count_nonzero(part, axis=1), 1)
