"""Faults that were found once and must not come back."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

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


def test_predictions_depend_on_fitted_state_only() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 0, 8.0, 1.0)
    forest = fo.ForestClassifier(2, honest=0.95, honest_prior="ignore", random_state=0).fit(X, y, sample_weight=weights)
    before = forest.predict_proba(X)
    forest.set_params(honest_prior="ancestor")
    np.testing.assert_array_equal(forest.predict_proba(X), before)
    np.testing.assert_allclose(forest.model_.prior, [0.8, 0.1, 0.1])


def test_arrays_of_another_form_are_refused() -> None:
    """A copy made on the way into the core would be gone before it is read."""
    X, y = load_iris(return_X_y=True)
    forest = fo.ForestClassifier(3, random_state=0).fit(X, y)
    trees = forest.model_.trees
    for changed in (
        replace(trees, threshold=np.repeat(trees.threshold, 2)[::2]),
        replace(trees, value=trees.value.astype(np.float32)),
    ):
        with pytest.raises(TypeError):
            _ = replace(forest.model_, trees=changed).router


@pytest.mark.parametrize(
    "parameters",
    [{"max_features": 2**70}, {"max_features": 1e30}, {"max_leaf_nodes": 2**70}, {"min_samples_leaf": 2**70}],
    ids=str,
)
def test_numbers_beyond_the_core(parameters: dict[str, Any]) -> None:
    X, y = load_iris(return_X_y=True)
    fo.ForestClassifier(2, projections="axis", random_state=0, **parameters).fit(X, y)


@pytest.mark.parametrize(
    ("X", "weights", "pattern"),
    [
        (np.array([[2**60], [2**60 + 1]]), None, "integers beyond 2\\^53"),
        (np.full((2, 1), 1e-300), None, "size 1e-300"),
        (np.full((2, 1), 1e295), None, "size 1e\\+295"),
        (np.ones((2, 1)), [1e308, 1.0], "sample_weight has 1e\\+308"),
        (np.ones((2, 1)), [1e-200, 0.0], "sample_weight has 1e-200"),
        (pd.DataFrame({"age": [1.0, 2.0], "height": [1.0, np.nan]}), None, "first in column height"),
    ],
)
def test_numbers_that_cannot_be_told_apart(X: Any, weights: Any, pattern: str) -> None:
    with pytest.raises(ValueError, match=pattern):
        fo.ForestClassifier(2).fit(X, [0, 1], sample_weight=weights)


def test_fields_of_a_packed_record() -> None:
    records = np.zeros(30, dtype=np.dtype([("flag", "u1"), ("x", "f8", (2,))]))
    records["x"] = np.random.default_rng(0).normal(size=(30, 2))
    y = records["x"][:, 0] > 0
    a = fo.ForestClassifier(3, random_state=0).fit(records["x"], y)
    b = fo.ForestClassifier(3, random_state=0).fit(records["x"].copy(), y)
    np.testing.assert_array_equal(a.predict_proba(records["x"]), b.predict_proba(records["x"].copy()))


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
