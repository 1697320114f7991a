"""scikit-learn's own checks. Skips and expected failures are printed with their reasons by ``pytest -ra``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import foliation as fo

EXACT: dict[str, Any] = {"n_estimators": 8, "random_state": 0, "bootstrap": False, "splitter": "exact"}

FORESTS = [
    fo.ForestClassifier(n_estimators=8, random_state=0),
    fo.ForestRegressor(n_estimators=8, random_state=0),
    fo.GeodesicForest(n_estimators=8, random_state=0),
    *(fo.ForestClassifier(projections=name, **EXACT) for name in ("axis", "sparse", "patches")),
    *(fo.ForestRegressor(projections=name, **EXACT) for name in ("axis", "sparse", "patches")),
]


def expected_failures(forest: Any) -> dict[str, str]:
    """Predictions do not fail this check; see below. Forests without targets take no weights, and fail none."""
    if isinstance(forest, fo.GeodesicForest):
        return {}
    reason = "transform has a column for each training row, and repeated rows are more rows"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@pytest.mark.filterwarnings("ignore:n_neighbors=15 is more than there are")
@parametrize_with_checks(FORESTS, expected_failed_checks=expected_failures)  # type: ignore[untyped-decorator]
def test_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("forest", [forest for forest in FORESTS if not forest.bootstrap], ids=repr)
def test_weights_are_repeats(forest: Any) -> None:
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(60, 4)), rng.integers(3, size=60), rng.integers(4, size=60)
    weighted = clone(forest).fit(X, y, sample_weight=weights)
    repeated = clone(forest).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))
