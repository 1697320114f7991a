"""The criteria of geodesic forests: node for node against the reference, and what they must not depend on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from reference import Reference, Rules
from reference_cases import FAMILIES, SHAPE, compare, make_rows
from reference_clusters import CLUSTERS, bic_gain
from samples import structure_samples

import foliation as fo
from foliation import _core

SCALE_FREE = ("two_means", "fast_bic", "mclust_bic")


def check(forest: Any, X: NDArray[Any], rules: Rules) -> int:
    """Fit, and compare every tree with the reference; return the number of nodes compared."""
    forest.fit(X)
    dictionary = forest.model_.dictionary
    flat = X.reshape(len(X), -1)
    reference = Reference(dictionary, rules, 0, flat.shape[1])
    n_nodes = 0
    for number in range(forest.n_estimators):
        rows, weights = structure_samples(forest, number)
        no_targets = np.empty((len(rows), 0))
        grown = reference.grow(flat[rows], no_targets, weights, _core.root_key(forest.model_.seed, number))
        tree = forest.tree(number)
        n_nodes += compare(tree, 0 if tree.n_splits else -1, grown)
    return n_nodes


def defaults(X: NDArray[Any], criterion: str, **others: Any) -> Rules:
    """Return the rules of a forest on these rows, as they are if not told otherwise."""
    usual = {"splitter": "auto", "min_samples_leaf": 4, "min_balance": 0.1, "patience": 5 * X[0].size}
    return Rules(criterion, **{**usual, **others})


def clustered(kind: str, rng: np.random.Generator, n: int) -> NDArray[Any]:
    """Rows in which some columns have two clusters."""
    X = make_rows(kind, rng, n)
    shift = np.zeros((n, *SHAPE))
    shift[: n // 3, 0], shift[n // 2 :, 2, 1:3] = 3 * X.std(), 2 * X.std()
    return (X + shift).astype(kind)


@pytest.mark.parametrize("kind", ["float64", "float32", "uint8", "int16"])
@pytest.mark.parametrize("criterion", CLUSTERS)
def test_criteria_and_number_types(criterion: str, kind: str) -> None:
    rng = np.random.default_rng([len(criterion), len(kind)])
    X = clustered(kind, rng, 150)
    forest = fo.GeodesicForest(
        3, criterion=criterion, projections=FAMILIES["mixture"], max_features=4, min_samples_split=20,
        random_state=int(rng.integers(1000)), bootstrap=kind != "int16",
    )  # fmt: skip
    rules = defaults(X, criterion, n_candidates=4, min_samples_split=20)
    assert check(forest, X, rules) > 20


@pytest.mark.parametrize("name", FAMILIES)
def test_families(name: str) -> None:
    X = clustered("float64", np.random.default_rng(len(name)), 120)
    forest = fo.GeodesicForest(2, projections=FAMILIES[name], min_samples_split=15, random_state=len(name))
    rules = defaults(X, "fast_bic", n_candidates=3, min_samples_split=15)
    assert check(forest, X, rules) > 10


@pytest.mark.parametrize("criterion", CLUSTERS)
@pytest.mark.parametrize("splitter", ["auto", "exact"])
def test_large_nodes(splitter: str, criterion: str) -> None:
    X = clustered("float32", np.random.default_rng(3), 700)
    forest = fo.GeodesicForest(
        2, criterion=criterion, projections="sparse", splitter=splitter, min_samples_split=100, random_state=1
    )
    rules = defaults(X, criterion, splitter=splitter, n_candidates=3, min_samples_split=100)
    assert check(forest, X, rules) > 15


@pytest.mark.parametrize("patience", [0.0, 0.2, 2.0, 20.0])
@pytest.mark.parametrize("criterion", CLUSTERS)
@pytest.mark.parametrize("family", ["axis", "sparse"])
def test_patience(family: str, criterion: str, patience: float) -> None:
    """Two columns of 40 have clusters, which most nodes find only by drawing on."""
    X = np.random.default_rng(9).normal(size=(300, 40))
    X[:120, 3] += 5
    X[60:180, 17] += 4
    forest = fo.GeodesicForest(
        3,
        criterion=criterion,
        projections=family,
        max_features=1,
        min_samples_split=40,
        patience=patience,
        random_state=0,
    )
    rules = defaults(X, criterion, min_samples_split=40, patience=int(40 * patience))
    assert check(forest, X, rules) > 20


@pytest.mark.parametrize("criterion", SCALE_FREE)
def test_patience_finds_the_columns_with_clusters(criterion: str) -> None:
    rng = np.random.default_rng(10)
    X = rng.normal(size=(400, 60))
    X[rng.random(400) < 0.5, 7] += 6

    def first(patience: float) -> float:
        forest = fo.GeodesicForest(
            50, criterion=criterion, projections="axis", max_features=2, max_depth=1, patience=patience, random_state=0
        )
        return float(forest.fit(X).importance()[7])

    assert first(0.0) < 0.2
    assert first(5.0) > 0.9


@pytest.mark.parametrize("criterion", ["two_means_raw", "fast_bic_raw"])
def test_raw_scores_draw_on_only_if_nothing_can_be_cut(criterion: str) -> None:
    rng = np.random.default_rng(11)
    rare = (rng.random((500, 30)) < 0.05).astype(np.float64)
    rare[:, 7] = rng.random(500) < 0.5

    def n_splits(X: NDArray[Any], patience: float) -> int:
        forest = fo.GeodesicForest(
            50, criterion=criterion, projections="axis", max_features=1, max_depth=1, patience=patience, random_state=0
        )
        return len(forest.fit(X).model_.trees.threshold)

    assert n_splits(rare, 0.0) < 10
    assert n_splits(rare, 1.0) == 50
    X = rng.normal(size=(200, 10))
    forests = [fo.GeodesicForest(5, criterion=criterion, patience=some, random_state=0).fit(X) for some in (0.0, 5.0)]
    first, second = (forest.apply(X) for forest in forests)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("n", [60, 210])
@pytest.mark.parametrize(("scale", "shift"), [(0.1, 0.0), (0.1, 7.0), (3.0, 0.0), (-1.0, 0.0)])
def test_rounding_does_not_decide_what_shows_clusters(n: int, scale: float, shift: float) -> None:
    """Three values in equal shares gain just as much as evenly spread ones, and do not show clusters."""
    rng = np.random.default_rng(12)
    X = np.column_stack([rng.permutation(np.arange(n) % 3) for _ in range(19)] + [np.arange(n) % 2 * 2])
    forest = fo.GeodesicForest(
        50, criterion="two_means", projections="axis", max_features=1, bootstrap=False, max_depth=1, random_state=0
    )
    assert forest.fit(scale * X + shift).importance()[19] == 1.0


@pytest.mark.parametrize("settings", [{"max_leaf_nodes": 6}, {"screen": 0.5}, {"screen": 1.0}])
def test_patience_with_other_settings(settings: dict[str, Any]) -> None:
    rng = np.random.default_rng(13)
    X = rng.normal(size=(600, 30))
    X[:, 4] += 6 * (rng.random(600) < 0.5)
    shared: dict[str, Any] = {"projections": "axis", "max_features": 1, "random_state": 0, "min_samples_split": 300}
    forests = [fo.GeodesicForest(20, n_jobs=n_jobs, **shared, **settings).fit(X) for n_jobs in (1, 2)]
    first, second = (forest.apply(X) for forest in forests)
    np.testing.assert_array_equal(first, second)
    roots = [forests[0].tree(number).atom(0)[0][0] for number in range(20)]
    assert np.mean(np.array(roots) == 4) > 0.9


def test_limits() -> None:
    X = clustered("float64", np.random.default_rng(4), 400)
    limits: dict[str, Any] = {
        "min_samples_split": 30, "min_samples_leaf": 12, "min_balance": 0.1, "min_weight_fraction_leaf": 0.05,
        "variance_floor": 0.1, "max_depth": 4, "min_impurity_decrease": 0.005,
    }  # fmt: skip
    forest = fo.GeodesicForest(3, projections="axis", max_features=5, random_state=0, **limits)
    assert check(forest, X, defaults(X, "fast_bic", n_candidates=5, **limits)) > 8


def test_leaves_of_hundreds_in_large_nodes() -> None:
    """What a few rows find must hold for all: else all are looked at."""
    X = np.random.default_rng(5).normal(size=(600, 3))
    for least in (100, 140, 180):
        limits: dict[str, Any] = {"min_samples_leaf": least, "min_samples_split": 300}
        forest = fo.GeodesicForest(2, projections="axis", max_features=2, random_state=0, min_balance=0, **limits)
        assert check(forest, X, defaults(X, "fast_bic", n_candidates=2, min_balance=0.0, **limits)) > 2
        assert forest.tree(0).leaf_weight.min() >= least


@pytest.mark.parametrize("criterion", SCALE_FREE)
@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1000.0, -7.0), (3.7, 1e3)])
def test_scores_have_no_units(criterion: str, scale: float, shift: float) -> None:
    X = clustered("float64", np.random.default_rng(6), 300).reshape(300, -1)
    forest = fo.GeodesicForest(5, criterion=criterion, projections="axis", random_state=0)
    before = forest.fit(X)
    leaves, gains = before.apply(X), before.tree(0).gain
    after = forest.fit(X * scale + shift)
    np.testing.assert_array_equal(after.apply(X * scale + shift), leaves)
    np.testing.assert_allclose(after.tree(0).gain, gains, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("criterion", ["two_means_raw", "fast_bic_raw"])
def test_raw_scores_prefer_small_units(criterion: str) -> None:
    """A column without clusters wins over one with, if its numbers are small: what the gains are there to mend."""
    rng = np.random.default_rng(7)
    two = np.where(rng.random(400) < 0.5, -5.0, 5.0) + rng.normal(size=400)
    X = np.column_stack([two, 0.01 * rng.normal(size=400)])

    def first(criterion: str) -> int:
        forest = fo.GeodesicForest(1, criterion=criterion, projections="axis", max_features=None, random_state=0).fit(X)
        return int(forest.tree(0).atom(0)[0][0])

    assert first(criterion) == 1
    assert first(criterion.removesuffix("_raw")) == 0


@pytest.mark.parametrize("criterion", CLUSTERS)
def test_small_differences_of_large_numbers(criterion: str) -> None:
    rng = np.random.default_rng(8)
    second = rng.random(500) < 0.4
    X = 1e6 + 1e-3 * (8.0 * second + rng.normal(size=500))[:, None]
    forest = fo.GeodesicForest(
        10, criterion=criterion, projections="axis", max_features=None, max_depth=1, random_state=0
    ).fit(X)
    for leaves in forest.apply(X).T:
        assert min((leaves == second).mean(), (leaves != second).mean()) < 0.01


def test_two_gaussians_are_parted_between_them() -> None:
    """Written naively, the score loves two nearly equal values; in 200 draws none must be cut off."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x = np.concatenate([rng.normal(size=50), rng.normal(size=50) + 6])[:, None]
        forest = fo.GeodesicForest(1, projections="axis", bootstrap=False, max_depth=1, random_state=0).fit(x)
        assert 1.5 < forest.tree(0).threshold[0] < 4.5


def test_one_variance_or_two() -> None:
    """The gain is that of the better model, worked out by hand for four values."""
    z = np.array([-1.2, -0.8, 0.8, 1.2])
    z = z / z.std()
    w = np.ones(4)
    within = np.var(z[:2])
    log_likelihood = 4 * np.log(0.5) - 2 * np.log(2 * np.pi * within) - 2
    expected = 4 * np.log(2 * np.pi) + 4 + 2 * np.log(4) - (-2 * log_likelihood + 4 * np.log(4))
    assert bic_gain(z, w, 2, 1e-9) == pytest.approx(expected)
