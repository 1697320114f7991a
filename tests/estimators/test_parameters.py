"""Which values the parameters of forests may have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from refusals import Table, X, Y, assert_refused, classifier

PARAMETERS: Table = [
    ({"n_estimators": 0}, r"'n_estimators' parameter .* Got 0 instead"),
    ({"criterion": "squared_error"}, r"'criterion' parameter .*'gini'.* Got 'squared_error' instead"),
    ({"splitter": "best"}, r"'splitter' parameter .*'histogram'.* Got 'best' instead"),
    ({"max_features": "auto"}, r"'max_features' parameter .*'sqrt'.* Got 'auto' instead"),
    ({"max_features": 0}, r"'max_features' parameter .* Got 0 instead"),
    ({"max_depth": 0}, r"'max_depth' parameter .* Got 0 instead"),
    ({"min_samples_split": 1}, r"'min_samples_split' parameter .* Got 1 instead"),
    ({"min_samples_split": 1.5}, r"'min_samples_split' parameter .* Got 1.5 instead"),
    ({"min_samples_leaf": 0}, r"'min_samples_leaf' parameter .* Got 0 instead"),
    ({"min_weight_fraction_leaf": 0.6}, r"'min_weight_fraction_leaf' parameter .* Got 0.6 instead"),
    ({"max_leaf_nodes": 1}, r"'max_leaf_nodes' parameter .* Got 1 instead"),
    ({"min_impurity_decrease": -1}, r"'min_impurity_decrease' parameter .* Got -1 instead"),
    ({"class_weight": "equal"}, r"'class_weight' parameter .*'balanced'.* Got 'equal' instead"),
    ({"class_weight": {7: 1.0}}, r"classes, \[0, 1\], are not in class_weight"),
    ({"class_weight": {0: -1.5, 1: 1.0}}, r"^class_weight gives a row the weight -1.5; .* at least 0"),
    ({"class_weight": {0: 1.0, 1: np.nan}}, r"^class_weight gives a row the weight nan; .* finite"),
    ({"class_weight": {0: 0.0, 1: 0.0}}, r"^class_weight is zero for all rows"),
    ({"max_samples": 0}, r"'max_samples' parameter .* Got 0 instead"),
    ({"max_samples": 21, "bootstrap": False}, r"max_samples=21 asks for 21 rows .* but there are 20"),
    ({"max_samples": 1.1, "bootstrap": False}, r"max_samples=1.1 asks for 22 rows .* but there are 20"),
    ({"oob_score": "yes"}, r"'oob_score' parameter .* Got 'yes' instead"),
    ({"n_jobs": 0}, r"n_jobs == 0"),
    ({"verbose": -1}, r"'verbose' parameter .* Got -1 instead"),
]


@pytest.mark.parametrize(("parameters", "pattern"), PARAMETERS)
def test_parameters_of_a_forest(parameters: dict[str, Any], pattern: str) -> None:
    assert_refused(lambda: classifier(**parameters).fit(X, Y), pattern)
