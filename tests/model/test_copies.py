"""Copies of training rows are noticed where rows out of the bag should be new."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation.model import training
from foliation.model.copies import are_regular, columns_of, count_copies, far_from_chance

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
Y = X[:, 0] + 0.5 * RNG.normal(size=200)
TWICE = np.repeat(np.arange(200), 2)
BITS = RNG.integers(0, 2, size=(400, 6))
LEVELS = RNG.integers(0, 12, size=(400, 2))
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
    assert message.startswith("400 of 400 training rows equal others in all features.")
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
    "few values": (BITS[:, :4], RNG.integers(0, 2, size=400), {}),
    "few values that decide": (BITS, BITS.sum(axis=1), {}),
    "columns that are equal in pairs": (np.repeat(LEVELS, 2, axis=1), RNG.normal(size=400), {}),
    "indicators": (np.eye(12)[LEVELS[:, 0]], LEVELS[:, 0] * 1.0, {}),
    "digits": (*load_digits(return_X_y=True), {}),
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_where_copies_do_no_harm(name: str) -> None:
    rows, y, given = QUIET[name]
    forest = fo.ForestRegressor(60, oob_score=True, max_depth=5, random_state=0).fit(rows, y, **given)
    forest.predict_interval(rows[:3])


@pytest.mark.parametrize("noise", [1e-6, 0.2, 1.0])
@pytest.mark.parametrize("n_copies", [2, 10])
def test_repeated_rows_with_other_targets_are_noticed(noise: float, n_copies: int) -> None:
    rows = np.repeat(np.arange(200), n_copies)
    y = Y[rows] + noise * RNG.normal(size=len(rows))
    with pytest.warns(UserWarning, match=f"^{len(rows):,} of {len(rows):,} training rows equal others"):
        fo.ForestRegressor(60, oob_score=True, random_state=0).fit(X[rows], y)


def test_repeated_images_are_noticed() -> None:
    rows, y = load_digits(return_X_y=True)
    with pytest.warns(UserWarning, match="^600 of 600 training rows equal others"):
        fo.ForestClassifier(60, oob_score=True, random_state=0).fit(rows[np.arange(600) // 2], y[:600])


def test_files_and_pickles_know_of_copies(tmp_path: Path) -> None:
    forest = fo.ForestRegressor(60, random_state=0).fit(X[TWICE], Y[TWICE])
    forest.save(tmp_path / "model.fol")
    for kept in (fo.load(tmp_path / "model.fol"), pickle.loads(pickle.dumps(forest))):
        with pytest.warns(UserWarning, match="^400 of 400 training rows equal others"):
            kept.predict_interval(X)


@pytest.mark.parametrize(
    "rows", [RNG.integers(0, 2, (250, 22)), RNG.random((250, 40)) < 0.1, RNG.integers(0, 4, (250, 8))]
)
@pytest.mark.parametrize("n_copies", [2, 10])
def test_repeated_rows_of_few_values_are_noticed(rows: Any, n_copies: int) -> None:
    copies = np.repeat(np.arange(250), n_copies)
    with pytest.warns(UserWarning, match="training rows equal others in all features"):
        fo.ForestClassifier(60, oob_score=True, random_state=0).fit(rows[copies], (np.arange(250) % 2)[copies])


@pytest.mark.filterwarnings("ignore:.*of the standard errors come out as 0")
def test_large_forests_from_files_know_of_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_LIGHT", "_LIGHT_SHARE"):
        monkeypatch.setattr(training, limit, 0)
    forest = fo.ForestRegressor(100, max_samples=50, random_state=0).fit(X[TWICE], Y[TWICE])
    forest.save(tmp_path / "model.fol")
    with pytest.warns(UserWarning, match="^400 of 400 training rows equal others"):
        fo.load(tmp_path / "model.fol").standard_error(X)


def n_counted(rows: Any, groups: Any) -> int:
    return count_copies(np.unique(rows, axis=0, return_inverse=True)[1].astype(np.uint64), np.asarray(groups))


def test_copies_in_other_groups_are_counted() -> None:
    with pytest.warns(UserWarning, match="^400 of 400"):
        fo.ForestRegressor(60, oob_score=True, random_state=0).fit(X[TWICE], Y[TWICE], groups=np.arange(400) % 7)
    groups = TWICE // 10
    groups[-40:] = np.arange(40) % 2  # the last twenty rows have their copies in another group
    assert n_counted(X[TWICE], groups) == 40
    assert n_counted(X[TWICE], np.arange(400)) == 400
    assert n_counted(X, np.arange(200)) == 0


def test_targets_may_show_that_rows_are_copies() -> None:
    rows = np.r_[np.arange(200), np.arange(99)]
    fit = fo.ForestRegressor(60, oob_score=True, random_state=0).fit
    fit(X[rows, :2], RNG.normal(size=299))
    with pytest.warns(UserWarning, match="^198 of 299 training rows equal others"):
        fit(X[rows, :2], Y[rows])


@pytest.mark.parametrize("mean", [0.5, 1.6, 2.0, 5.0])
def test_multiplicities_of_copies_are_regular(mean: float) -> None:
    drawn = RNG.poisson(mean, 500)
    assert not are_regular(drawn[drawn > 0])
    assert not are_regular(np.ones(500, int))
    assert are_regular(np.r_[np.full(260, 3), drawn[:240] + 1])
    assert not are_regular(np.full(19, 2))  # too few to judge


def test_equal_pairs_are_compared_with_chance() -> None:
    column = np.repeat(np.arange(100), 4)  # two entries are equal with probability 1 / 100
    pairs = 400 * 399 / 2
    table = np.stack([column] * 4, axis=1)
    some = np.arange(400)
    assert far_from_chance(6e-4 * pairs, columns_of(some, table))
    assert not far_from_chance(4e-4 * pairs, columns_of(some, table))
    assert not far_from_chance(0, columns_of(some, table))
