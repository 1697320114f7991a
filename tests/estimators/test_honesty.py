"""Honest trees: the rows that grow a tree and the rows that fill its leaves are disjoint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from samples import estimation_samples, structure_samples
from sklearn.base import clone

import foliation as fo
from foliation import _core, simulations
from foliation.analysis.leaf_weights import _leaf_rows

STRUCTURE = ("split_start", "leaf_start", "children", "threshold", "gain", "atom_start", "atom_words")
FAMILIES = [
    fo.Axis(),
    fo.Sparse(),
    fo.Patches(),
    fo.Kernels(np.array([[1.0, -2.0, 1.0], [1.0, 1.0, 1.0]])),
    fo.Neighborhoods(np.eye(100, k=1), size=(1, 5)),
    fo.Atoms(np.eye(100) - np.eye(100, k=3)),
    fo.Mixture([fo.Axis(), fo.Patches(contrast=0.5)]),
]


def rows_of(forest: Any, tree: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Rows and weights of the structure samples of a tree, then of its estimation samples."""
    return *structure_samples(forest, tree), *estimation_samples(forest, tree)


def data() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return simulations.impulse(200, random_state=0)


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize(("honest", "share"), [(True, 0.5), (0.3, 0.3), (0.8, 0.8)])
def test_rows_are_split(honest: float, share: float, bootstrap: bool) -> None:
    X, y = data()
    forest = fo.ForestClassifier(10, honest=honest, bootstrap=bootstrap, random_state=0).fit(X, y)
    for t, drawn in enumerate(forest.estimators_samples_):
        grow, grow_weight, fill, fill_weight = rows_of(forest, t)
        distinct, counts = np.unique(drawn, return_counts=True)
        np.testing.assert_array_equal(np.sort(np.concatenate([grow, fill])), distinct)
        np.testing.assert_array_equal(np.concatenate([grow_weight, fill_weight])[np.argsort([*grow, *fill])], counts)
        assert len(grow) == round(share * len(distinct))
    assert len({tuple(rows_of(forest, t)[0]) for t in range(10)}) == 10


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
def test_targets_of_fill_rows_do_not_touch_the_structure(family: Any) -> None:
    X, y = data()
    for estimator, targets in ((fo.ForestClassifier, y), (fo.ForestRegressor, X.sum(axis=1))):
        for settings in ({}, {"honest_fill": "oob"}, {"bootstrap": False, "max_samples": 0.7}):
            model = estimator(4, projections=family, honest=True, random_state=0, **settings)
            forest = clone(model).fit(X, targets)
            for tree in range(4):
                _, _, fill, _ = rows_of(forest, tree)
                permuted = targets.copy()
                permuted[fill] = np.random.default_rng(tree).permutation(targets[fill])
                before, after = forest.tree(tree), clone(model).fit(X, permuted).tree(tree)
                for name in ("children", "threshold", "gain", "leaf_weight"):
                    np.testing.assert_array_equal(getattr(after, name), getattr(before, name), err_msg=name)
                for split in range(before.n_splits):
                    np.testing.assert_array_equal(after.atom(split), before.atom(split))
                assert not np.array_equal(after.value, before.value)


@pytest.mark.parametrize("prior", ["ancestor", "uniform", "empirical", "ignore"])
def test_leaves_hold_the_fill_rows(prior: str) -> None:
    X, y = data()
    forest = fo.ForestClassifier(5, honest=True, honest_prior=prior, random_state=0).fit(X, y)
    leaves = forest.apply(X)
    n_empty = 0
    for t in range(5):
        _, _, fill, weights = rows_of(forest, t)
        tree = forest.tree(t)
        for leaf in range(tree.n_leaves):
            here = leaves[fill, t] == leaf
            assert tree.leaf_weight[leaf] == weights[here].sum()
            if not here.any():
                n_empty += 1
                expected = expected_prior(prior, tree, leaf, leaves[fill, t], y[fill], weights)
            else:
                expected = np.bincount(y[fill[here]], weights[here], minlength=2) / weights[here].sum()
            np.testing.assert_allclose(tree.value[leaf], expected, err_msg=f"tree {t}, leaf {leaf}")
    assert n_empty > 5


def leaves_below(tree: Any, node: int) -> list[int]:
    return [~node] if node < 0 else [leaf for child in tree.children[node] for leaf in leaves_below(tree, int(child))]


def expected_prior(
    prior: str, tree: Any, leaf: int, reached: NDArray[Any], y: NDArray[Any], weights: NDArray[Any]
) -> NDArray[np.float64]:
    if prior == "uniform":
        return np.array([0.5, 0.5])
    if prior == "ignore":
        return np.zeros(2)
    splits = range(tree.n_splits) if prior == "ancestor" else [0]
    above = [below for s in splits if leaf in (below := leaves_below(tree, s)) and np.isin(reached, below).any()]
    here = np.isin(reached, min(above, key=len))
    return np.asarray(np.bincount(y[here], weights[here], minlength=2) / weights[here].sum())


def test_ignored_leaves_take_no_part() -> None:
    X, y = data()
    forest = fo.ForestClassifier(7, honest=0.9, honest_prior="ignore", random_state=0).fit(X, y)
    leaves = forest.apply(X)
    values = np.stack([forest.tree(t).value[leaves[:, t]] for t in range(7)], axis=1)
    filled = values.sum(axis=2) > 0
    assert 0.05 < filled.mean() < 0.95
    some = filled.any(axis=1)
    by_hand = values[some].sum(axis=1) / filled[some].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.predict_proba(X)[some], by_hand)
    np.testing.assert_allclose(forest.predict_proba(X)[~some], np.broadcast_to([0.5, 0.5], ((~some).sum(), 2)))


@pytest.mark.parametrize("prior", ["ancestor", "empirical", "ignore"])
def test_regression(prior: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = X[:, 0] + X[:, 1]
    forest = fo.ForestRegressor(50, honest=True, honest_prior=prior, oob_score=True, random_state=0).fit(X, y)
    leaves = forest.apply(X)
    _, _, fill, weights = rows_of(forest, 3)
    tree = forest.tree(3)
    for leaf in np.unique(leaves[fill, 3]):
        here = leaves[fill, 3] == leaf
        np.testing.assert_allclose(tree.value[leaf, 0], np.average(y[fill[here]], weights=weights[here]))
    assert forest.oob_score_ > 0.75
    assert np.isfinite(forest.predict(X)).all() and np.isfinite(forest.predict_trees(X)).all()


def test_rows_outside_the_sample_stay_out_of_bag() -> None:
    """Fill rows have been seen: only rows that were never drawn count as out of bag."""
    X, y = data()
    forest = fo.ForestClassifier(40, honest=True, oob_score=True, random_state=0).fit(X, y)
    leaves = forest.apply(X)
    sums = np.zeros((len(X), 2))
    for t, drawn in enumerate(forest.estimators_samples_):
        out = np.setdiff1d(np.arange(len(X)), drawn)
        sums[out] += forest.tree(t).value[leaves[out, t]]
    np.testing.assert_allclose(forest.oob_decision_function_, sums / sums.sum(axis=1, keepdims=True))


def test_bad_values() -> None:
    X, y = data()
    for honest in (0.0, 1.0, 1.5, "yes"):
        with pytest.raises(ValueError, match="'honest' parameter"):
            fo.ForestClassifier(honest=honest).fit(X, y)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'honest_prior' parameter"):
        fo.ForestRegressor(honest=True, honest_prior="uniform").fit(X, y)


def test_rows_out_of_the_bag_may_fill() -> None:
    X, y = data()
    forest = fo.ForestClassifier(10, honest=True, honest_fill="oob", random_state=0).fit(X, y)
    plain = fo.ForestClassifier(10, random_state=0).fit(X, y)
    for name in STRUCTURE:  # the whole sample grows, as in a plain forest
        np.testing.assert_array_equal(
            forest.model_.trees.arrays()[name], plain.model_.trees.arrays()[name], err_msg=name
        )
    for t, drawn in enumerate(forest.estimators_samples_):
        grow, _, fill, weights = rows_of(forest, t)
        np.testing.assert_array_equal(grow, np.unique(drawn))
        np.testing.assert_array_equal(fill, np.setdiff1d(np.arange(len(X)), drawn))
        np.testing.assert_array_equal(weights, 1.0)
        reached = np.bincount(forest.apply(X)[fill, t], minlength=forest.tree(t).n_leaves)
        np.testing.assert_array_equal(forest.tree(t).leaf_weight, reached)
    with pytest.raises(ValueError, match="none are left for oob_score"):
        fo.ForestClassifier(10, honest=True, honest_fill="oob", oob_score=True).fit(X, y)
    with pytest.raises(ValueError, match=r'honest_fill="oob" lets the whole .* set honest=True, not 0\.3'):
        fo.ForestClassifier(10, honest=0.3, honest_fill="oob").fit(X, y)
    with pytest.raises(ValueError, match='honest_fill="oob" needs rows out of the bag'):
        fo.ForestClassifier(10, honest=True, honest_fill="oob", bootstrap=False).fit(X, y)


@pytest.mark.parametrize("class_weight", ["balanced", "balanced_subsample"])
def test_weights_count_alike_whichever_rows_fill(class_weight: str) -> None:
    """Heavy rows must not be missing among those that fill because they were not drawn."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 3)), rng.random(2000) < 0.1
    for fill in ("sample", "oob"):
        forest = fo.ForestClassifier(
            50, honest=True, honest_fill=fill, class_weight=class_weight, min_samples_leaf=100, random_state=0
        ).fit(X, y)
        assert abs(forest.predict_proba(X)[:, 1].mean() - 0.5) < 0.03


@pytest.mark.parametrize("prior", ["ancestor", "empirical"])
def test_what_empty_leaves_borrow_is_held_once(prior: str) -> None:
    sizes = []
    for n in (500, 2000):
        X = np.random.default_rng(0).normal(size=(n, 3))
        forest = fo.ForestRegressor(10, honest=0.9, honest_prior=prior, random_state=0).fit(X, X[:, 0])
        forest.predict(X[:10], quantiles=[0.5])
        sizes.append(_leaf_rows(forest.model_, _core.Machine(1)).weights.nnz / n)
    assert sizes[1] < 2 * sizes[0]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_balanced_splits(family: Any, share: float) -> None:
    X, y = data()
    settings: dict[str, Any] = {"projections": family, "min_balance": share, "random_state": 0}
    forest = fo.ForestClassifier(3, bootstrap=False, max_samples=128, **settings).fit(X, y)
    leaves = forest.apply(X)
    for t, drawn in enumerate(forest.estimators_samples_):
        tree = forest.tree(t)
        assert tree.n_splits > 3
        for split in range(tree.n_splits):
            left, right = (np.isin(leaves[drawn, t], leaves_below(tree, int(c))).sum() for c in tree.children[split])
            assert min(left, right) >= share * (left + right) - 1e-9


def test_sizes_of_samples_may_be_a_function() -> None:
    X, y = data()
    size = fo.subsample_exponent(0.75)
    assert size(10_000) == 1000 and repr(size) == "subsample_exponent(alpha=0.75)"
    forest = fo.ForestClassifier(5, bootstrap=False, max_samples=size, random_state=0).fit(X, y)
    assert {len(rows) for rows in forest.estimators_samples_} == {round(200**0.75)}
    with pytest.raises(ValueError, match=r"gives 0\.5 for 200 rows; it must give a number of rows"):
        fo.ForestClassifier(5, max_samples=lambda n: 0.5).fit(X, y)  # type: ignore[arg-type,return-value]
    with pytest.raises(ValueError, match="asks for 400 rows without replacement"):
        fo.ForestClassifier(5, bootstrap=False, max_samples=lambda n: 2 * n).fit(X, y)
    for alpha in (0.0, 1.0, "half"):
        with pytest.raises(ValueError, match=r"alpha=.* must be a number between 0 and 1"):
            fo.ForestClassifier(5, max_samples=fo.subsample_exponent(alpha)).fit(X, y)  # type: ignore[arg-type]
