"""Estimators are what plots, reports and scores take them for."""

from __future__ import annotations

import numpy as np
import pytest

import foliation as fo
from foliation.model.fitted import FittedForest

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
