"""From parameters and data to a plan."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

import foliation as fo
from foliation._core import Machine
from foliation.data.rows import Rows, read_rows
from foliation.data.weights import RowWeights
from foliation.estimators.forest import Forest
from foliation.model.plan import FitPlan, _seed_of, default_min_samples_split, prepare


@pytest.mark.parametrize("number", [0, 7, 2**32 - 1])
def test_seeds_are_those_of_a_new_generator(number: int) -> None:
    for _ in range(2):
        assert _seed_of(number) == _seed_of(np.random.RandomState(number)) == _seed_of(np.int64(number))


def test_none_and_generators_seed_each_fit_anew() -> None:
    generator = np.random.RandomState(0)
    assert _seed_of(generator) != _seed_of(generator)
    assert _seed_of(None) != _seed_of(None)


@pytest.mark.parametrize(
    "parameters",
    [{"max_features": 2**70}, {"max_features": 1e30}, {"max_leaf_nodes": 2**70}, {"min_samples_leaf": 2**70}],
    ids=str,
)
def test_numbers_beyond_the_core(parameters: dict[str, Any]) -> None:
    X, y = load_iris(return_X_y=True)
    fo.ForestClassifier(2, projections="axis", random_state=0, **parameters).fit(X, y)


# ---- plans ----


def plan_of(forest: Forest, rows: Rows, y: Any = None) -> FitPlan:
    return prepare(forest._settings(), rows, y, RowWeights(len(rows.values)), Machine(1))


@pytest.mark.parametrize("projections", ["sparse", "image"])
def test_a_plan_is_picklable_and_holds_no_rows(projections: str) -> None:
    images = np.random.default_rng(0).normal(size=(400, 20, 20))
    rows, y = read_rows(images, np.arange(400) % 3, "test")
    plan = plan_of(fo.ForestClassifier(projections=projections, random_state=0), rows, y)
    pickled = pickle.dumps(plan)
    assert len(pickled) < rows.values.nbytes / 50
    again = pickle.loads(pickled)
    assert (again.seed, again.max_abs, again.rules) == (plan.seed, plan.max_abs, plan.rules)


def test_preparing_changes_nothing() -> None:
    forest = fo.ForestClassifier(projections=fo.Patches(max_size=2), random_state=np.random.RandomState(3))
    images, y = np.arange(2000.0).reshape(20, 10, 10), np.arange(20) % 2
    before = images.copy(), y.copy(), dict(vars(forest))
    rows, labels = read_rows(images, y, "test")
    plan = plan_of(forest, rows, labels)
    np.testing.assert_array_equal(images, before[0])
    np.testing.assert_array_equal(y, before[1])
    assert vars(forest) == before[2]
    assert plan.projections is not forest.projections


def test_candidates_are_counted_over_the_cells_of_all_views() -> None:
    rows, y = read_rows(np.random.default_rng(0).normal(size=(30, 2, 8)), np.arange(30) % 2, "test")
    plain = plan_of(fo.ForestClassifier(projections=fo.Patches(), max_features=0.5), rows, y)
    views = fo.Patches(views=("raw", "difference", "spectrum"))
    assert plain.rules.n_candidates == 8
    assert plan_of(fo.ForestClassifier(projections=views, max_features=0.5), rows, y).rules.n_candidates == 24


@pytest.mark.parametrize(("n_rows", "expected"), [(8, 2), (100, 12), (800, 100), (100_000, 100)])
def test_smallest_node_of_a_geodesic_forest(n_rows: int, expected: int) -> None:
    assert default_min_samples_split(n_rows) == expected
