"""Box sums read from integral tables are exact, and rows out of the tables' range take another path."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foliation as fo


def one_split_forest(X: NDArray[Any], **patches: Any) -> fo.ForestRegressor:
    """Stumps, many of them, so that thresholds lie on projected values of many patches."""
    rng = np.random.default_rng(0)
    forest = fo.ForestRegressor(
        200, max_depth=1, max_features=1, projections=fo.Patches(**patches), random_state=1, bootstrap=False
    )
    forest.fit(X, rng.normal(size=len(X)))
    return forest


def left_counts(forest: fo.ForestRegressor, X: NDArray[Any]) -> None:
    """Compare the routing of every stump with sums computed cell by cell."""
    leaves = forest.apply(X)
    flat = X.reshape(len(X), -1).astype(np.longdouble)
    for number in range(forest.n_estimators):
        tree = forest.tree(number)
        ids, weights = tree.atom(0)
        value = flat[:, ids] @ weights
        clear = np.abs(value - tree.threshold[0]) > 1e-12 * np.abs(flat).max()
        right = tree.children[0, 1]
        np.testing.assert_array_equal((leaves[:, number] == ~right)[clear], (value > tree.threshold[0])[clear])
        assert clear.mean() > 0.5


GEOMETRIES: list[dict[str, Any]] = [
    {"max_size": (2, 3, 2)},
    {"max_size": (2, 5, 3), "wrap": (True, False, True), "contrast": 0.5},
    {"max_size": 3, "contiguous": (False, True, True), "contrast": 1.0},
    {"max_size": (3, 5, 4), "border": "inside", "contiguous": (True, False, False)},
    {"min_size": (3, 5, 4), "max_size": (3, 5, 4), "wrap": True},
]


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=range(len(GEOMETRIES)))
@pytest.mark.parametrize("kind", ["uint8", "int32", "float32", "float64", "tiny", "huge", "offset"])
def test_routing_equals_sums_over_cells(kind: str, geometry: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    X: NDArray[Any] = rng.normal(size=(60, 3, 5, 4))
    if kind in ("uint8", "int32"):
        X = (X * (20 if kind == "uint8" else 1e8)).astype(kind)
    elif kind in ("tiny", "huge"):
        X = X * (1e-280 if kind == "tiny" else 1e280)
    elif kind == "offset":
        X = 1e6 + 1e-3 * X
    else:
        X = X.astype(kind)
    left_counts(one_split_forest(X, **geometry), X)


@pytest.mark.parametrize("factor", [1.0, 4.0, 1e3, 1e12, 1e100])
def test_rows_beyond_the_range_never_wrap(factor: float) -> None:
    X = np.random.default_rng(4).normal(size=(60, 3, 5, 4))
    forest = one_split_forest(X, max_size=3, contrast=0.3)
    left_counts(forest, factor * X)


def with_large_cells(rng: np.random.Generator, rows: NDArray[Any], sizes: list[float]) -> NDArray[Any]:
    """Replace one to three cells of each row by numbers of these sizes; half of the time, some cancel."""
    rows = rows.copy()
    for row in rows.reshape(len(rows), -1):
        size = rng.choice(sizes)
        at = rng.choice(row.size, size=rng.integers(1, 4), replace=False)
        row[at] = size * rng.choice([-1.0, 1.0], size=len(at))
    return rows


def right_of(forest: fo.ForestRegressor, number: int, flat: NDArray[Any]) -> NDArray[np.bool_]:
    """Route rows through a stump with fractions, whose sums are exact; a projection is the nearest double."""
    tree = forest.tree(number)
    ids, weights = tree.atom(0)
    terms = list(zip(ids.tolist(), map(Fraction, weights.tolist()), strict=True))
    values = [float(sum(weight * Fraction(row[at]) for at, weight in terms)) for row in flat.tolist()]
    return np.asarray(np.array(values) > tree.threshold[0])


BOXES = {
    "contrast": fo.Patches(max_size=3, contrast=1.0),
    "wrapped": fo.Patches(min_size=(2, 3, 2), max_size=(3, 5, 4), wrap=True, contrast=0.7),
    "inside": fo.Patches(max_size=3, border="inside", contrast=1.0),
    "free axis": fo.Patches(max_size=3, contiguous=(False, True, True), contrast=1.0),
    "mixture": fo.Mixture([fo.Patches(max_size=3, contrast=1.0), fo.Axis()], p=[0.9, 0.1]),
}


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("sizes", [[1e17], [1e200], [1e4, 1e17, 1e200]], ids=["1e17", "1e200", "mixed"])
@pytest.mark.parametrize("n_rows", [5, 60])
def test_rows_beyond_the_range_are_routed_as_by_fractions(name: str, sizes: list[float], n_rows: int) -> None:
    """Large cells that both boxes of a contrast share must leave no trace; few rows and many take different ways."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 3, 5, 4))
    forest = fo.ForestRegressor(
        60, max_depth=1, max_features=1, projections=BOXES[name], random_state=2, bootstrap=False
    ).fit(X, rng.normal(size=60))
    rows = with_large_cells(rng, X[:n_rows], sizes)
    leaves = forest.apply(rows)
    for number in range(forest.n_estimators):
        right = ~forest.tree(number).children[0, 1]
        expected = right_of(forest, number, rows.reshape(n_rows, -1))
        np.testing.assert_array_equal(leaves[:, number] == right, expected)


@pytest.mark.parametrize("weights", ["signs", "uniform", "gaussian"])
@pytest.mark.parametrize("size", [1e17, 1e200])
def test_cells_that_cancel_leave_no_trace(weights: Any, size: float) -> None:
    """Both patches of a weighted contrast may hold a cell with the same weight: its value must not matter."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(200, 5, 6))
    patches = fo.Patches(min_size=2, max_size=5, weights=weights, contrast=1.0)
    forest = fo.ForestRegressor(200, max_depth=1, max_features=1, projections=patches, random_state=3)
    before = forest.fit(X, rng.normal(size=200)).apply(X)
    n_moved = 0
    for cell in range(30):
        rows = X.copy()
        rows.reshape(200, 30)[:, cell] = size
        apart = [number for number in range(200) if cell not in forest.tree(number).atom(0)[0]]
        n_moved += int((forest.apply(rows)[:, apart] != before[:, apart]).sum())
    assert n_moved == 0


def test_float_rows_on_a_forest_fitted_on_whole_numbers() -> None:
    rng = np.random.default_rng(5)
    X = rng.integers(0, 256, size=(80, 3, 5, 4)).astype(np.uint8)
    forest = one_split_forest(X, max_size=3)
    left_counts(forest, X + rng.normal(size=X.shape))


def test_equal_patches_are_never_told_apart() -> None:
    """Tenths are no binary fractions: running sums would differ in their last bits, ours do not."""
    rng = np.random.default_rng(6)
    X = np.repeat(rng.integers(0, 3, size=(200, 1)), 60, axis=1) / 10.0
    X[:, 0] += rng.normal(size=200)  # what comes before a patch must not matter
    forest = fo.ForestClassifier(
        20, projections=fo.Patches(min_size=3, max_size=3, border="inside"), max_features=1, random_state=0
    ).fit(X, rng.integers(0, 2, size=200))
    for number in range(20):
        tree = forest.tree(number)
        for split in range(tree.n_splits):
            ids, _ = tree.atom(split)
            if 0 not in ids:
                assert np.abs(tree.threshold[split] - np.array([0.15, 0.45])).min() < 1e-6 or np.isclose(
                    tree.threshold[split], 0.3
                )
