"""Histograms lose no accuracy that ten seeds can show; random cuts are extra-trees."""

from __future__ import annotations

from typing import Any

import numpy as np

import foliation as fo
from foliation import simulations


def errors(splitter: str, problem: Any, n: int, **settings: Any) -> np.ndarray[Any, Any]:
    found = []
    for seed in range(10):
        X, y = problem(n, random_state=seed)
        fresh, truth = problem(4000, random_state=100 + seed)
        forest = fo.ForestClassifier(40, splitter=splitter, random_state=seed, n_jobs=2, **settings)
        found.append(1 - forest.fit(X, y).score(fresh, truth))
    return np.array(found)


def test_auto_is_as_accurate_as_exact() -> None:
    for problem, projections in [(simulations.trunk, "sparse"), (simulations.impulse, "patches")]:
        difference = errors("auto", problem, 7000, projections=projections, min_samples_leaf=5) - errors(
            "exact", problem, 7000, projections=projections, min_samples_leaf=5
        )
        assert np.any(difference != 0)  # the histogram was used
        assert difference.mean() < 2 * difference.std(ddof=1) / np.sqrt(10) + 1e-3


def test_random_cuts_differ_and_learn() -> None:
    random = errors("random", simulations.trunk, 400)
    exact = errors("exact", simulations.trunk, 400)
    assert random.mean() < 0.2
    assert np.any(random != exact)
