"""What users do with a forest: labels, outputs, weights, frames, out-of-bag rows, looking inside."""

from __future__ import annotations

import pickle
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import foliation as fo
from foliation import memory


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


def test_names_and_rows_that_do_not_fit_into_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(50, 3))
    forest = fo.GeodesicForest(4, random_state=0).fit(X)
    grouped = fo.ForestRegressor(4, random_state=0).fit(X, X[:, 0], groups=np.arange(50) // 10)
    assert list(forest.get_feature_names_out(["a", "b", "c"])[[0, -1]]) == ["geodesicforest0", "geodesicforest49"]
    monkeypatch.setattr(memory, "available_bytes", lambda: 8 * 4 * 50.0 - 1)
    for fitted in (forest, grouped):
        with pytest.raises(MemoryError, match=r"^the rows of 4 trees would take 2 KB"):
            _ = fitted.estimators_samples_
        with pytest.raises(MemoryError, match=r"^the names of 50 columns would take 5 KB"):
            fitted.get_feature_names_out()
    with pytest.raises(TypeError, match=r"^input_features=5: expected a sequence$"):
        forest.get_feature_names_out(5)
