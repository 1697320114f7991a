"""Forests that draw from views agree with the reference, and nothing else has to know of views."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import reference_views
from numpy.typing import NDArray
from reference import Reference, Rules
from reference_cases import compare
from samples import structure_samples
from sklearn.model_selection import GridSearchCV

import foliation as fo
from foliation import Patches, _core
from foliation.data.rows import Grid

ALL = ("raw", "difference", "spectrum")
EDGES = ("raw", "east", "west", "south", "north")
RELATIVE = ("relative", "raw", "relative_spectrum")
SHAPE = (3, 8)

FAMILIES: dict[str, Any] = {
    "all": Patches(views=ALL),
    "one": Patches(views=["spectrum"]),
    "inside": Patches(views=ALL[::-1], border="inside", max_size=(2, 8)),
    "circle": Patches(views=ALL, wrap=(False, True), contrast=0.5),
    "edges": Patches(views=EDGES, max_size=(2, 3)),
    "edges of a torus": Patches(views=EDGES[1:], wrap=True, contrast=0.5),
    "channels": Patches(views=ALL[:2], contiguous=(False, True)),
    "relative": Patches(views=RELATIVE, contiguous=(False, True)),
    "signs": Patches(views=ALL, weights="signs", max_size=(2, 4)),
    "gaussian": Patches(views=ALL, weights="gaussian"),
    "mixture": fo.Mixture([Patches(views=ALL), Patches(views=ALL, contrast=1.0, max_size=1)], p=[0.4, 0.6]),
}


def waves(n: int, seed: int = 0, dtype: str = "float64") -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Two frequencies, at any phase."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size=n)
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1, 1))
    wave = np.sin((2 + y)[:, None, None] * 2 * np.pi / 8 * np.arange(8) + phase)
    return (20 * wave + 10 * rng.normal(size=(n, *SHAPE))).astype(dtype), y


def reference_cells(forest: Any, X: NDArray[Any]) -> NDArray[np.float64]:
    """Return the views of rows in units of X, as trees and polytopes speak of them."""
    views = forest.projections_.views_on(Grid(X.shape[1:], flat=False))
    return reference_views.views(X, views.names, views.circle, views.tube).reshape(len(X), -1)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int16"])
@pytest.mark.parametrize("name", FAMILIES)
def test_trees_are_those_of_the_reference(name: str, dtype: str) -> None:
    X, y = waves(60, len(name), dtype)
    forest = fo.ForestClassifier(3, projections=FAMILIES[name], max_features=4, random_state=1).fit(X, y)
    cells = reference_cells(forest, X)
    dictionary = forest.model_.dictionary
    reference = Reference(dictionary, Rules("gini", n_candidates=4), 2, cells.shape[1])
    n_nodes = 0
    for number in range(3):
        rows, weights = structure_samples(forest, number)
        grown = reference.grow(cells[rows], y[rows][:, None], weights, _core.root_key(forest.model_.seed, number))
        n_nodes += compare(forest.tree(number), 0, grown)
    assert n_nodes > 10


@pytest.mark.parametrize("name", FAMILIES)
def test_rows_go_where_their_views_go(name: str) -> None:
    """Other rows than those of the fit, with the scale of the fit; also rows far beyond its range."""
    X, y = waves(80)
    new = waves(300, 1)[0] * np.geomspace(0.01, 1e4, 300)[:, None, None]
    forest = fo.ForestClassifier(4, projections=FAMILIES[name], random_state=0).fit(X, y)
    leaves, cells = forest.apply(new), reference_cells(forest, new)
    for tree in range(4):
        for leaf in range(forest.tree(tree).n_leaves):
            A, b = forest.leaf_polytope(tree, leaf)
            assert A.shape[1] == cells.shape[1]
            inside = (A @ cells.T - b[:, None] <= 1e-8 * np.abs(cells).max(axis=1)).all(axis=0)
            assert inside[leaves[:, tree] == leaf].all()


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_the_raw_view_alone_is_no_view(dtype: str) -> None:
    X, y = waves(200)
    X = np.abs(X).astype(dtype)
    plain = fo.ForestClassifier(30, projections=Patches(contrast=0.5), random_state=0, oob_score=True).fit(X, y)
    raw = fo.ForestClassifier(30, projections=Patches(contrast=0.5, views=["raw"]), random_state=0, oob_score=True)
    raw.fit(X, y)
    np.testing.assert_array_equal(raw.apply(X), plain.apply(X))
    np.testing.assert_array_equal(raw.oob_decision_function_, plain.oob_decision_function_)
    np.testing.assert_array_equal(raw.importance("gain")[0], plain.importance("gain"))
    for number in range(10):
        np.testing.assert_array_equal(raw.tree(number).threshold, plain.tree(number).threshold)


def test_a_small_view_beside_a_large_one_keeps_its_digits() -> None:
    rng = np.random.default_rng(0)
    X = 2.0**46 + rng.integers(0, 2, size=(300, 40)) * 2.0**-6  # values have one digit that differs, sums have none
    y = (X[:, 20] > X[:, 19]).astype(int)
    forest = fo.ForestClassifier(30, projections=Patches(views=ALL, max_size=1), max_features=40, random_state=0)
    assert forest.fit(X[:200], y[:200]).score(X[200:], y[200:]) == 1.0


def test_powers_of_two_change_nothing() -> None:
    X, y = waves(100)
    forest = fo.ForestClassifier(10, projections=Patches(views=ALL), random_state=0)
    leaves = forest.fit(X, y).apply(X)
    for power in (-900, -3, 5, 900):
        np.testing.assert_array_equal(forest.fit(np.ldexp(X, power), y).apply(np.ldexp(X, power)), leaves)


def test_frequencies_at_any_phase_are_found() -> None:
    rng = np.random.default_rng(0)
    y, phase = rng.integers(0, 2, size=600), rng.uniform(0, 2 * np.pi, size=600)
    X = np.sin((5 + 2 * y)[:, None] * 2 * np.pi / 40 * np.arange(40) + phase[:, None]) + 1.2 * rng.normal(
        size=(600, 40)
    )
    X, y, new, truth = X[:300], y[:300], X[300:], y[300:]
    score = {
        views: fo.ForestClassifier(100, projections=Patches(views=views), random_state=0).fit(X, y).score(new, truth)
        for views in (None, ALL)
    }
    assert score[ALL] > 0.9 > score[None] + 0.05


def test_importances_have_an_axis_of_views() -> None:
    X, y = waves(200)
    forest = fo.ForestClassifier(20, projections=Patches(views=ALL), random_state=0).fit(X, y)
    for kind in ("count", "gain"):
        found = forest.importance(kind)
        assert found.shape == (3, *SHAPE) and np.isclose(found.sum(), 1)
        assert not found[1, :, 7:].any() and not found[2, :, 4:].any() and found.any(axis=2).all()
    assert forest.importance("gain")[2].sum() > 0.5
    assert forest.feature_importances_.shape == (24,) and np.isclose(forest.feature_importances_.sum(), 1)
    assert forest.n_features_in_ == 24 and forest.grid_shape_ == SHAPE
    assert any(f"{view}[" in forest.tree(0).text() for view in ALL)


ESTIMATORS: dict[str, Any] = {
    "classifier": fo.ForestClassifier(30, random_state=0, oob_score=True),
    "honest": fo.ForestClassifier(8, honest=True, random_state=0, criterion="entropy", splitter="histogram"),
    "regressor": fo.ForestRegressor(8, random_state=0, max_leaf_nodes=30),
    "geodesic": fo.GeodesicForest(8, random_state=0),
    "two means": fo.GeodesicForest(8, criterion="two_means", random_state=0),
}


@pytest.mark.parametrize("family", ["all", "circle", "mixture"])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_estimator_does_all_it_can(name: str, family: str) -> None:
    X, y = waves(120)
    forest = copy.deepcopy(ESTIMATORS[name]).set_params(projections=FAMILIES[family]).fit(X, y)
    assert forest.n_nodes_.sum() > 16
    leaves = forest.apply(X)
    together = (leaves[:, None] == leaves[None]).mean(axis=2)
    np.testing.assert_allclose(forest.proximity(X).toarray(), together)
    np.testing.assert_allclose(forest.proximity().toarray(), together)
    np.testing.assert_allclose(forest.kneighbors(X, n_neighbors=3)[0], 1 - np.sort(together)[:, :-4:-1])
    assert forest.importance().shape == (3, *SHAPE)
    if name == "regressor":
        assert forest.predict(X, quantiles=[0.1, 0.9]).shape == (120, 2)
    if "geodesic" not in name and name != "two means":
        assert forest.leaf_weights(X).shape == (120, 120)
        assert forest.predict_interval(X).shape == (120, 2)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_pickles_copies_and_threads(name: str, n_jobs: int) -> None:
    X, y = waves(120)
    forest = copy.deepcopy(ESTIMATORS[name]).set_params(projections=Patches(views=ALL)).fit(X, y)
    other = copy.deepcopy(ESTIMATORS[name]).set_params(projections=Patches(views=ALL), n_jobs=n_jobs)
    other.fit(np.asfortranarray(X), y)
    assert type(forest.model_.view_exponents) is np.ndarray
    for same in (pickle.loads(pickle.dumps(forest)), copy.deepcopy(forest), other):
        for key, array in forest.model_.trees.arrays().items():
            np.testing.assert_array_equal(array, same.model_.trees.arrays()[key], err_msg=key)
        np.testing.assert_array_equal(same.apply(X), forest.apply(X))
        np.testing.assert_array_equal(same.model_.view_exponents, forest.model_.view_exponents)
        np.testing.assert_array_equal(same.kneighbors(n_neighbors=4)[1], forest.kneighbors(n_neighbors=4)[1])
        np.testing.assert_array_equal(same.remember(X).apply(X[:1]), forest.apply(X[:1]))


def test_frames_and_flat_rows() -> None:
    X, y = waves(100)
    flat = X.reshape(100, -1)
    frame = pd.DataFrame(flat, columns=[f"t{number}" for number in range(24)])
    grid = fo.ForestClassifier(5, projections=Patches(views=ALL), random_state=0).fit(X, y)
    shaped = fo.ForestClassifier(5, projections=Patches(views=ALL, shape=SHAPE), random_state=0)
    for rows in (frame, flat):
        shaped.fit(rows, y)
        np.testing.assert_array_equal(shaped.apply(rows), grid.apply(X))
        np.testing.assert_array_equal(grid.apply(flat), grid.apply(X))
        assert shaped.importance().shape == (3, *SHAPE)
        assert shaped.tree(0).text()


def test_candidates_are_counted_by_the_cells_of_all_views() -> None:
    X, y = waves(100)  # 3 views of 24 cells
    by_name = fo.ForestClassifier(5, projections=Patches(views=ALL), max_features="sqrt", random_state=0).fit(X, y)
    by_number = fo.ForestClassifier(5, projections=Patches(views=ALL), max_features=8, random_state=0).fit(X, y)
    np.testing.assert_array_equal(by_name.model_.trees.threshold, by_number.model_.trees.threshold)


def test_views_can_be_searched_and_other_views_are_no_warm_start() -> None:
    X, y = waves(120)
    grid = {"projections__views": [None, ("spectrum",), ALL]}
    search = GridSearchCV(fo.ForestClassifier(10, projections=Patches(), random_state=0), grid, cv=2).fit(X, y)
    assert search.best_params_["projections__views"] is not None
    forest = fo.ForestClassifier(5, projections=Patches(views=ALL), warm_start=True, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="needs the same projections"):
        forest.set_params(n_estimators=6, projections__views=ALL[:2]).fit(X, y)
    whole = fo.ForestClassifier(6, projections=Patches(views=ALL), random_state=0).fit(X, y)
    forest.set_params(projections__views=ALL).fit(X, y)
    np.testing.assert_array_equal(forest.apply(X), whole.apply(X))


def test_constant_rows_and_the_smallest_series() -> None:
    y = np.arange(20) % 2
    forest = fo.ForestClassifier(3, projections=Patches(views=ALL), random_state=0).fit(np.full((20, 5), 0.1), y)
    assert (forest.n_nodes_ == 1).all()
    pairs = np.random.default_rng(0).normal(size=(20, 2))
    forest.fit(pairs, pairs[:, 1] > pairs[:, 0])
    assert forest.importance().shape == (3, 2) and forest.score(pairs, pairs[:, 1] > pairs[:, 0]) > 0.9


def test_consistency_needs_the_raw_view() -> None:
    X, _ = waves(50)
    for views, holds in ((None, True), (ALL, True), (ALL[1:], False)):
        found = fo.consistent(fo.ForestClassifier(projections=Patches(views=views)), X)
        basis = {condition.name: condition.holds for condition in found.conditions}
        assert basis["standard basis in the dictionary"] is holds
