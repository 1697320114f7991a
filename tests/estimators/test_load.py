"""Model files back into estimators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import foliation as fo
from foliation.estimators.forest import Forest

X, Y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 3
FORESTS = [fo.ForestClassifier(3, random_state=1), fo.ForestRegressor(3, honest=True), fo.GeodesicForest(3)]


@pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: type(forest).__name__)
def test_a_file_gives_back_its_estimator_with_its_parameters(forest: Forest, tmp_path: Path) -> None:
    forest.fit(X, Y).save(tmp_path / "forest.fol")
    loaded = fo.load(tmp_path / "forest.fol")
    assert type(loaded) is type(forest)
    assert loaded.get_params() == forest.get_params()
    np.testing.assert_array_equal(loaded.apply(X), forest.apply(X))


def test_a_file_that_is_no_model_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.fol").write_bytes(b"not a model file" * 10)
    with pytest.raises(ValueError, match=r"x\.fol"):
        fo.load(tmp_path / "x.fol")
