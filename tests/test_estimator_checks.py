"""scikit-learn's own checks. Skips and expected failures are printed with their reasons by ``pytest -ra``."""

from __future__ import annotations

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

import foliation as fo

EXACT: dict[str, Any] = {"n_estimators": 8, "random_state": 0, "bootstrap": False, "splitter": "exact"}

FORESTS = [
    fo.ForestClassifier(n_estimators=8, random_state=0),
    fo.ForestRegressor(n_estimators=8, random_state=0),
    *(fo.ForestClassifier(projections=name, **EXACT) for name in ("axis", "sparse", "patches")),
    *(fo.ForestRegressor(projections=name, **EXACT) for name in ("axis", "sparse", "patches")),
]


def expected_failures(forest: Any) -> dict[str, str]:
    """With bootstrap, weights change how often rows are drawn; scikit-learn's forests declare the same."""
    if not forest.bootstrap:
        return {}
    reason = "a bootstrap of weighted rows equals one of repeated rows in distribution only"
    return {"check_sample_weight_equivalence_on_dense_data": reason}


@parametrize_with_checks(FORESTS, expected_failed_checks=expected_failures)  # type: ignore[untyped-decorator]
def test_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
