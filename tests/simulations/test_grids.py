"""Circle, bars and impulse: exact structure first, then moments within a few standard errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from simulated import SIGNAL, assert_uniform, gaussian_ratio, normal_cdf

from foliation import simulations


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
