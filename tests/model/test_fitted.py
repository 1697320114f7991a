"""Estimators are what plots, reports and scores take them for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import foliation as fo
from foliation.evaluation import evaluate
from foliation.export import to_onnx
from foliation.model.fitted import FittedForest, fitted_model

MEMBERS = {name for name in vars(FittedForest) if callable(getattr(FittedForest, name)) or name.endswith("_")}
MEMBERS = {name for name in MEMBERS if not name.startswith("__") and name != "_abc_impl"}
X, Y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 2


def test_a_fitted_classifier_has_all_members() -> None:
    forest: FittedForest = fo.ForestClassifier(3).fit(X, Y)
    assert {"model_", "n_outputs_", "_rows", "_machine", "predict", "kneighbors"} <= MEMBERS
    assert not [name for name in MEMBERS if not hasattr(forest, name)]


@pytest.mark.parametrize(
    "forest", [fo.ForestRegressor(3), fo.GeodesicForest(3)], ids=lambda forest: type(forest).__name__
)
def test_others_lack_only_what_they_do_not_predict(forest: fo.ForestRegressor | fo.GeodesicForest) -> None:
    fitted = forest.fit(X, Y)
    assert {name for name in MEMBERS if not hasattr(fitted, name)} <= {"predict", "predict_proba"}


def test_what_is_no_fitted_forest_is_refused() -> None:
    forest = fo.ForestClassifier(3)
    with pytest.raises(NotFittedError):
        fitted_model(forest)
    assert fitted_model(forest.fit(X, Y)) is forest.model_
    strangers: list[Any] = [1e308, None, "", fo.ForestClassifier, X, object()]
    calls: list[Any] = [fitted_model, lambda other: evaluate(other, X, Y), to_onnx]
    for call in calls:
        for stranger in strangers:
            with pytest.raises(TypeError, match=r"^forest is of type .*: expected a fitted ForestClassifier"):
                call(stranger)
