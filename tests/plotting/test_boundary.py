"""Boundaries: what the forest predicts over the two features that matter most, or that are named."""

from __future__ import annotations

import warnings
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_wine

import foliation as fo
from foliation.plotting import DecisionBoundary, boundary
from foliation.plotting.style import CLASSES

FLAT, HALF = np.random.default_rng(0).standard_normal((40, 12)), np.arange(40) % 2
WINE, KINDS = load_wine(return_X_y=True, as_frame=True)


def forest(X: Any = FLAT, y: Any = HALF, **options: Any) -> Any:
    return fo.ForestClassifier(10, random_state=0, **options).fit(X, y)


def draw(forest: Any, *rows: Any, **options: Any) -> Any:
    return DecisionBoundary.from_estimator(forest, *rows, **{"resolution": 10, **options})


def test_a_boundary_is_what_the_forest_predicts() -> None:
    X, y = fo.simulations.overlapping_gaussians(200, random_state=0)
    fitted = forest(X[:, :2], y)
    display = draw(fitted, X[:, :2], y)
    point = np.array([[display.x[3], display.y[7]]])
    np.testing.assert_allclose(display.values[7, 3], fitted.predict_proba(point)[0])


def test_other_features_have_their_medians() -> None:
    fitted = forest()
    display = draw(fitted, FLAT, features=(2, 5))
    point = np.median(FLAT, axis=0)
    point[2], point[5] = display.x[4], display.y[1]
    np.testing.assert_allclose(display.values[1, 4], fitted.predict_proba(point[None])[0])


def test_it_is_drawn_over_the_features_that_matter_most() -> None:
    X, y = fo.simulations.trunk(200, random_state=0)
    rows = np.hstack([np.random.default_rng(0).normal(size=(200, 3)), X[:, :2]])
    display = draw(forest(rows, y, projections="axis"), rows, y)
    assert display.names == ("feature 3", "feature 4")


def test_features_are_known_by_name() -> None:
    fitted, pair = forest(WINE, KINDS), ("alcohol", "hue")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display = draw(fitted, WINE, KINDS, features=pair)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == pair
    np.testing.assert_allclose(display.points, WINE[list(pair)])


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (("alcohol", "wine"), "unknown feature 'wine'; expected one of alcohol, malic_acid"),
        (("alcohol", "alcohol"), "expected two different numbers below 13"),
        ((0, 13), "expected two different numbers below 13"),
        ((0,), "expected two different numbers below 13"),
        ((0, 1.5), "expected two different numbers below 13"),
    ],
)
def test_features_that_do_not_exist_are_refused(features: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw(forest(WINE, KINDS), WINE, features=features)


def test_features_without_names_are_numbers() -> None:
    with pytest.raises(ValueError, match="unknown feature 'a'; expected numbers"):
        draw(forest(), FLAT, features=("a", 1))


def test_several_outputs_are_refused() -> None:
    with pytest.raises(ValueError, match="forest has 2 outputs: expected one"):
        draw(forest(y=np.stack([HALF, HALF], axis=1)), FLAT)


def test_points_and_predictions_of_a_regression_share_a_scale() -> None:
    y = 100 * FLAT[:, 0]
    fitted = fo.ForestRegressor(10, random_state=0).fit(FLAT, y)
    display = draw(fitted, FLAT, y)
    image, dots = display.ax_.images[0], display.ax_.collections[-1]
    assert image.norm is dots.norm and image.norm.vmin == y.min()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw(fitted, FLAT)


def test_boundaries_show_the_likeliest_class_and_how_sure_it_is() -> None:
    y = np.arange(40) % 8
    display = draw(forest(y=y), FLAT, y)
    shown = np.asarray(display.ax_.images[0].get_array())
    best = display.values.argmax(axis=2)
    np.testing.assert_allclose(shown[3, 4, :3], mpl.colors.to_rgb(CLASSES[best[3, 4]]))
    certainty = display.values.max(axis=2).ravel()
    assert (np.diff(shown[..., 3].ravel()[np.argsort(certainty)]) >= 0).all()
    assert len(display.ax_.collections) == len(np.unique(best)) - 1  # lines where it changes
    display.figure_.canvas.draw()
    assert display.ax_.get_legend().get_window_extent().x0 >= display.ax_.get_window_extent().x1


def test_large_rows_are_predicted_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = forest()
    whole = draw(fitted, FLAT, HALF)
    sizes: list[int] = []
    predict = boundary._predictions

    def count(forest: Any, points: Any) -> Any:
        sizes.append(len(points))
        return predict(forest, points)

    monkeypatch.setattr(boundary, "_BLOCK", 7 * FLAT[0].nbytes)
    monkeypatch.setattr(boundary, "_predictions", count)
    np.testing.assert_array_equal(draw(fitted, FLAT, HALF).values, whole.values)
    assert sizes == [7] * 14 + [2]
    monkeypatch.setattr(boundary, "_BLOCK", 1)
    np.testing.assert_array_equal(draw(fitted, FLAT, HALF).values, whole.values)
