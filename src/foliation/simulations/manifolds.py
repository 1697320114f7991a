"""Points on a manifold in three dimensions, hidden among columns of noise, with their true geodesic distances."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from foliation.memory import check_memory
from foliation.printable import quoted
from foliation.simulations._common import Floats, RandomState, check_number, check_size, generator
from foliation.validation import check_flag, is_one_of

_DIRECTION = np.array([4.0, 6.0, 9.0])  # of the line, from the origin to its end
_TURNS = (2 * math.pi, 9 * math.pi)  # the helix winds between these angles
_RADIUS = 9.0  # of the sphere
_WEIGHTS = np.array([0.3, 0.3, 0.4])  # of the components of the mixture
_CENTERS = np.array([-3.0, 0.0, 3.0])  # of the components, in each of the three coordinates


class Manifold(NamedTuple):
    """Points near a manifold, and what is true of them.

    Attributes
    ----------
    points : ndarray of float64, shape (n, 3 + noise_dimensions)
        The points as they are observed: three columns of signal, then the noise.
    latent : ndarray, shape (n,) or (n, d)
        Where each point lies on the manifold.
    distances : ndarray of float64, shape (n, n)
        Distances between the points along the manifold, without noise and never rescaled.
    """

    points: Floats
    latent: NDArray[Any]
    distances: Floats


def line(
    n: int = 1000,
    *,
    noise_dimensions: int = 0,
    noise_variance: float = 70.0,
    rescale: bool = False,
    random_state: RandomState = None,
) -> Manifold:
    """Place points evenly on the line (4t, 6t, 9t), t between 0 and 1.

    The points are the middles of n equal parts of the line, in order; only the noise is random. The manifold is the
    linear setting of the GF paper.

    Parameters
    ----------
    n : int
        Number of points, at least 1.
    noise_dimensions : int
        Number of columns of normal noise after the three of signal. More of them leave the first as they are.
    noise_variance : float
        Variance of the noise, not negative.
    rescale : bool
        Whether each column is mapped linearly to [0, 1]; a constant column becomes 0.
    random_state : int, numpy.random.Generator or None
        Seed or generator.

    Returns
    -------
    Manifold
        The latent coordinate is t, shape (n,); distances are lengths along the line.
    """
    _check(n, noise_dimensions, noise_variance)
    t = _even_grid(n, 0.0, 1.0)
    # Counted in steps of the grid, so that points equally far on either side are exactly equally far.
    steps = _gaps(np.arange(n, dtype=np.float64))
    points = _observe(t[:, None] * _DIRECTION, noise_dimensions, noise_variance, rescale, random_state)
    return Manifold(points, t, steps * (np.linalg.norm(_DIRECTION) / n))


def helix(
    n: int = 1000,
    *,
    noise_dimensions: int = 0,
    noise_variance: float = 70.0,
    rescale: bool = False,
    random_state: RandomState = None,
) -> Manifold:
    """Place points on the conical helix (t cos t, t sin t, t), t between 2 pi and 9 pi.

    The values of t are the middles of n equal parts of that range, in order; only the noise is random. The manifold
    is the helix of the GF paper.

    Parameters
    ----------
    n, noise_dimensions, noise_variance, rescale, random_state
        As in ``line``.

    Returns
    -------
    Manifold
        The latent coordinate is t, shape (n,); distances are lengths along the curve.
    """
    _check(n, noise_dimensions, noise_variance)
    t = _even_grid(n, *_TURNS)
    signal = np.column_stack((t * np.cos(t), t * np.sin(t), t))
    points = _observe(signal, noise_dimensions, noise_variance, rescale, random_state)
    return Manifold(points, t, _gaps(_helix_length(t)))


def sphere(
    n: int = 1000,
    *,
    noise_dimensions: int = 0,
    noise_variance: float = 70.0,
    rescale: bool = False,
    random_state: RandomState = None,
) -> Manifold:
    """Draw points on a sphere of radius 9.

    A point is 9 (cos u sin v, sin u sin v, cos v) with u uniform on (0, 2 pi) and v on (0, pi), so that points crowd
    near the poles. The GF paper takes u and v from evenly spaced grids; here they are drawn at random from the same
    ranges, so that n need not be a product of two sides.

    Parameters
    ----------
    n, noise_dimensions, noise_variance, rescale, random_state
        As in ``line``.

    Returns
    -------
    Manifold
        The latent coordinates are u and v, shape (n, 2); distances are those along great circles.
    """
    _check(n, noise_dimensions, noise_variance)
    rng = generator(random_state)
    u, v = rng.random((n, 2)).T * np.array([[2 * math.pi], [math.pi]])
    directions = np.column_stack((np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)))
    points = _observe(_RADIUS * directions, noise_dimensions, noise_variance, rescale, rng)
    return Manifold(points, np.column_stack((u, v)), _RADIUS * _angles(directions))


def gaussian_mixture(
    n: int = 1000,
    *,
    truth: Literal["component", "euclidean"] = "component",
    noise_dimensions: int = 0,
    noise_variance: float = 70.0,
    rescale: bool = False,
    random_state: RandomState = None,
) -> Manifold:
    """Draw points from three normal distributions with unit covariance.

    The means are (-3, -3, -3), (0, 0, 0) and (3, 3, 3), with weights 0.3, 0.3 and 0.4. The mixture is that of the GF
    paper, whose text calls points of one component neighbours; its published values take the Euclidean distance.

    Parameters
    ----------
    truth : {"component", "euclidean"}
        What the latent coordinates and the distances are. The points are the same for both.
    n, noise_dimensions, noise_variance, rescale, random_state
        As in ``line``.

    Returns
    -------
    Manifold
        With "component" the latent coordinates are the numbers 0, 1, 2 of the components, shape (n,), and distances
        are 0 within a component and infinite between two. With "euclidean" they are the three columns of signal, shape
        (n, 3), and the Euclidean distances between them.
    """
    _check(n, noise_dimensions, noise_variance)
    if not is_one_of(truth, ("component", "euclidean")):
        raise ValueError(f"truth is {quoted(truth)}; it must be 'component' or 'euclidean'")
    rng = generator(random_state)
    component = rng.choice(3, size=n, p=_WEIGHTS)
    signal = _CENTERS[component][:, None] + rng.standard_normal((n, 3))
    points = _observe(signal, noise_dimensions, noise_variance, rescale, rng)
    if truth == "euclidean":
        return Manifold(points, signal, cdist(signal, signal))
    return Manifold(points, component, np.where(component[:, None] == component, 0.0, math.inf))


def _check(n: int, noise_dimensions: int, noise_variance: float) -> None:
    """Raise unless the sizes and the variance are in their ranges and n by n distances fit into memory."""
    check_size("n", n)
    check_size("noise_dimensions", noise_dimensions, least=0)
    check_number("noise_variance", noise_variance, least=0)
    check_memory(f"true distances between {n} points", 8.0 * n * n, "fewer points take less")


def _even_grid(n: int, low: float, high: float) -> Floats:
    """Return the middles of n equal parts of an interval."""
    return low + (high - low) * (np.arange(n) + 0.5) / n


def _gaps(places: Floats) -> Floats:
    """Return the distances between points at these places of a line."""
    return np.abs(places[:, None] - places)


def _helix_length(t: Floats) -> Floats:
    """Return the length of the helix from 0 to t: the integral of its speed, sqrt(t^2 + 2)."""
    return np.asarray(t / 2 * np.sqrt(t * t + 2) + np.arcsinh(t / math.sqrt(2.0)))


def _angles(directions: Floats) -> Floats:
    """Return the angles between unit vectors, as exact for nearly equal and nearly opposite ones as for others."""
    return np.asarray(2 * np.arctan2(cdist(directions, directions), cdist(directions, -directions)))


def _observe(
    signal: Floats, noise_dimensions: int, noise_variance: float, rescale: bool, random_state: RandomState
) -> Floats:
    """Append columns of noise to the signal; then map each column to [0, 1] if asked to."""
    check_flag("rescale", rescale)
    rng = generator(random_state)
    # One column after the other, so that the first ones do not depend on how many there are.
    noise = rng.normal(scale=math.sqrt(abs(noise_variance)), size=(noise_dimensions, len(signal))).T
    points = np.ascontiguousarray(np.hstack((signal, noise)))
    if not rescale:
        return points
    low = points.min(axis=0)
    width = points.max(axis=0) - low
    return np.asarray((points - low) / np.where(width > 0, width, 1.0))
