"""The parameters of a forest as one value."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest

import foliation as fo
from foliation.data.rows import Grid
from foliation.estimators.forest import Forest
from foliation.model.settings import CLASSIFICATION, GEODESIC, REGRESSION, Settings

REQUIRED = {field.name for field in fields(Settings) if field.default is MISSING} - {"composition"}
FORESTS = [fo.ForestClassifier(), fo.ForestRegressor(), fo.GeodesicForest()]


@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: type(forest).__name__)
def test_every_estimator_has_the_parameters_without_a_default(forest: Forest) -> None:
    assert forest.get_params().keys() >= REQUIRED


@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: type(forest).__name__)
def test_settings_are_the_parameters_of_the_estimator(forest: Forest) -> None:
    settings = vars(forest._settings())
    for name, value in forest.get_params(deep=False).items():
        assert name not in settings or settings[name] is value


def test_compositions_differ_in_what_is_learned() -> None:
    assert [row.learns for row in (CLASSIFICATION, REGRESSION, GEODESIC)] == ["classes", "numbers", "nothing"]


def test_a_geodesic_forest_has_projections_of_its_own() -> None:
    table = Grid((40,), flat=True)
    default = GEODESIC.resolve_projections(None, table)
    assert isinstance(default, fo.Sparse) and default.density == 1 / 20
    assert isinstance(CLASSIFICATION.resolve_projections(None, table), fo.Sparse)
    assert isinstance(GEODESIC.resolve_projections("axis", table), fo.Axis)
