"""What is taken from scikit-learn in all versions that are supported."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.fixes import parse_version

import foliation as fo
from foliation.estimators.sklearn import BASES, with_callbacks


def test_callbacks_are_there_from_1_9_on() -> None:
    newer = parse_version(sklearn.__version__) >= parse_version("1.9.dev0")
    assert ("CallbackSupportMixin" in [base.__name__ for base in BASES]) == newer
    assert BASES[-1] is BaseEstimator


def test_a_decorated_method_keeps_its_name() -> None:
    def fit(self: object, X: object) -> object:
        return X

    assert with_callbacks(fit).__name__ == "fit"


@pytest.mark.parametrize("name", ["leaf_weights", "standard_error", "oob_score_"])
def test_what_needs_targets_is_hidden_from_geodesic_forests(name: str) -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    assert not hasattr(fo.GeodesicForest(2, min_samples_split=10).fit(X), name)
    assert hasattr(fo.ForestRegressor(20, oob_score=True, random_state=0).fit(X, X[:, 0]), name)
