"""``consistent`` asks an estimator that need not be fitted."""

from __future__ import annotations

import numpy as np
import pytest

import foliation as fo

X = np.random.default_rng(0).normal(size=(100, 3))


def test_it_validates_the_parameters_first() -> None:
    with pytest.raises(ValueError, match="n_estimators"):
        fo.consistent(fo.ForestClassifier(0), X)


def test_it_fits_nothing() -> None:
    forest = fo.ForestRegressor(3)
    assert not fo.consistent(forest, X)
    assert not hasattr(forest, "model_")


def test_an_empty_mixture_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"Mixture: projections=\[\] must be a list of families"):
        fo.consistent(fo.ForestClassifier(projections=fo.Mixture([])), X)
