"""Tests of the simulated problems: exact structure first, then moments within a few standard errors."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from foliation import simulations

DESIGNED: dict[str, Callable[..., Any]] = {
    "circle": simulations.circle,
    "bars": simulations.bars,
    "impulse": simulations.impulse,
    "linear_dynamics": simulations.linear_dynamics,
    "gaussian_channels": simulations.gaussian_channels,
    "trunk": simulations.trunk,
}
GENERATORS = DESIGNED | {"sparse_parity": simulations.sparse_parity, "orthant": simulations.orthant}
SHAPES = {
    "circle": (100,),
    "bars": (28, 28),
    "impulse": (100,),
    "linear_dynamics": (6, 100),
    "gaussian_channels": (6, 100),
    "trunk": (10,),
    "sparse_parity": (20,),
    "orthant": (6,),
}
SIGNAL = np.array([math.exp(-0.1 * (t - 20)) if t >= 20 else 0.0 for t in range(100)])


def normal_cdf(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def assert_uniform(values: np.ndarray, low: int, high: int) -> None:
    """Chi-square test of uniformity on low..high, five standard deviations wide."""
    assert values.min() >= low
    assert values.max() <= high
    counts = np.bincount(values - low, minlength=high - low + 1)
    expected = len(values) / len(counts)
    df = len(counts) - 1
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert abs(statistic - df) < 5 * math.sqrt(2 * df)


def circular_runs(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find the starts and lengths, each (n, 2), of the two runs of ones around every row."""
    is_start = (X == 1) & (np.roll(X, 1, axis=1) == 0)
    is_end = (X == 1) & (np.roll(X, -1, axis=1) == 0)
    assert (is_start.sum(axis=1) == 2).all()
    starts = np.nonzero(is_start)[1].reshape(-1, 2)
    ends = np.nonzero(is_end)[1].reshape(-1, 2)
    wrapped = ends[:, 0] < starts[:, 0]
    ends[wrapped] = ends[wrapped, ::-1]
    return starts, (ends - starts) % 100 + 1


def gaussian_ratio(x: np.ndarray, mean0: np.ndarray, mean1: np.ndarray) -> float:
    """P(class 1 | x) from the two densities themselves."""
    density0, density1 = (math.exp(-0.5 * float(((x - m) ** 2).sum())) for m in (mean0, mean1))
    return density1 / (density0 + density1)


# What all generators share


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("n", [1, 7])
def test_shapes_and_types(name: str, n: int) -> None:
    X, y = GENERATORS[name](n, random_state=0)
    assert X.shape == (n, *SHAPES[name])
    assert X.dtype == (np.uint8 if name in ("circle", "bars") else np.float64)
    assert X.flags.c_contiguous
    assert y.shape == (n,)
    assert y.dtype == np.int64


@pytest.mark.parametrize("name", DESIGNED)
def test_labels_alternate(name: str) -> None:
    _, y = DESIGNED[name](7, random_state=0)
    assert y.tolist() == [0, 1, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("name", GENERATORS)
def test_same_seed_same_draw(name: str) -> None:
    generate = GENERATORS[name]
    X, y = generate(20, random_state=3)
    for state in (3, np.random.default_rng(3)):
        X_again, y_again = generate(20, random_state=state)
        np.testing.assert_array_equal(X, X_again)
        np.testing.assert_array_equal(y, y_again)


@pytest.mark.parametrize("name", GENERATORS)
def test_other_seed_other_draw(name: str) -> None:
    generate = GENERATORS[name]
    X, _ = generate(20, random_state=3)
    assert not np.array_equal(X, generate(20, random_state=4)[0])
    assert not np.array_equal(generate(20)[0], generate(20)[0])


@pytest.mark.parametrize("name", GENERATORS)
def test_generator_is_advanced(name: str) -> None:
    rng = np.random.default_rng(3)
    first, second = (GENERATORS[name](20, random_state=rng)[0] for _ in range(2))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("name", GENERATORS)
def test_rows_differ(name: str) -> None:
    X, _ = GENERATORS[name](40, random_state=5)
    assert len(np.unique(X.reshape(40, -1), axis=0)) >= 37  # the circle has a few thousand patterns


@pytest.mark.parametrize("name", GENERATORS)
def test_global_state_is_left_alone(name: str) -> None:
    module = vars(np.random)
    module["seed"](0)
    GENERATORS[name](20)
    GENERATORS[name](20, random_state=1)
    assert module["random"]() == np.random.RandomState(0).random()


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("n", [0, -1, 2.5, 4.0, "10", True, None])
def test_bad_n(name: str, n: object) -> None:
    with pytest.raises(ValueError, match=r"^n is .*; it must be an integer of at least 1$") as error:
        GENERATORS[name](n)
    assert repr(n) in str(error.value)


@pytest.mark.parametrize("name", GENERATORS)
def test_numpy_integers_are_integers(name: str) -> None:
    X, _ = GENERATORS[name](np.int32(3), random_state=0)
    assert len(X) == 3


# Circle


def test_circle_runs() -> None:
    X, y = simulations.circle(4000, random_state=0)
    assert set(np.unique(X)) == {0, 1}
    assert (X.sum(axis=1) == 10).all()
    starts, lengths = circular_runs(X)
    assert (np.sort(lengths[y == 0], axis=1) == [5, 5]).all()
    assert (np.sort(lengths[y == 1], axis=1) == [4, 6]).all()
    for label in (0, 1):
        assert ((starts + lengths)[y == label] > 100).any(), "some runs must cross the end of the row"


def test_circle_positions_are_uniform() -> None:
    X, _ = simulations.circle(40_000, random_state=1)
    starts, lengths = circular_runs(X[1::2])
    short = lengths == 4
    assert_uniform(starts[short], 0, 99)
    assert_uniform(starts[~short], 0, 99)
    gap = (starts[~short] - starts[short] - 4) % 100
    assert_uniform(gap, 1, 89)


def test_circle_gaps_of_equal_segments() -> None:
    X, _ = simulations.circle(40_000, random_state=2)
    starts, _ = circular_runs(X[::2])
    gap = starts[:, 1] - starts[:, 0] - 5
    flip = np.random.default_rng(0).random(len(gap)) < 0.5
    assert_uniform(np.where(flip, gap, 90 - gap), 1, 89)
    n = len(gap)
    assert np.abs(X[::2].mean(axis=0) - 0.1).max() < 5 * math.sqrt(0.09 / n)


# Bars


def test_bars_directions() -> None:
    X, y = simulations.bars(1000, random_state=0)
    assert set(np.unique(X)) == {0, 1}
    assert (X[y == 0] == X[y == 0][:, :, :1]).all()
    assert (X[y == 1] == X[y == 1][:, :1, :]).all()
    mixed = (X.mean(axis=(1, 2)) > 0) & (X.mean(axis=(1, 2)) < 1)
    assert mixed.mean() > 0.99


def test_bars_numbers() -> None:
    n = 20_000
    X, _ = simulations.bars(n, random_state=1)
    lit = np.concatenate((X[::2, :, 0], X[1::2, 0, :])).astype(float)
    missed = math.exp(-10 / 28)  # E[(27/28)^k] for k ~ Poisson(10)
    variance = 28 * missed * (1 - missed)
    for rows in (lit[: n // 2], lit[n // 2 :]):
        counts = rows.sum(axis=1)
        assert abs(counts.mean() - 28 * (1 - missed)) < 4 * math.sqrt(variance / len(rows))
        assert abs(counts.var() - variance) < 4 * variance * math.sqrt(2 / len(rows))
        assert np.abs(rows.mean(axis=0) - (1 - missed)).max() < 5 * math.sqrt(variance / 28 / len(rows))


def test_bars_agree_with_the_definition() -> None:
    rng = np.random.default_rng(2)
    literal = np.array([len(set(rng.integers(28, size=k).tolist())) for k in rng.poisson(10, size=10_000)])
    X, _ = simulations.bars(20_000, random_state=3)
    counts = X[::2, :, 0].sum(axis=1)
    expected, observed = (np.bincount(c, minlength=29) / 10_000 for c in (literal, counts))
    assert np.abs(observed - expected).max() < 5 * math.sqrt(2 * 0.17 * 0.83 / 10_000)


# Impulse


def test_impulse_means() -> None:
    n = 20_000
    X, y = simulations.impulse(n, random_state=0)
    standard_error = math.sqrt(2 / n)
    assert np.abs(X[y == 0].mean(axis=0)).max() < 5 * standard_error
    assert np.abs(X[y == 1].mean(axis=0) - SIGNAL).max() < 5 * standard_error
    for label in (0, 1):
        assert np.abs(X[y == label].var(axis=0) - 1).max() < 5 * math.sqrt(2) * standard_error


def test_impulse_bayes_error() -> None:
    assert simulations.impulse_bayes_error() == pytest.approx(0.1201, abs=1e-4)
    norm = math.sqrt(float((SIGNAL**2).sum()))
    assert simulations.impulse_bayes_error() == pytest.approx(normal_cdf(-norm / 2), rel=1e-12)


def test_impulse_posterior_reaches_the_bayes_error() -> None:
    n = 20_000
    X, y = simulations.impulse(n, random_state=1)
    bayes = simulations.impulse_bayes_error()
    error = np.mean((simulations.impulse_posterior(X) > 0.5) != y)
    assert abs(error - bayes) < 4 * math.sqrt(bayes * (1 - bayes) / n)


def test_impulse_posterior_is_the_density_ratio() -> None:
    X, _ = simulations.impulse(50, random_state=2)
    expected = [gaussian_ratio(x, np.zeros(100), SIGNAL) for x in X]
    np.testing.assert_allclose(simulations.impulse_posterior(X), expected, rtol=1e-9)


def test_posteriors_do_not_overflow() -> None:
    extreme = np.outer([-1e6, 1e6], np.ones(100))
    with np.errstate(over="raise", invalid="raise"):
        assert simulations.impulse_posterior(extreme).tolist() == [0.0, 1.0]
        assert simulations.trunk_posterior(extreme).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("X", [np.zeros(100), np.zeros((2, 99)), np.zeros((2, 100, 1))])
def test_impulse_posterior_bad_shape(X: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^X has .*; it must have"):
        simulations.impulse_posterior(X)


# Linear dynamics

STATE = np.array([[1, 0.7, 0.6], [-0.5, 0.9, 0.5], [-0.6, -0.7, 0.8]])
INPUTS = {
    "code": np.array([[[0.5, 0.1, 0.1], [0, 0.5, 0.1], [0, 0, -0.5]], np.diag([0.5, 0.5, -0.5])]),
    "paper": np.array([0.5 * np.eye(3), 0.4 * np.eye(3) + 0.1]),
}


def trajectory_moments(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance, each (3, 100), of the observed states, by enumerating the 20 onsets."""
    free = np.array([np.linalg.matrix_power(A, t) for t in range(100)])
    forced = np.zeros((20, 100, 3))
    for i, onset in enumerate(range(20, 40)):
        for s in range(onset, onset + 5):
            forced[i, s + 1 :] += free[: 99 - s] @ B @ np.ones(3)
    mean = free @ np.full(3, 0.5) + forced.mean(axis=0)
    variance = (free**2).sum(axis=2) / 12 + forced.var(axis=0) + 0.25
    return mean.T, variance.T


@pytest.mark.parametrize("variant", ["code", "paper"])
def test_dynamics_matrices(variant: Any) -> None:
    A, B = simulations.linear_dynamics_matrices(variant)
    np.testing.assert_allclose(A, STATE / math.sqrt((STATE**2).sum()), rtol=1e-14)
    np.testing.assert_allclose(B, INPUTS[variant], rtol=1e-14)
    assert np.abs(np.linalg.eigvals(A)).max() <= 1
    for b in B:
        assert np.linalg.matrix_rank(np.hstack((b, A @ b, A @ A @ b))) == 3


def test_dynamics_matrices_are_copies() -> None:
    for matrix in simulations.linear_dynamics_matrices():
        matrix[...] = 0
    assert all(matrix.any() for matrix in simulations.linear_dynamics_matrices())


@pytest.mark.parametrize("variant", ["code", "paper"])
def test_dynamics_moments(variant: Any) -> None:
    n = 6000
    X, y = simulations.linear_dynamics(n, variant=variant, random_state=0)
    states = X[:, ::2] if variant == "code" else X
    assert states.shape == (n, 3, 100)
    for label in (0, 1):
        mean, variance = trajectory_moments(STATE / np.linalg.norm(STATE), INPUTS[variant][label])
        rows = states[y == label]
        assert (np.abs(rows.mean(axis=0) - mean) < 5 * np.sqrt(variance / len(rows))).all()
        assert (np.abs(rows.var(axis=0) - variance) < 5 * variance * math.sqrt(2 / len(rows))).all()


def test_dynamics_noise_channels() -> None:
    X, _ = simulations.linear_dynamics(2000, random_state=1)
    noise = X[:, 1::2]
    assert 0 <= noise.min() < 0.001
    assert 0.999 < noise.max() <= 1
    assert abs(noise.mean() - 0.5) < 5 * math.sqrt(1 / 12 / noise.size)
    assert abs(noise.var() - 1 / 12) < 5 * math.sqrt(1 / 180 / noise.size)


@pytest.mark.parametrize("variant", ["printed", None, []])
def test_dynamics_unknown_variant(variant: Any) -> None:
    message = rf"^variant is {re.escape(repr(variant))}; it must be 'code' or 'paper'$"
    with pytest.raises(ValueError, match=message):
        simulations.linear_dynamics(4, variant=variant)
    with pytest.raises(ValueError, match=message):
        simulations.linear_dynamics_matrices(variant)


# Gaussian channels


def test_gaussian_channel_covariances() -> None:
    X, y = simulations.gaussian_channels(2000, random_state=0)
    for label in (0, 1):
        expected = np.diag([25 / 12, 1.5, 25 / 12, 1.25, 25 / 12, 1.0])
        expected[1::2, 1::2] += label * (1 - np.eye(3))
        points = X[y == label].transpose(1, 0, 2).reshape(6, -1)
        spread = np.sqrt(np.outer(np.diag(expected), np.diag(expected)) + expected**2)
        assert (np.abs(np.cov(points) - expected) < 5 * spread / math.sqrt(points.shape[1])).all()
        center = np.array([2.5, 0, 2.5, 0, 2.5, 0])
        assert (np.abs(points.mean(axis=1) - center) < 5 * np.sqrt(np.diag(expected) / points.shape[1])).all()


def test_gaussian_channels_noise_and_time() -> None:
    X, _ = simulations.gaussian_channels(2000, random_state=1)
    noise = X[:, ::2]
    assert 0 <= noise.min() < 0.001
    assert 4.999 < noise.max() <= 5
    earlier, later = X[:, :, :-1] - X.mean(axis=(0, 2), keepdims=True), X[:, :, 1:]
    lagged = (earlier * later).mean(axis=(0, 2)) / X.var(axis=(0, 2))
    assert np.abs(lagged).max() < 5 * 2 / math.sqrt(2000 * 99)


# Sparse parity


def test_sparse_parity_labels() -> None:
    X, y = simulations.sparse_parity(500, random_state=0)
    assert [sum(value > 0 for value in row[:3]) % 2 for row in X.tolist()] == y.tolist()
    X, y = simulations.sparse_parity(500, n_features=4, n_relevant=2, random_state=0)
    assert X.shape == (500, 4)
    np.testing.assert_array_equal(y == 1, (X[:, 0] > 0) != (X[:, 1] > 0))


@pytest.mark.parametrize("name", ["sparse_parity", "orthant"])
def test_uniform_features(name: str) -> None:
    X, _ = GENERATORS[name](20_000, random_state=1)
    assert -1 <= X.min() < -0.999
    assert 0.999 < X.max() <= 1
    for column in X.T:
        assert_uniform(np.floor((column + 1) * 25).astype(int), 0, 49)


def test_sparse_parity_classes() -> None:
    X, y = simulations.sparse_parity(20_000, random_state=2)
    assert_uniform(y, 0, 1)
    differences = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    assert np.abs(differences).max() < 5 * math.sqrt(4 / 3 / 20_000), "no feature tells anything on its own"


@pytest.mark.parametrize("n_relevant", [0, -1, 6, 1.5])
def test_sparse_parity_bad_relevant(n_relevant: Any) -> None:
    with pytest.raises(ValueError, match=rf"^n_relevant is {n_relevant}; it must be an integer from 1 to 5$"):
        simulations.sparse_parity(4, n_features=5, n_relevant=n_relevant)


@pytest.mark.parametrize("generate", [simulations.sparse_parity, simulations.trunk, simulations.orthant])
@pytest.mark.parametrize("n_features", [0, -2, 3.0, False])
def test_bad_features(generate: Callable[..., Any], n_features: object) -> None:
    with pytest.raises(ValueError, match=rf"^n_features is {n_features}; it must be an integer"):
        generate(4, n_features=n_features)


# Trunk


def test_trunk_means() -> None:
    n = 20_000
    X, y = simulations.trunk(n, n_features=5, random_state=0)
    mean = np.array([1, 1 / math.sqrt(2), 1 / math.sqrt(3), 1 / 2, 1 / math.sqrt(5)])
    for label, sign in ((0, -1), (1, 1)):
        rows = X[y == label]
        assert np.abs(rows.mean(axis=0) - sign * mean).max() < 5 / math.sqrt(len(rows))
        assert np.abs(np.cov(rows.T) - np.eye(5)).max() < 5 * math.sqrt(2 / len(rows))


def test_trunk_posterior() -> None:
    n = 20_000
    X, y = simulations.trunk(n, n_features=4, random_state=1)
    mean = np.array([1, 1 / math.sqrt(2), 1 / math.sqrt(3), 1 / 2])
    posterior = simulations.trunk_posterior(X)
    np.testing.assert_allclose(posterior[:50], [gaussian_ratio(x, -mean, mean) for x in X[:50]], rtol=1e-9)
    bayes = normal_cdf(-math.sqrt(25 / 12))  # 1 + 1/2 + 1/3 + 1/4
    assert abs(np.mean((posterior > 0.5) != y) - bayes) < 4 * math.sqrt(bayes * (1 - bayes) / n)


@pytest.mark.parametrize("X", [np.zeros(10), np.zeros((2, 0))])
def test_trunk_posterior_bad_shape(X: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^X has shape .*; it must have two dimensions"):
        simulations.trunk_posterior(X)


# Orthant


def test_orthant_labels() -> None:
    X, y = simulations.orthant(500, n_features=3, random_state=0)
    weights = {True: (1, 2, 4), False: (0, 0, 0)}
    assert [sum(weights[v > 0][j] for j, v in enumerate(row)) for row in X.tolist()] == y.tolist()


def test_orthant_classes() -> None:
    _, y = simulations.orthant(20_000, random_state=1)
    assert_uniform(y, 0, 63)


def test_orthant_widest() -> None:
    X, y = simulations.orthant(50, n_features=62, random_state=0)
    bits = [[(int(label) >> j) & 1 for j in range(62)] for label in y]
    np.testing.assert_array_equal(bits, X > 0)
    with pytest.raises(ValueError, match=r"^n_features is 63; it must be an integer from 1 to 62$"):
        simulations.orthant(50, n_features=63)
