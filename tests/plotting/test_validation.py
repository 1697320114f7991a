"""Arguments of figures: forests of ours that are fitted, and one target for each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError

import foliation as fo
from foliation import plotting
from foliation.plotting.validation import check_forest, check_targets

X, Y = np.random.default_rng(0).standard_normal((40, 12)), np.arange(40) % 2


def test_a_fitted_forest_gives_its_model() -> None:
    forest = fo.ForestClassifier(2, random_state=0).fit(X, Y)
    assert check_forest(forest) is forest.model_
    with pytest.raises(NotFittedError):
        check_forest(fo.ForestClassifier())


@pytest.mark.parametrize("name", plotting.__all__)
def test_every_figure_refuses_the_forests_of_others(name: str) -> None:
    other = RandomForestClassifier(2).fit(X, Y)
    given = (X,) if name == "DecisionBoundary" else ()
    for forest in (other, fo.ForestClassifier):
        with pytest.raises(TypeError, match=r"forest is of type .*: expected a fitted ForestClassifier"):
            getattr(plotting, name).from_estimator(forest, *given)


def test_targets_are_flat() -> None:
    np.testing.assert_array_equal(check_targets(Y.tolist(), 40), Y)
    np.testing.assert_array_equal(check_targets(Y[:, None], 40), Y)


@pytest.mark.parametrize("name", ["ProximityMap", "DecisionBoundary", "ImportanceMap", "TreeView"])
def test_every_figure_refuses_targets_that_do_not_fit(name: str) -> None:
    forest = fo.ForestClassifier(2, random_state=0).fit(X, Y)
    draw: Callable[..., Any] = getattr(plotting, name).from_estimator
    with pytest.raises(ValueError, match="X has 40 rows and y has 39"):
        draw(forest, X, Y[1:])
    with pytest.raises(ValueError, match=r"y has shape \(40, 2\): expected \(40,\)"):
        draw(forest, X, np.stack([Y, Y], axis=1))
