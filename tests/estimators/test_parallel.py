"""Forests in parallel threads and processes give the bits of one, and do not oversubscribe."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import joblib
import numpy as np
import pytest
from numpy.typing import NDArray
from threads import native_threads

import foliation as fo
from foliation import simulations


def fit_and_predict(seed: int) -> NDArray[np.float64]:
    X, y = simulations.bars(150, random_state=0)
    forest = fo.ForestClassifier(30, random_state=seed, n_jobs=2).fit(X, y)
    return np.asarray(forest.predict_proba(X))


def test_python_threads() -> None:
    alone = [fit_and_predict(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for found, expected in zip(pool.map(fit_and_predict, range(4)), alone, strict=True):
            np.testing.assert_array_equal(found, expected)


def test_one_forest_predicting_in_two_threads() -> None:
    X, y = simulations.circle(300, random_state=0)
    forest = fo.ForestClassifier(50, random_state=0, n_jobs=2).fit(X, y)
    expected = forest.predict_proba(X)
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda _: forest.predict_proba(X), range(8)):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes(method: str) -> None:
    alone = [fit_and_predict(seed) for seed in range(2)]
    context: Any = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        for found, expected in zip(pool.map(fit_and_predict, range(2)), alone, strict=True):
            np.testing.assert_array_equal(found, expected)


def test_threads_end_with_the_call() -> None:
    before = native_threads()
    fit_and_predict(0)
    deadline = time.monotonic() + 1  # the system may list a thread for a moment after its end
    while native_threads() - before and time.monotonic() < deadline:
        time.sleep(0.001)
    assert not native_threads() - before  # others may end meanwhile, which is no concern of ours


def n_threads(n_jobs: int | None) -> int:
    return fo.ForestClassifier(n_jobs=n_jobs)._machine().n_threads


def threads_inside(n_jobs: int | None) -> tuple[int, int]:
    return n_threads(n_jobs), joblib.effective_n_jobs(n_jobs)


def test_threads_follow_joblib() -> None:
    assert n_threads(None) == 1
    assert n_threads(3) == 3
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert n_threads(None) == 2
    inside = joblib.Parallel(n_jobs=2)(joblib.delayed(threads_inside)(n_jobs) for n_jobs in (None, -1, 8))
    assert inside[0] == (1, 1)  # a search in parallel leaves one thread to each of its forests
    assert all(ours == theirs for ours, theirs in inside)
