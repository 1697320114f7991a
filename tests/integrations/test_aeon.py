"""Forests in aeon, in the environment that has it: its checks, and its arrays as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import foliation as fo

pytest.importorskip("aeon")

from aeon.classification.sklearn import SklearnClassifierWrapper
from aeon.regression.sklearn import SklearnRegressorWrapper
from aeon.testing.data_generation import make_example_3d_numpy
from aeon.testing.estimator_checking import check_estimator

PAGE = Path(__file__).parents[2] / "docs" / "neighbours.md"


class SeriesForest(SklearnClassifierWrapper):  # type: ignore[misc]
    _tags: ClassVar = {"X_inner_type": "numpy3D", "capability:multivariate": True}

    @classmethod
    def _get_test_params(cls, parameter_set: str = "default") -> dict[str, object]:
        return {"classifier": fo.ForestClassifier(5, projections="channels")}


class SeriesRegression(SklearnRegressorWrapper):  # type: ignore[misc]
    _tags: ClassVar = {"X_inner_type": "numpy3D", "capability:multivariate": True}

    @classmethod
    def _get_test_params(cls, parameter_set: str = "default") -> dict[str, object]:
        return {"regressor": fo.ForestRegressor(5, projections="channels")}


@pytest.mark.parametrize("kind", [SeriesForest, SeriesRegression])
def test_checks_of_aeon(kind: type) -> None:
    found = check_estimator(kind, raise_exceptions=True)
    assert len(found) > 10 and set(found.values()) == {"PASSED"}


def test_arrays_of_aeon_need_no_wrapper() -> None:
    X, y = make_example_3d_numpy(n_cases=40, n_channels=3, n_timepoints=50, random_state=0)
    wrapped = SeriesForest(fo.ForestClassifier(20, projections="channels"), random_state=0).fit(X, y)
    forest = fo.ForestClassifier(20, projections="channels", random_state=0).fit(X, y)
    np.testing.assert_array_equal(wrapped.predict_proba(X), forest.predict_proba(X))


def test_the_page() -> None:
    (code,) = re.findall(r'```python title="aeon"\n(.*?)```', PAGE.read_text(), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(code, PAGE.name, "exec"), names)
    assert isinstance(names["forest"], SklearnClassifierWrapper)
