"""Regression forests."""

from __future__ import annotations

import numpy as np

import foliation as fo


def test_several_outputs_of_numbers() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.column_stack([X[:, 0] + X[:, 1], X[:, 2], -X[:, 3]])
    forest = fo.ForestRegressor(40, random_state=0, oob_score=True).fit(X, y)
    assert forest.predict(X).shape == y.shape
    assert forest.score(X, y) > 0.9 > forest.oob_score_ > 0.5
    single = fo.ForestRegressor(40, random_state=0).fit(X, y[:, 0])
    assert single.predict(X).shape == (300,)
