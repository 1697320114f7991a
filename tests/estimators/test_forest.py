"""What users do with a forest: labels, outputs, weights, frames, out-of-bag rows, looking inside."""

from __future__ import annotations

import pickle
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score, mean_absolute_error
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import foliation as fo


@pytest.fixture(scope="module")
def digits() -> tuple[NDArray[np.uint8], NDArray[Any]]:
    data = load_digits()
    return data.images.astype(np.uint8), data.target


def test_digits_are_learned(digits: Any) -> None:
    X, y = digits
    for projections in ("axis", "sparse", "patches", "image", fo.Kernels(fo.gabor_bank(3))):
        forest = fo.ForestClassifier(60, projections=projections, random_state=0, n_jobs=2).fit(X[:1200], y[:1200])
        assert forest.score(X[1200:], y[1200:]) > 0.89


def test_flattened_rows_predict_the_same(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(forest.predict_proba(X), forest.predict_proba(X.reshape(len(X), -1)))
    assert forest.grid_shape_ == (8, 8) and forest.n_features_in_ == 64


@pytest.mark.parametrize(
    "labels", [np.array(["no", "yes", "perhaps"]), np.array([False, True, True]), np.array([-5, 0, 12])]
)
def test_labels_of_any_kind(labels: NDArray[Any]) -> None:
    X, y = load_iris(return_X_y=True)
    named = labels[y]
    forest = fo.ForestClassifier(20, random_state=0).fit(X, named)
    np.testing.assert_array_equal(forest.classes_, np.unique(named))
    assert forest.predict(X).dtype == named.dtype
    assert forest.score(X, named) > 0.95
    np.testing.assert_allclose(forest.predict_proba(X).sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(forest.predict_log_proba(X)), forest.predict_proba(X), rtol=1e-12)


def test_several_outputs_of_classes() -> None:
    X, y = load_iris(return_X_y=True)
    both = np.column_stack([np.array(["a", "b", "c"])[y], np.array(["long", "short"])[(X[:, 0] < 5.8).astype(int)]])
    forest = fo.ForestClassifier(30, random_state=0, oob_score=True).fit(X, both)
    proba = forest.predict_proba(X)
    assert [p.shape for p in proba] == [(150, 3), (150, 2)]
    assert all(np.allclose(p.sum(axis=1), 1) for p in proba)
    assert (forest.predict(X) == both).mean() > 0.97
    assert forest.n_classes_ == [3, 2] and forest.n_outputs_ == 2
    assert 0.7 < forest.oob_score_ < 1
    assert forest.predict_trees(X).shape == (150, 30, 2)


def test_several_outputs_of_numbers() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.column_stack([X[:, 0] + X[:, 1], X[:, 2], -X[:, 3]])
    forest = fo.ForestRegressor(40, random_state=0, oob_score=True).fit(X, y)
    assert forest.predict(X).shape == y.shape
    assert forest.score(X, y) > 0.9 > forest.oob_score_ > 0.5
    single = fo.ForestRegressor(40, random_state=0).fit(X, y[:, 0])
    assert single.predict(X).shape == (300,)


def test_probabilities_are_means_over_trees(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(7, random_state=0, min_samples_leaf=5).fit(X, y)
    leaves = forest.apply(X)
    assert leaves.shape == (len(X), 7)
    by_hand = np.mean([forest.tree(t).value[leaves[:, t]] for t in range(7)], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), by_hand, rtol=1e-12)
    votes = forest.predict_trees(X)
    np.testing.assert_array_equal(votes[:, 3], forest.classes_[forest.tree(3).value[leaves[:, 3]].argmax(axis=1)])
    assert forest.n_nodes_.tolist() == [forest.tree(t).n_nodes for t in range(7)]


def test_out_of_bag_is_what_it_says(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(30, random_state=0, oob_score=True).fit(X, y)
    leaves = forest.apply(X)
    sums, counts = np.zeros((len(X), 10)), np.zeros(len(X))
    for t, drawn in enumerate(forest.estimators_samples_):
        assert len(drawn) == len(X)
        out = np.setdiff1d(np.arange(len(X)), drawn)
        sums[out] += forest.tree(t).value[leaves[out, t]]
        counts[out] += 1
    np.testing.assert_allclose(forest.oob_decision_function_, sums / counts[:, None], rtol=1e-12)
    assert forest.oob_score_ == accuracy_score(y, sums.argmax(axis=1))
    assert abs(forest.oob_score_ - 0.95) < 0.03
    metric = fo.ForestClassifier(30, random_state=0, oob_score=balanced_accuracy_score).fit(X, y)
    assert metric.oob_score_ == pytest.approx(balanced_accuracy_score(y, sums.argmax(axis=1)))


def test_rows_in_every_bag_have_no_out_of_bag_prediction() -> None:
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="rows have no out-of-bag prediction"):
        forest = fo.ForestRegressor(2, random_state=0, oob_score=mean_absolute_error).fit(X, y)
    unseen = np.isnan(forest.oob_prediction_)
    assert 0 < unseen.sum() < 150
    assert forest.oob_score_ == mean_absolute_error(y[~unseen], forest.oob_prediction_[~unseen])


def test_bootstrap_draws_by_weight() -> None:
    X, y = load_iris(return_X_y=True)
    weights = np.where(y == 2, 0.0, 1.0 + y)
    forest = fo.ForestClassifier(200, random_state=0).fit(X, y, sample_weight=weights)
    drawn = np.concatenate(forest.estimators_samples_)
    shares = np.bincount(y[drawn], minlength=3) / len(drawn)
    assert shares[2] == 0
    assert abs(shares[1] - 2 / 3) < 4 * np.sqrt(2 / 9 / len(drawn))


@pytest.mark.parametrize(("max_samples", "expected"), [(None, 150), (20, 20), (0.5, 75), (2.0, 300)])
def test_max_samples(max_samples: float | None, expected: int) -> None:
    X, y = load_iris(return_X_y=True)
    forest = fo.ForestClassifier(5, max_samples=max_samples, random_state=0).fit(X, y)
    assert [len(drawn) for drawn in forest.estimators_samples_] == [expected] * 5
    weighted = fo.ForestClassifier(5, max_samples=max_samples, random_state=0).fit(X, y, sample_weight=np.full(150, 2))
    times = 2 if isinstance(max_samples, float) else 1
    assert [len(drawn) for drawn in weighted.estimators_samples_] == [times * expected] * 5


def test_subsamples_without_replacement() -> None:
    X, y = load_iris(return_X_y=True)
    weights = (np.arange(150) % 3 > 0).astype(float)
    forest = fo.ForestClassifier(300, bootstrap=False, max_samples=30, random_state=0, oob_score=True)
    drawn = forest.fit(X, y, sample_weight=weights).estimators_samples_
    assert all(len(np.unique(rows)) == len(rows) == 30 for rows in drawn)
    counts = np.bincount(np.concatenate(drawn), minlength=150)
    assert (counts[::3] == 0).all()
    expected = 300 * 30 / 100
    assert ((counts[weights > 0] - expected) ** 2 / expected).sum() < 150  # 99 degrees of freedom


def test_class_weights_as_in_scikit_learn() -> None:
    """Without bootstrap and with one candidate order, weights are all that enters: compare root values."""
    X, y = load_iris(return_X_y=True)
    X, y = X[:110], y[:110]
    sample_weight = np.random.default_rng(0).exponential(size=110)
    both = np.column_stack([y, X[:, 0] > 5.5])
    cases: list[tuple[Any, Any]] = [
        ({0: 1.0, 1: 3.0, 2: 0.5}, y),
        ("balanced", y),
        ("balanced_subsample", y),
        ("balanced", both),
        ([{0: 1.0, 1: 2.0, 2: 3.0}, {0: 5.0, 1: 1.0}], both),
    ]
    for class_weight, target in cases:
        settings: dict[str, Any] = {"max_depth": 1, "bootstrap": False, "class_weight": class_weight, "random_state": 0}
        ours = fo.ForestClassifier(1, max_features=None, projections="axis", **settings)
        theirs = RandomForestClassifier(1, max_features=None, **settings)
        ours.fit(X, target, sample_weight=sample_weight)
        theirs.fit(X, target, sample_weight=sample_weight)
        tree = ours.tree(0)
        mean = (tree.value * tree.leaf_weight[:, None]).sum(axis=0) / tree.leaf_weight.sum()
        root = theirs.estimators_[0].tree_.value[0]
        np.testing.assert_allclose(mean, np.concatenate([r[: len(np.unique(t))] for r, t in zip(root, np.atleast_2d(target.T), strict=True)]), rtol=1e-6)  # fmt: skip  # noqa: E501


def test_balanced_subsample_weighs_classes_equally() -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[:110], y[:110]
    forest = fo.ForestClassifier(5, class_weight="balanced_subsample", random_state=0, max_depth=1).fit(X, y)
    for t in range(5):
        tree = forest.tree(t)
        totals = (tree.value * tree.leaf_weight[:, None]).sum(axis=0)
        np.testing.assert_allclose(totals, totals[0])


def test_frames_and_feature_names() -> None:
    data = load_iris(as_frame=True)
    X, y = data.data, data.target
    forest = fo.ForestClassifier(10, random_state=0).fit(X, y)
    assert list(forest.feature_names_in_) == list(X.columns)
    plain = fo.ForestClassifier(10, random_state=0).fit(X.to_numpy(), y)
    np.testing.assert_array_equal(forest.predict_proba(X), plain.predict_proba(X.to_numpy()))
    frame = pl.from_pandas(X)
    polars = fo.ForestClassifier(10, random_state=0).fit(frame, pl.Series(y.to_numpy()))
    np.testing.assert_array_equal(polars.predict_proba(frame), plain.predict_proba(X.to_numpy()))
    with pytest.raises(ValueError, match="feature names"):
        forest.predict(X.rename(columns={X.columns[0]: "other"}))
    mixed = pd.DataFrame({"a": np.arange(9, dtype=np.int8), "b": np.linspace(0, 1, 9), "c": [True, False, True] * 3})
    assert fo.ForestRegressor(5, random_state=0).fit(mixed, np.arange(9)).predict(mixed).shape == (9,)


def test_importances(digits: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(20, projections=fo.Patches(max_size=3), random_state=0).fit(X, y)
    counts, gains = np.zeros(64), np.zeros(64)
    for t in range(20):
        tree = forest.tree(t)
        tree_gains = np.zeros(64)
        for split in range(tree.n_splits):
            ids, weights = tree.atom(split)
            counts[ids] += 1
            tree_gains[ids] += tree.gain[split] * np.abs(weights) / np.abs(weights).sum()
        gains += tree_gains / tree.gain.sum() / 20
    np.testing.assert_allclose(forest.importance(), (counts / counts.sum()).reshape(8, 8), rtol=1e-9)
    n_splits = sum(forest.tree(t).n_splits for t in range(20))
    np.testing.assert_allclose(forest.importance("count", normalize=False).ravel(), counts / n_splits, rtol=1e-9)
    np.testing.assert_allclose(forest.importance("gain").ravel(), gains, rtol=1e-9)
    np.testing.assert_allclose(forest.feature_importances_, gains, rtol=1e-9)
    assert forest.importance("gain").sum() == pytest.approx(1)


def test_a_tree_can_be_read() -> None:
    X, y = load_iris(return_X_y=True)
    tree = fo.ForestClassifier(1, projections="sparse", random_state=0, max_depth=2).fit(X, y).tree(0)
    drawn = str(tree).splitlines()
    assert len(drawn) == tree.n_nodes
    assert "<=" in drawn[0] and sum("leaf" in line for line in drawn) == tree.n_leaves
    assert tree.depth == 2 and tree.leaf_depths().max() == 2
    assert repr(tree).startswith("Tree(n_splits=")
    only_leaf = fo.ForestClassifier(1).fit(X, np.zeros(150)).tree(0)
    assert (only_leaf.n_splits, only_leaf.n_leaves, only_leaf.depth) == (0, 1, 0)


def test_max_leaf_nodes_takes_the_best_splits_first(digits: Any) -> None:
    X, y = digits
    full = fo.ForestClassifier(1, random_state=0, bootstrap=False).fit(X, y)
    few = fo.ForestClassifier(1, random_state=0, bootstrap=False, max_leaf_nodes=9).fit(X, y)
    assert few.tree(0).n_leaves == 9
    assert set(few.tree(0).gain) <= set(full.tree(0).gain)
    assert few.tree(0).gain.min() > np.median(full.tree(0).gain)


def test_search_and_pipeline(digits: Any) -> None:
    X, y = digits
    X, y = X[:300], y[:300]
    forest = fo.ForestClassifier(8, projections=fo.Patches(), random_state=0)
    search = GridSearchCV(forest, {"projections__max_size": [1, 3]}, cv=2, n_jobs=2).fit(X, y)
    assert search.best_params_["projections__max_size"] in (1, 3)
    assert len(set(search.cv_results_["mean_test_score"])) == 2
    pipeline = make_pipeline(StandardScaler(), fo.ForestClassifier(8, projections=fo.Patches(shape=(8, 8))))
    pipeline.set_output(transform="pandas")
    assert cross_val_score(pipeline, X.reshape(300, -1), y, cv=3).mean() > 0.6


def test_clone_pickle_and_joblib(digits: Any, tmp_path: Any) -> None:
    X, y = digits
    forest = fo.ForestClassifier(20, projections=fo.Patches(max_size=3), random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(copy.predict_proba(X), forest.predict_proba(X))
    arrays = sum(
        array.nbytes for array in (*forest.model_.trees.arrays().values(), *copy.model_.training.cached.values())
    )
    assert len(pickle.dumps(forest)) < 2 * arrays
    joblib.dump(forest, tmp_path / "forest.joblib")
    mapped = joblib.load(tmp_path / "forest.joblib", mmap_mode="r")
    np.testing.assert_array_equal(mapped.predict_proba(X), forest.predict_proba(X))
    fresh = clone(forest)
    assert not hasattr(fresh, "model_") and fresh.projections is not forest.projections
    assert fresh.get_params()["projections__max_size"] == 3
    np.testing.assert_array_equal(fresh.fit(X, y).predict_proba(X), forest.predict_proba(X))


def test_volumes_and_higher_dimensions() -> None:
    rng = np.random.default_rng(0)
    for shape in [(30,), (5, 6), (4, 5, 6), (3, 4, 3, 4), (2, 3, 2, 3, 2)]:
        X = rng.normal(size=(400, *shape))
        y = X.reshape(400, -1)[:, :2].sum(axis=1)
        forest = fo.ForestRegressor(20, projections=fo.Patches(), random_state=0).fit(X[:300], y[:300])
        assert forest.importance().shape == shape
        assert forest.score(X[300:], y[300:]) > 0.2
