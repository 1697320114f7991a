"""Line, helix, sphere and mixture: true distances by other means, then the noise around them."""

from __future__ import annotations

import math
import re
from typing import Any
from unittest import mock

import numpy as np
import pytest
from scipy.integrate import quad
from simulated import MANIFOLDS

from foliation import memory, simulations
from foliation.printable import quoted
from foliation.simulations.manifolds import _angles

EVERY = pytest.mark.parametrize("name", MANIFOLDS)
MEANS = np.array([[-3.0] * 3, [0.0] * 3, [3.0] * 3])


# What all share


@EVERY
@pytest.mark.parametrize("n", [1, 2, 30])
def test_shapes_and_types(name: str, n: int) -> None:
    drawn = MANIFOLDS[name](n, noise_dimensions=4, random_state=0)
    assert isinstance(drawn, simulations.Manifold)
    assert drawn.points.shape == (n, 7)
    assert drawn.points.dtype == drawn.distances.dtype == np.float64
    assert drawn.points.flags.c_contiguous
    assert drawn.latent.shape == ((n, 2) if name == "sphere" else (n,))
    assert drawn.distances.shape == (n, n)


@EVERY
def test_defaults(name: str) -> None:
    points, latent, distances = MANIFOLDS[name]()
    assert points.shape == (1000, 3)
    assert len(latent) == len(distances) == 1000


@EVERY
def test_distances_are_a_metric(name: str) -> None:
    distances = MANIFOLDS[name](40, random_state=1).distances
    np.testing.assert_array_equal(distances, distances.T)
    assert (np.diag(distances) == 0).all()
    assert (distances >= 0).all()
    detours = (distances[:, :, None] + distances[None, :, :]).min(axis=1)
    assert (distances <= detours + 1e-10).all()


@pytest.mark.parametrize("name", ["line", "helix", "sphere"])
def test_distances_are_not_below_straight_ones(name: str) -> None:
    points, _, distances = MANIFOLDS[name](60, random_state=2)
    straight = np.linalg.norm(points[:, None] - points, axis=2)
    assert (distances >= straight - 1e-10).all()
    if name == "line":
        np.testing.assert_allclose(distances, straight, atol=1e-12)


@EVERY
def test_noise_is_normal_with_the_variance_asked_for(name: str) -> None:
    for asked, variance in (({}, 70.0), ({"noise_variance": 4}, 4.0)):
        noise = MANIFOLDS[name](500, noise_dimensions=40, random_state=3, **asked).points[:, 3:]
        scaled = noise / math.sqrt(variance)
        for moment, expected, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
            assert abs((scaled**moment).mean() - expected) < 5 * math.sqrt(spread / noise.size)
        off_diagonal = np.corrcoef(noise.T)[np.triu_indices(40, 1)]
        assert np.abs(off_diagonal).max() < 5 / math.sqrt(500)


@EVERY
def test_columns_do_not_depend_on_how_much_noise_follows(name: str) -> None:
    many = MANIFOLDS[name](50, noise_dimensions=9, random_state=4)
    for noise_dimensions in (0, 1, 5):
        few = MANIFOLDS[name](50, noise_dimensions=noise_dimensions, random_state=4)
        np.testing.assert_array_equal(few.points, many.points[:, : 3 + noise_dimensions])
        np.testing.assert_array_equal(few.latent, many.latent)
        np.testing.assert_array_equal(few.distances, many.distances)


@EVERY
def test_no_variance_gives_columns_of_zeros(name: str) -> None:
    points = MANIFOLDS[name](20, noise_dimensions=2, noise_variance=0, random_state=5).points
    assert (points[:, 3:] == 0).all()


@EVERY
def test_rescaled_columns_fill_the_unit_interval(name: str) -> None:
    plain = MANIFOLDS[name](50, noise_dimensions=5, random_state=6)
    rescaled = MANIFOLDS[name](50, noise_dimensions=5, rescale=True, random_state=6)
    assert (rescaled.points.min(axis=0) == 0).all()
    assert (rescaled.points.max(axis=0) == 1).all()
    width = np.ptp(plain.points, axis=0)
    np.testing.assert_allclose(rescaled.points * width + plain.points.min(axis=0), plain.points, atol=1e-12)
    np.testing.assert_array_equal(rescaled.latent, plain.latent)
    np.testing.assert_array_equal(rescaled.distances, plain.distances)


@EVERY
def test_rescaling_a_constant_column(name: str) -> None:
    one = MANIFOLDS[name](1, noise_dimensions=2, rescale=True, random_state=7).points
    np.testing.assert_array_equal(one, np.zeros((1, 5)))
    flat = MANIFOLDS[name](8, noise_dimensions=1, noise_variance=0, rescale=True, random_state=7).points
    assert (flat[:, 3] == 0).all()
    assert (flat[:, :3].max(axis=0) == 1).all()


@EVERY
@pytest.mark.parametrize("value", [-1, 2.5, "3", True, None])
def test_bad_noise_dimensions(name: str, value: Any) -> None:
    message = rf"^noise_dimensions is {re.escape(repr(value))}; it must be an integer of at least 0$"
    with pytest.raises(ValueError, match=message):
        MANIFOLDS[name](5, noise_dimensions=value)


@EVERY
@pytest.mark.parametrize("value", [-0.5, math.nan, math.inf, 10**400, "70", True, None])
def test_bad_noise_variance(name: str, value: Any) -> None:
    message = rf"^noise_variance={re.escape(quoted(value))}: expected a finite number of at least 0$"
    with pytest.raises(ValueError, match=message):
        MANIFOLDS[name](5, noise_variance=value)


@EVERY
def test_distances_that_do_not_fit_into_memory(name: str) -> None:
    message = r"^true distances between 1000 points would take 8 MB, but 1 MB are free; fewer points take less$"
    with mock.patch.object(memory, "available_bytes", lambda: 1e6), pytest.raises(MemoryError, match=message):
        MANIFOLDS[name](1000)


# Line


def test_line() -> None:
    points, t, distances = simulations.line(50)
    assert t[0] > 0
    assert t[-1] < 1
    np.testing.assert_allclose(np.diff(t), 1 / 50, rtol=1e-12)
    np.testing.assert_allclose(points, np.column_stack((4 * t, 6 * t, 9 * t)), rtol=1e-14)
    np.testing.assert_allclose(distances, math.sqrt(133) * np.abs(t[:, None] - t), atol=1e-13)


def test_line_has_exact_ties() -> None:
    distances = simulations.line(77).distances
    for step in (1, 3, 30):
        assert (np.diag(distances, step) == distances[0, step]).all()


# Helix


def test_helix_points() -> None:
    points, t, _ = simulations.helix(80)
    assert 2 * math.pi < t[0]
    assert t[-1] < 9 * math.pi
    np.testing.assert_allclose(np.diff(t), 7 * math.pi / 80, rtol=1e-12)
    np.testing.assert_allclose(points, np.column_stack((t * np.cos(t), t * np.sin(t), t)), rtol=1e-14)


def test_helix_lengths_by_integration() -> None:
    _, t, distances = simulations.helix(9)

    def speed(s: float) -> float:
        return math.hypot(math.cos(s) - s * math.sin(s), math.sin(s) + s * math.cos(s), 1.0)

    for i in range(9):
        for j in range(i, 9):
            assert math.isclose(distances[i, j], quad(speed, t[i], t[j])[0], rel_tol=1e-9, abs_tol=1e-12)


def test_helix_lengths_by_many_chords() -> None:
    points, _, distances = simulations.helix(2000)
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert math.isclose(distances[0, -1], chords.sum(), rel_tol=1e-5)


# Sphere


def test_sphere_points() -> None:
    points, latent, _ = simulations.sphere(4000, random_state=0)
    u, v = latent.T
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 9)
    np.testing.assert_allclose(points[:, 2], 9 * np.cos(v), atol=1e-13)
    np.testing.assert_allclose(points[:, 0], 9 * np.cos(u) * np.sin(v), atol=1e-13)
    np.testing.assert_allclose(points[:, 1], 9 * np.sin(u) * np.sin(v), atol=1e-13)
    for angle, most in ((u, 2 * math.pi), (v, math.pi)):
        assert 0 <= angle.min() < most / 100
        assert most * 99 / 100 < angle.max() <= most
        assert abs(angle.mean() - most / 2) < 5 * most / math.sqrt(12 * 4000)
        assert abs(angle.var() - most**2 / 12) < 5 * most**2 / math.sqrt(180 * 4000)
    assert abs(np.corrcoef(u, v)[0, 1]) < 5 / math.sqrt(4000)


def test_sphere_distances_by_dot_products() -> None:
    points, _, distances = simulations.sphere(200, random_state=1)
    cosines = points @ points.T / 81
    np.testing.assert_allclose(9 * np.arccos(np.clip(cosines, -1, 1)), distances, atol=1e-6)
    assert distances.max() <= 9 * math.pi


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-12])
def test_sphere_distances_of_near_and_opposite_points(gap: float) -> None:
    """Three points of one great circle: a gap from the first to the second, which is opposite to the third."""
    along = np.array([1.0, 1.0 + gap, 1.0 + gap + math.pi])
    angles = _angles(np.column_stack((np.sin(along), np.zeros(3), np.cos(along))))
    assert math.isclose(angles[0, 1], gap, rel_tol=1e-12, abs_tol=3e-16)
    assert math.isclose(math.pi - angles[0, 2], gap, rel_tol=1e-12, abs_tol=1e-15)
    assert math.isclose(angles[1, 2], math.pi, abs_tol=1e-15)


# Gaussian mixture


def test_mixture_moments() -> None:
    n = 5000
    points, component, _ = simulations.gaussian_mixture(n, random_state=0)
    assert component.dtype == np.int64
    shares = np.bincount(component, minlength=3) / n
    expected = np.array([0.3, 0.3, 0.4])
    assert (np.abs(shares - expected) < 5 * np.sqrt(expected * (1 - expected) / n)).all()
    for number in range(3):
        rows = points[component == number]
        assert (np.abs(rows.mean(axis=0) - MEANS[number]) < 5 / math.sqrt(len(rows))).all()
        assert (np.abs(np.cov(rows.T) - np.eye(3)) < 5 * math.sqrt(2 / len(rows))).all()


def test_mixture_components_are_in_random_order() -> None:
    component = simulations.gaussian_mixture(3000, random_state=1).latent
    same = (component[1:] == component[:-1]).mean()
    assert abs(same - 0.34) < 5 * math.sqrt(0.34 * 0.66 / 3000)


def test_mixture_distances_of_components() -> None:
    _, component, distances = simulations.gaussian_mixture(100, random_state=2)
    same = component[:, None] == component
    assert (distances[same] == 0).all()
    assert np.isposinf(distances[~same]).all()
    assert not same.all()


@pytest.mark.parametrize("rescale", [False, True])
def test_mixture_euclidean_truth(rescale: bool) -> None:
    asked: dict[str, Any] = {"noise_dimensions": 3, "rescale": rescale, "random_state": 3}
    by_component = simulations.gaussian_mixture(80, **asked)
    euclidean = simulations.gaussian_mixture(80, truth="euclidean", **asked)
    np.testing.assert_array_equal(by_component.points, euclidean.points)
    np.testing.assert_array_equal(euclidean.latent, simulations.gaussian_mixture(80, random_state=3).points)
    straight = np.linalg.norm(euclidean.latent[:, None] - euclidean.latent, axis=2)
    np.testing.assert_allclose(euclidean.distances, straight, atol=1e-12)


@pytest.mark.parametrize("truth", ["components", None, 3, []])
def test_mixture_unknown_truth(truth: Any) -> None:
    message = rf"^truth is {re.escape(repr(truth))}; it must be 'component' or 'euclidean'$"
    with pytest.raises(ValueError, match=message):
        simulations.gaussian_mixture(5, truth=truth)
