"""Forests among other libraries: what a user of each would do, with the library itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import foliation as fo


def test_a_search_over_a_pipeline_finds_the_better_patches() -> None:
    X, y = fo.simulations.circle(300, random_state=0)
    forest = fo.ForestClassifier(30, projections=fo.Patches(wrap=True), random_state=0)
    sizes = {"forestclassifier__projections__max_size": [1, 12]}
    search = GridSearchCV(make_pipeline(StandardScaler(with_std=False), forest), sizes, cv=3).fit(X, y)
    assert search.best_params_ == {"forestclassifier__projections__max_size": 12}
    assert search.best_estimator_[-1].projections.max_size == 12
    assert search.cv_results_["mean_test_score"][0] < search.best_score_


def test_frames_of_pandas_and_polars_are_the_same_rows() -> None:
    pl = pytest.importorskip("polars")
    wine = load_wine(as_frame=True)
    forests = [
        fo.ForestClassifier(20, random_state=0).fit(frame, wine.target)
        for frame in (wine.data, pl.from_pandas(wine.data), wine.data.to_numpy())
    ]
    assert list(forests[0].feature_names_in_) == list(forests[1].feature_names_in_) == list(wine.data.columns)
    expected = forests[2].predict_proba(wine.data.to_numpy())
    np.testing.assert_array_equal(forests[0].predict_proba(pl.from_pandas(wine.data)), expected)
    np.testing.assert_array_equal(forests[1].predict_proba(wine.data), expected)
    with pytest.raises(ValueError, match="feature names"):
        forests[0].predict(wine.data[wine.data.columns[::-1]])


def test_labels_may_be_a_series_of_text() -> None:
    wine = load_wine(as_frame=True)
    labels = pd.Series(wine.target.map({0: "a", 1: "b", 2: "c"}), name="kind")
    forest = fo.ForestClassifier(20, random_state=0).fit(wine.data, labels)
    assert set(forest.predict(wine.data)) == {"a", "b", "c"}


def test_epochs_of_mne() -> None:
    mne = pytest.importorskip("mne")
    rng = np.random.default_rng(0)
    labels = np.repeat([1, 2], 50)
    data = rng.normal(size=(100, 4, 50))
    data[labels == 2, 2, 20:30] += 1
    info = mne.create_info(4, sfreq=100.0, ch_types="eeg")
    events = np.column_stack([np.arange(100), np.zeros(100, int), labels])
    epochs = mne.EpochsArray(data, info, events, verbose="error")
    forest = fo.ForestClassifier(100, projections="channels", random_state=0)
    forest.fit(epochs.get_data(copy=False), epochs.events[:, 2])
    by_channel = forest.importance("gain")[0].sum(axis=1)  # of the rows as they are
    assert by_channel.argmax() == 2
    assert set(forest.classes_) == {1, 2}


def test_shapley_values_add_up_to_the_prediction() -> None:
    shap = pytest.importorskip("shap")
    X, y = load_wine(return_X_y=True)
    forest = fo.ForestClassifier(50, random_state=0).fit(X, y)
    explainer = shap.explainers.Permutation(forest.predict_proba, shap.maskers.Independent(X[::10]), seed=0)
    explained = explainer(X[:3])
    assert explained.values.shape == (3, X.shape[1], 3)
    total = explained.base_values + explained.values.sum(axis=1)
    np.testing.assert_allclose(total, forest.predict_proba(X[:3]), atol=1e-9)


@pytest.mark.filterwarnings(r"ignore:precomputed_knn\[2\] .knn_search_index. is not an NNDescent object")
def test_umap_of_our_graph_keeps_digits_together() -> None:
    umap = pytest.importorskip("umap")
    digits = load_digits()
    X, y = digits.images[:400], digits.target[:400]
    forest = fo.GeodesicForest(100, projections="patches", random_state=0).fit(X)
    distances, indices = forest.kneighbors(n_neighbors=15)
    itself = np.arange(len(X))[:, None]
    near = np.hstack([itself, indices]), np.hstack([np.zeros(itself.shape), distances])
    places = umap.UMAP(16, precomputed_knn=(*near, None), random_state=0, n_jobs=1).fit_transform(X.reshape(400, -1))
    apart = np.linalg.norm(places[:, None] - places, axis=-1)
    np.fill_diagonal(apart, np.inf)
    assert (y[apart.argmin(axis=1)] == y).mean() > 0.7
