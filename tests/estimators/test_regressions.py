"""Faults that were found once and must not come back."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import foliation as fo


@pytest.mark.parametrize("splitter", ["auto", "histogram"])
@pytest.mark.parametrize("projections", ["axis", "sparse"])
def test_rare_values_in_large_nodes_are_seen(splitter: str, projections: str) -> None:
    """A sample of the node's values may be all zero where one row in five thousand is not."""
    rng = np.random.default_rng(0)
    X = (rng.random((40_000, 20)) < 2e-4).astype(np.uint8)
    y = X[:, :10].any(axis=1)
    forest = fo.ForestClassifier(10, projections=projections, splitter=splitter, random_state=0).fit(X, y)
    fresh = np.eye(20, dtype=np.uint8)
    assert (forest.predict(fresh) == (np.arange(20) < 10)).mean() > 0.9


def test_periodic_values_in_large_nodes_are_seen() -> None:
    X = np.repeat(np.arange(8192.0).reshape(-1, 1) % 8, 2, axis=1)
    y = X[:, 0] > 3
    forest = fo.ForestClassifier(3, projections="axis", bootstrap=False, random_state=0).fit(X, y)
    assert forest.score(X, y) == 1


def test_rare_extremes_among_many_values_are_seen() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 3))
    y = np.zeros(20_000)
    X[7, 1], y[7] = 50.0, 1.0
    X[11, 2], y[11] = -50.0, 1.0
    forest = fo.ForestClassifier(1, projections="axis", max_features=None, bootstrap=False, random_state=0).fit(X, y)
    assert forest.score(X, y) == 1
    assert forest.tree(0).n_splits == 2


@pytest.mark.parametrize("weight", [None, 0.1, 0.3, 1 / 3, 2.0, 1e-3])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n", [2, 3, 7, 10, 33])
def test_cuts_without_gain_are_taken(criterion: str, weight: float | None, n: int) -> None:
    """On the parity of two bits the first useful split lies behind a useless one."""
    X = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (n, 1))
    y = X[:, 0] ^ X[:, 1]
    forest = fo.ForestClassifier(3, projections="axis", bootstrap=False, criterion=criterion, random_state=0)
    assert forest.fit(X, y, sample_weight=weight).score(X, y) == 1


def test_a_row_does_not_depend_on_its_neighbours_when_values_are_huge() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4096, size=(600, 8, 8)).astype(float)
    y = X[:, 3, 3] + X[:, 3, 4] > 4000
    X[:50, 0, 0] = 1e20
    forest = fo.ForestClassifier(20, projections=fo.Patches(max_size=4), random_state=0).fit(X, y)
    together = forest.predict_proba(X)
    np.testing.assert_array_equal(together[300:310], forest.predict_proba(X[300:310]))


def test_a_row_of_tiny_values_is_predicted_by_itself_as_among_others() -> None:
    X = np.array([[1e-300, 0.0], [2e-300, -1e-300], [1.0, 2.0], [3.0, -1.0]])
    forest = fo.ForestRegressor(5, bootstrap=False, random_state=0).fit(X, np.arange(4.0))
    np.testing.assert_array_equal(forest.predict(X[:1]), forest.predict(X)[:1])


def test_weights_of_very_different_sizes() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.normal(size=60)
    weights = np.ones(60)
    weights[:3] = 1e18
    forest = fo.ForestRegressor(5, bootstrap=False, random_state=0).fit(X, y, sample_weight=weights)
    assert np.isfinite(forest.model_.trees.gain).all()
    assert np.isfinite(forest.importance("gain")).all()


@pytest.mark.parametrize("forest", [fo.ForestClassifier, fo.ForestRegressor])
@pytest.mark.filterwarnings("ignore:.*out-of-bag prediction")
def test_no_row_out_of_the_bag(forest: Any) -> None:
    fitted = forest(1, oob_score=True, random_state=0).fit(np.ones((1, 2)), np.zeros(1))
    assert np.isnan(fitted.oob_score_)


FEW_THREADS = """
import resource
import numpy as np
import foliation as fo
rng = np.random.default_rng(0)
X, y = rng.normal(size=(2000, 4)), rng.integers(0, 2, 2000)
expected = fo.ForestClassifier(300, random_state=0).fit(X, y).predict_proba(X)
now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + (400 << 20), now + (400 << 20)))
try:
    found = fo.ForestClassifier(300, n_jobs=1000, random_state=0).fit(X, y).predict_proba(X)
    assert np.array_equal(found, expected)
except MemoryError:
    pass
print("alive")
"""


def test_threads_that_cannot_be_had() -> None:
    # A thread that finds no room for a heap of its own may leave none for the C library, which then ends the process.
    one_heap = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    command = [sys.executable, "-c", FEW_THREADS]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=one_heap)
    assert done.stdout.strip() == "alive", done.stderr
