"""The lines that describe a model say what it is, exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import foliation as fo
from foliation.analysis.description import facts, most_used
from foliation.plotting.grid import Places

X: NDArray[np.float64] = np.repeat(np.arange(4.0), 10)[:, None]  # four values
Y = (X[:, 0] >= 2).astype(int)
RNG = np.random.default_rng(0)


def stumps(n_trees: int = 3, **settings: Any) -> Any:
    return fo.ForestClassifier(n_trees, projections="axis", bootstrap=False, random_state=0, **settings)


def test_a_forest_of_stumps_is_described_exactly() -> None:
    assert facts(stumps().fit(X, Y).model_, "ForestClassifier") == {
        "forest": "ForestClassifier of 3 trees",
        "rows": "40 of shape 1",
        "projections": "Axis()",
        "classes": "2: 0, 1",
        "splits of a tree": "1.0 on average, 1 at most",
        "leaves of a tree": "2.0 on average",
        "depth of a tree": "1.0 on average",
        "most used atoms": "x0 100.0%",
        "out-of-bag score": "not worked out: oob_score is off",
    }


def test_averages_are_over_all_trees_and_depths_over_the_first_20() -> None:
    digits = load_digits()
    forest = fo.ForestClassifier(23, projections=fo.Patches(max_size=2), max_leaf_nodes=30, random_state=0)
    forest.fit(digits.images[:200], digits.target[:200])
    lines = facts(forest.model_, "ForestClassifier")
    trees = [forest.tree(number) for number in range(23)]
    n_splits = [tree.n_splits for tree in trees]
    assert lines["rows"] == "200 of shape 8 x 8"
    assert lines["splits of a tree"] == f"{np.mean(n_splits):.1f} on average, {max(n_splits)} at most"
    assert lines["leaves of a tree"] == f"{np.mean(n_splits) + 1:.1f} on average"
    depth = np.mean([tree.depth for tree in trees[:20]])
    assert lines["depth of a tree"] == f"{depth:.1f} on average (first 20)"
    assert len(lines["most used atoms"].split("; ")) == 5


def test_many_classes_are_counted_after_the_twelfth() -> None:
    rows = np.arange(28.0)[:, None]
    labels = np.array([f"c{number:02}" for number in range(14)]).repeat(2)
    lines = facts(stumps().fit(rows, labels).model_, "ForestClassifier")
    assert lines["classes"] == "14: " + ", ".join(f"c{number:02}" for number in range(12)) + " and 2 more"


def test_several_outputs_are_counted() -> None:
    lines = facts(stumps().fit(X, np.stack([Y, 1 - Y], axis=1)).model_, "ForestClassifier")
    assert lines["outputs"] == "2" and "classes" not in lines


@pytest.mark.parametrize(("regression", "name"), [(False, "accuracy"), (True, "R squared")])
def test_scores_have_their_names(regression: bool, name: str) -> None:
    kind: Any = fo.ForestRegressor if regression else fo.ForestClassifier
    rows = RNG.normal(size=(60, 2))
    forest = kind(40, oob_score=True, random_state=0).fit(rows, (rows[:, 0] > 0).astype(int))
    assert facts(forest.model_, kind.__name__)["out-of-bag score"] == f"{forest.oob_score_:.4f} ({name})"


def test_a_forest_that_predicts_nothing_has_neither_outputs_nor_a_score() -> None:
    lines = facts(fo.GeodesicForest(3, random_state=0).fit(RNG.normal(size=(40, 3))).model_, "GeodesicForest")
    assert not {"classes", "outputs", "out-of-bag score"} & lines.keys()


def test_trees_without_a_split_use_no_atom() -> None:
    assert facts(stumps().fit(X, Y * 0).model_, "ForestClassifier")["most used atoms"] == "none"


def test_a_file_is_described_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(bytes(12_345))
    assert facts(stumps().fit(X, Y).model_, "ForestClassifier", path)["file"] == f"{path}, 12,345 bytes"


def test_atoms_are_counted_where_scores_are_no_gains() -> None:
    forest = fo.GeodesicForest(3, projections="axis", criterion="two_means_raw", random_state=0)
    forest.fit(RNG.normal(size=(60, 1)))
    n_splits = sum(forest.tree(number).n_splits for number in range(3))
    assert (forest.model_.trees.gain < 0).any()
    assert most_used(forest.model_) == [f"x0 {n_splits} splits"]


def test_most_used_atoms_are_told_by_channels_and_times() -> None:
    matrix = np.zeros((1, 12))
    matrix[0, 5:7] = 1.0
    forest = fo.ForestClassifier(1, projections=fo.Atoms(matrix), max_depth=1, random_state=0)
    forest.fit(RNG.normal(size=(40, 3, 4)), np.arange(40) % 2)
    places = Places.of_forest(forest, ["C3", "Cz", "C4"], [0.0, 0.1, 0.2, 0.3], "s")
    assert most_used(forest.model_, places) == ["[Cz, 0.1 to 0.2 s] 100.0%"]
