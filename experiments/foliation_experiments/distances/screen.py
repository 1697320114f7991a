"""Where it helps to draw candidates from features that depart from normality, and where it harms."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation_experiments.distances.forests import grow
from foliation_experiments.distances.problems import (
    FEW_SEEDS,
    MANIFOLDS,
    Problem,
    chances,
    labeled,
    manifold,
    precisions,
)
from foliation_experiments.distances.screen_page import figures, page
from foliation_experiments.harness.experiment import Experiment, Run, Scale

Floats = NDArray[np.float64]

KS = (15, 50)
N_TREES = 100  # enough to compare settings by
SCREENS = (0.0, 0.5, 1.0)
DIMENSIONS: dict[Scale, tuple[int, ...]] = {"full": (100, 1000), "quick": (100, 300)}
DATA = ("digits", "breast cancer")
FAMILIES: dict[str, dict[str, Any]] = {"density 1/20": {}, "axis": {"projections": "axis"}}
METHODS: dict[str, dict[str, Any]] = {
    f"{family}, screen {share:g}": {"screen": share, **options}
    for (family, options), share in product(FAMILIES.items(), SCREENS)
}
VARIANCE = 70.0
T_FREEDOM = 5
NOISES: dict[str, Callable[[np.random.Generator, tuple[int, int]], Floats]] = {  # of variance one
    "Gaussian": lambda rng, shape: rng.standard_normal(shape),
    "uniform": lambda rng, shape: rng.uniform(-math.sqrt(3), math.sqrt(3), shape),
    "Student t": lambda rng, shape: rng.standard_t(T_FREEDOM, shape) * math.sqrt((T_FREEDOM - 2) / T_FREEDOM),
}


def runs(scale: Scale) -> list[Run]:
    places = [*product(NOISES, MANIFOLDS, DIMENSIONS[scale]), *(("data", name, 0) for name in DATA)]
    everything = product(places, METHODS, range(FEW_SEEDS[scale]))
    found = [Run(part, problem, method, at, seed) for (part, problem, at), method, seed in everything]
    return [run for run in found if run.at < 1000 or run.method.startswith("axis")]


def measure(run: Run) -> dict[str, float]:
    """Return the precision of the nearest 15 and 50."""
    points, truths = labeled(run.problem) if run.part == "data" else noisy(run)
    grown = grow(run, points, METHODS[run.method], N_TREES)
    return precisions(truths, grown.distances, KS) | chances(truths, KS)


def noisy(run: Run) -> Problem:
    """Draw a manifold among columns of noise of the distribution that the part names."""
    clean = manifold(run.problem, run.scale, run.seed)
    rng = np.random.default_rng([run.seed, int(run.at)])
    noise = math.sqrt(VARIANCE) * NOISES[run.part](rng, (len(clean.points), int(run.at)))
    return Problem(np.hstack([clean.points, noise]), clean.truths)


EXPERIMENT = Experiment(
    name="screen",
    about="Screening of features by their departure from normality, under three kinds of noise; 100 trees.",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 1, "full": 5},
)
