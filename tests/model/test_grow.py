"""Growth is a pure function of a plan, the rows and a range of trees."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation._core import Machine
from foliation.data.rows import Rows, read_rows
from foliation.data.weights import RowWeights
from foliation.estimators.forest import Forest
from foliation.model.grow import grow
from foliation.model.plan import FitPlan, prepare
from foliation.model.trees import Trees, concatenate

DIGITS = load_digits()
FORESTS = {
    "sparse": fo.ForestClassifier(projections="sparse", random_state=0),
    "views": fo.ForestClassifier(projections="image", random_state=0),
    "honest": fo.ForestRegressor(projections="patches", honest=True, random_state=0),
    "mixture": fo.ForestClassifier(projections=fo.Mixture([fo.Axis(), fo.Patches()]), random_state=0),
    "geodesic": fo.GeodesicForest(random_state=0),
}
IN_ANOTHER_PROCESS = """
import pickle, sys
from foliation._core import Machine
from foliation.data.rows import Rows
from foliation.model.grow import grow
plan, values = pickle.load(open(sys.argv[1], "rb"))
pickle.dump(grow(plan, Rows(values, plan.grid), range(2, 5), Machine(2)), open(sys.argv[2], "wb"))
"""


def planned(forest: Forest) -> tuple[FitPlan, Rows]:
    y = None if isinstance(forest, fo.GeodesicForest) else DIGITS.target[:300]
    rows, y = read_rows(DIGITS.images[:300], y, "test")
    return prepare(forest._settings(), rows, y, RowWeights(300), Machine(1)), rows


def assert_same(a: Trees, b: Trees) -> None:
    for name, array in a.arrays().items():
        assert array.dtype == b.arrays()[name].dtype
        np.testing.assert_array_equal(array, b.arrays()[name])


@pytest.mark.parametrize("name", FORESTS)
def test_ranges_grown_apart_are_the_trees_of_one_growth(name: str) -> None:
    plan, rows = planned(FORESTS[name])
    whole = grow(plan, rows, range(7), Machine(1))
    parts = [grow(plan, rows, some, Machine(2)) for some in (range(0, 3), range(3, 4), range(4, 7))]
    assert_same(concatenate(parts), whole)


@pytest.mark.parametrize("name", FORESTS)
def test_another_process_grows_the_same_trees_from_the_plan_and_the_rows(name: str, tmp_path: Path) -> None:
    plan, rows = planned(FORESTS[name])
    sent, returned = tmp_path / "plan.pickle", tmp_path / "trees.pickle"
    sent.write_bytes(pickle.dumps((plan, rows.values)))
    subprocess.run([sys.executable, "-c", IN_ANOTHER_PROCESS, str(sent), str(returned)], check=True)
    assert_same(pickle.loads(returned.read_bytes()), grow(plan, rows, range(2, 5), Machine(1)))


def test_plans_that_share_rows_do_not_share_views() -> None:
    plan, rows = planned(FORESTS["views"])
    alone = grow(plan, rows, range(3), Machine(1))
    for views in (("south", "north"), ("raw", "east", "west", "south", "spectrum")):
        other = fo.ForestClassifier(projections=fo.Patches(views=views), random_state=0)
        prepare(other._settings(), rows, DIGITS.target[:300], RowWeights(300), Machine(1))
    assert_same(grow(plan, rows, range(3), Machine(1)), alone)


def test_growth_leaves_the_plan_and_the_rows_as_they_are() -> None:
    plan, rows = planned(FORESTS["honest"])
    before, values = pickle.dumps(plan), rows.values.copy()
    grow(plan, rows, range(3), Machine(2))
    assert pickle.dumps(plan) == before
    np.testing.assert_array_equal(rows.values, values)


def test_a_tick_sees_the_trees_and_can_stop() -> None:
    plan, rows = planned(FORESTS["sparse"])
    seen: list[int] = []

    def tick(done: int) -> bool:
        seen.append(done)
        return done >= 2

    grow(plan, rows, range(40_000), Machine(1), tick)
    assert seen == sorted(seen) and seen[-1] < 40_000
