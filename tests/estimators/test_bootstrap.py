"""Whether trees draw their rows with replacement, when nobody says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import foliation as fo

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((40, 6, 6)), np.arange(40) % 2


def in_bag(**options: Any) -> set[int]:
    """Return how many distinct rows the trees of a forest drew."""
    forest = fo.ForestClassifier(5, random_state=0, **options).fit(X, Y)
    return {len(np.unique(rows)) for rows in forest.estimators_samples_}


@pytest.mark.parametrize("projections", [None, "patches", "series", fo.Patches(max_size=2)], ids=str)
def test_trees_draw_with_replacement(projections: Any) -> None:
    assert max(in_bag(projections=projections)) < len(X)


@pytest.mark.parametrize("name", ["image", "channels"])
def test_trees_of_some_presets_have_all_rows(name: str) -> None:
    assert in_bag(projections=name) == {len(X)}
    assert max(in_bag(projections=name, bootstrap=True)) < len(X)


def test_trees_have_all_rows_if_asked_to() -> None:
    assert in_bag(projections="patches", bootstrap=False) == {len(X)}


@pytest.mark.filterwarnings("ignore:3 rows have no out-of-bag prediction")
def test_rows_out_of_the_bag_are_there_if_asked_for() -> None:
    assert max(in_bag(projections="image", oob_score=True)) < len(X)
    forest = fo.ForestClassifier(5, projections="image", honest=True, honest_fill="oob", random_state=0).fit(X, Y)
    assert forest.model_.sampling.bootstrap


def test_regressors_do_the_same() -> None:
    assert not fo.ForestRegressor(2, projections="image").fit(X, Y).model_.sampling.bootstrap
    assert fo.ForestRegressor(2).fit(X, Y).model_.sampling.bootstrap


@pytest.mark.parametrize(
    "forest", [fo.ForestClassifier(2, bootstrap="yes"), fo.GeodesicForest(2).set_params(bootstrap="auto")]
)
def test_other_words_are_refused(forest: Any) -> None:
    with pytest.raises(ValueError, match="bootstrap"):
        forest.fit(X.reshape(40, 36), Y)
