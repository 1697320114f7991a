"""Candidates that can split something: ours counted, the peers' rules as they are documented."""

from __future__ import annotations

import numpy as np
import pytest

from foliation_benchmarks.worker import ours, rerf, treeple, ydf
from foliation_benchmarks.worker.contract import Candidates, Patch, Task
from foliation_benchmarks.worker.depths import leaf_depths, node_depths

TASK = Task("", "", trees=2, candidates=20)
IMAGES = np.zeros((3, 8, 8), dtype=np.uint8)


@pytest.mark.parametrize("family", ["axis", "sparse", "patches"])
def test_ours_are_never_empty(family: str) -> None:
    task = Task("", "", 2, 20, patch=Patch((2, 2), (2, 3)))
    assert ours.runner(family).candidates(task, IMAGES) == Candidates(20, 0.0, "derived")


def test_single_features_are_at_most_as_many_as_there_are() -> None:
    assert ours.runner("axis").candidates(TASK, IMAGES[:, :2, :2]).effective == 4


@pytest.mark.parametrize("wanted", [1, 4, 7, 20, 28, 30, 50])
def test_treeple_is_asked_for_so_many_that_the_effective_ones_agree(wanted: int) -> None:
    assert treeple.derived_candidates(Task("", "", 2, wanted)).effective == pytest.approx(wanted, rel=0.05)


def test_the_share_of_empty_candidates_is_that_of_thrown_signs() -> None:
    rng = np.random.default_rng(0)
    empty = [20 - len(np.unique(rng.integers(20, size=30))) for _ in range(4000)]
    assert treeple.oblique_empty_share(20, 1.5) == pytest.approx(np.mean(empty) / 20, rel=0.05)


def test_without_treeple_its_share_is_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "treeple", None)
    found = treeple.runner("oblique").candidates(TASK, np.zeros((40, 5)))
    assert found.how == "derived"
    assert found.effective == pytest.approx(20, rel=0.05)


@pytest.mark.parametrize(("p", "candidates"), [(100, 50), (100, 30), (784, 28), (20, 20), (50, 7)])
def test_ydf_tries_as_many_projections_as_asked(p: int, candidates: int) -> None:
    assert ydf.n_projections(p, ydf.exponent_for(p, candidates), candidates) == candidates


def test_ydf_tries_at_least_five() -> None:
    assert ydf.n_projections(50, ydf.exponent_for(50, 3), 3) == 5


def test_rerf_says_its_leaves() -> None:
    assert rerf.leaves_said("max depth: 28\nnum leaf nodes: 7130\n") == 7130
    assert rerf.leaves_said("") is None


def test_depths_level_by_level() -> None:
    left, right = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
    assert node_depths(left, right).tolist() == [0, 1, 1, 2, 2]
    assert leaf_depths(np.array([[~0, 1], [~1, ~2]]), 3).tolist() == [1, 2, 2]
    assert leaf_depths(np.empty((0, 2), dtype=np.int32), 1).tolist() == [0]
