"""Copies of training rows are noticed where rows out of the bag should be new."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation.model.copies import count_copies

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
Y = X[:, 0] + 0.5 * RNG.normal(size=200)
TWICE = np.repeat(np.arange(200), 2)
ASK: dict[str, Callable[[Any], object]] = {
    "intervals": lambda forest: forest.predict_interval(X),
    "standard errors": lambda forest: forest.standard_error(X),
    "a score": lambda forest: forest.set_params(oob_score=True).fit(X[TWICE], Y[TWICE]),
}


def test_intervals_of_copies_cover_too_little() -> None:
    new = RNG.normal(size=(2000, 4))
    truth = new[:, 0] + 0.5 * RNG.normal(size=2000)
    forest = fo.ForestRegressor(100, random_state=0)
    with pytest.warns(UserWarning, match="400 of 400 training rows equal others"):
        low, high = forest.fit(X[TWICE], Y[TWICE]).predict_interval(new).T
    assert np.mean((truth >= low) & (truth <= high)) < 0.75
    low, high = forest.fit(X[TWICE], Y[TWICE], groups=TWICE).predict_interval(new).T
    assert np.mean((truth >= low) & (truth <= high)) > 0.85


@pytest.mark.parametrize("name", ASK)
@pytest.mark.filterwarnings("ignore:.*of the standard errors come out as 0")
def test_whoever_needs_new_rows_is_told_once_of_copies(name: str) -> None:
    forest = fo.ForestRegressor(100, random_state=0).fit(X[TWICE], Y[TWICE])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ASK[name](forest)
    (message,) = [str(one.message) for one in told if "training rows equal" in str(one.message)]
    assert message.startswith("400 of 400 training rows equal others in all features and targets")
    assert "Fit with groups, which keep the copies of a row together" in message


def test_sets_of_several_outputs_tell_once() -> None:
    both = np.stack([Y > 0, Y > 1], axis=1).astype(int)
    forest = fo.ForestClassifier(50, random_state=0).fit(X[TWICE], both[TWICE])
    with pytest.warns(UserWarning, match="400 of 400") as told:
        forest.predict_interval(X)
    assert len(told) == 1


QUIET: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "rows without copies": (X, Y, {}),
    "a few copies": (np.vstack([X, X[:5]]), np.append(Y, Y[:5]), {}),
    "groups": (X[TWICE], Y[TWICE], {"groups": TWICE}),
    "larger groups": (X[TWICE], Y[TWICE], {"groups": TWICE // 10}),
    "copies without weight": (X[TWICE], Y[TWICE], {"sample_weight": np.arange(400) % 2}),
    "equal rows with other targets": (X[TWICE], RNG.normal(size=400), {}),
    "few values": (RNG.integers(0, 2, size=(400, 4)), RNG.integers(0, 2, size=400), {}),
    "digits": (*load_digits(return_X_y=True), {}),
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_where_copies_do_no_harm(name: str) -> None:
    rows, y, given = QUIET[name]
    forest = fo.ForestRegressor(60, oob_score=True, max_depth=5, random_state=0).fit(rows, y, **given)
    forest.predict_interval(rows[:3])


def test_copies_in_other_groups_are_counted() -> None:
    groups = TWICE // 10
    groups[-20:] = np.arange(20) % 2  # the last ten rows have their copies in another group
    with pytest.warns(UserWarning, match="^400 of 400"):
        fo.ForestRegressor(60, oob_score=True, random_state=0).fit(X[TWICE], Y[TWICE], groups=np.arange(400) % 7)
    digests = np.arange(200, dtype=np.uint64)[TWICE]
    assert count_copies(digests, Y[TWICE, None], groups) == 20
    assert count_copies(digests, Y[TWICE, None], np.arange(400)) == 400
    assert count_copies(digests[::2], Y[:, None], np.arange(200)) == 0


def test_copies_are_equal_in_all_targets() -> None:
    digests = np.array([5, 5, 5, 6, 6, 6, 7, 8], np.uint64)
    y = np.array([[1, 1], [1, 1], [1, 1], [2, 1], [2, 1], [2, 2], [1, 1], [1, 1]])
    assert count_copies(digests, y, np.arange(8)) == 5
    assert count_copies(digests, y[:, :1], np.arange(8)) == 6
