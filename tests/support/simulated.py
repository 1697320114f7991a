"""What the tests of the simulations share."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

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
MANIFOLDS: dict[str, Callable[..., Any]] = {
    "line": simulations.line,
    "helix": simulations.helix,
    "sphere": simulations.sphere,
    "gaussian_mixture": simulations.gaussian_mixture,
}
# Everything that is drawn at random; a line and a helix are random in their noise only.
DRAWS = GENERATORS | {name: partial(generate, noise_dimensions=2) for name, generate in MANIFOLDS.items()}
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


def gaussian_ratio(x: np.ndarray, mean0: np.ndarray, mean1: np.ndarray) -> float:
    """P(class 1 | x) from the two densities themselves."""
    density0, density1 = (math.exp(-0.5 * float(((x - m) ** 2).sum())) for m in (mean0, mean1))
    return density1 / (density0 + density1)
