"""Pictures of tables, lines, channels and graphs, and what they refuse."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier

import foliation as fo
from foliation import plotting
from foliation.plotting.style import CLASSES

mpl.use("Agg")

RNG = np.random.default_rng(0)
FLAT, HALF = RNG.standard_normal((40, 12)), np.arange(40) % 2
RING = np.roll(np.eye(12), 1, axis=1)
WINE, KINDS = load_wine(return_X_y=True, as_frame=True)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def forest(projections: Any = None, X: Any = FLAT, y: Any = HALF, **more: Any) -> Any:
    return fo.ForestClassifier(10, projections=projections, random_state=0, **more).fit(X, y)


# ---- importance maps ----


def test_named_columns_are_bars_with_the_most_important_on_top() -> None:
    fitted = forest(X=WINE, y=KINDS)
    display = plotting.ImportanceMap.from_estimator(fitted, WINE, KINDS)
    (axes,) = display.axes_
    order = np.argsort(-fitted.feature_importances_, kind="stable")
    assert [label.get_text() for label in axes.get_yticklabels()] == [WINE.columns[k] for k in order]
    np.testing.assert_allclose([bar.get_width() for bar in axes.patches], fitted.feature_importances_[order])
    assert axes.yaxis_inverted() and not display.means
    wide = pd.DataFrame(RNG.standard_normal((40, 40)), columns=[f"c{k}" for k in range(40)])
    (axes,) = plotting.ImportanceMap.from_estimator(forest(X=wide)).axes_
    assert len(axes.patches) == 25 and axes.texts[0].get_text().startswith("and 15 more")


def test_all_places_of_a_line_are_equally_wide() -> None:
    fitted = forest("patches")
    (axes,) = plotting.ImportanceMap.from_estimator(fitted).axes_
    found, edges, _ = axes.patches[0].get_data()
    np.testing.assert_allclose(edges, np.arange(13) - 0.5)
    np.testing.assert_allclose(found, fitted.importance("gain"))
    assert all(tick == round(tick) for tick in axes.get_xticks())
    (axes,) = plotting.ImportanceMap.from_estimator(fitted, times=np.arange(12) / 10, unit="s").axes_
    np.testing.assert_allclose(axes.patches[0].get_data()[1], np.arange(13) / 10 - 0.05)


def test_channels_without_names_are_still_channels() -> None:
    series = RNG.standard_normal((40, 6, 10))
    display = plotting.ImportanceMap.from_estimator(forest("channels", series), series, HALF)
    first = display.axes_[0]
    assert (first.get_xlabel(), first.get_ylabel(), first.get_aspect()) == ("time", "channel", "auto")
    assert [axes.get_ylabel() for axes in display.figure_.axes[-2:]] == ["mean", "share of the gain"]


def test_all_of_28_channels_have_their_names() -> None:
    series, names = RNG.standard_normal((40, 28, 6)), [f"E{k}" for k in range(28)]
    display = plotting.ImportanceMap.from_estimator(forest("patches", series), channels=names)
    assert [label.get_text() for label in display.axes_[0].get_yticklabels()] == names


def test_panels_fill_their_rows_and_ten_classes_have_means() -> None:
    images, ten = RNG.standard_normal((40, 6, 6)), np.arange(40) % 10
    display = plotting.ImportanceMap.from_estimator(forest("patches", images, ten), images, ten)
    assert len(display.means) == 10 and len(display.axes_) == 11
    five = plotting.ImportanceMap.from_estimator(forest("image", images, ten % 5), images, ten % 5)
    assert five.axes_[0].get_gridspec().ncols == 5
    three = plotting.ImportanceMap.from_estimator(forest("image", images, ten % 3), images, ten % 3)
    assert three.axes_[3].get_subplotspec().is_first_col()  # another scale begins on another row


def test_graphs_get_places_of_their_own() -> None:
    names = [f"n{k}" for k in range(12)]
    mixed = fo.Mixture([fo.Axis(), fo.Neighborhoods(RING)])
    display = plotting.ImportanceMap.from_estimator(forest(mixed, pd.DataFrame(FLAT, columns=names)))
    assert display.edges is not None and display.positions is not None
    assert len(display.axes_[0].collections[0].get_segments()) == 12
    far = np.linalg.norm(np.diff(display.positions[display.edges], axis=1), axis=-1)
    np.testing.assert_allclose(far, far[0, 0])  # a ring is drawn as one
    assert {text.get_text() for text in display.axes_[0].texts} == set(names)
    parts = np.kron(np.eye(2), np.ones((6, 6)))
    apart = plotting.ImportanceMap.from_estimator(forest(fo.Neighborhoods(parts))).positions
    assert apart is not None and np.isfinite(apart).all()


# ---- boundaries ----


def test_points_and_predictions_of_a_regression_share_a_scale() -> None:
    y = 100 * FLAT[:, 0]
    fitted = fo.ForestRegressor(10, random_state=0).fit(FLAT, y)
    display = plotting.DecisionBoundary.from_estimator(fitted, FLAT, y, resolution=10)
    image, dots = display.ax_.images[0], display.ax_.collections[-1]
    assert image.norm is dots.norm and image.norm.vmin == y.min()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plotting.DecisionBoundary.from_estimator(fitted, FLAT, resolution=10)


def test_boundaries_know_features_by_name() -> None:
    fitted, pair = forest(X=WINE, y=KINDS), ("alcohol", "hue")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        display = plotting.DecisionBoundary.from_estimator(fitted, WINE, KINDS, features=pair, resolution=10)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == pair
    np.testing.assert_allclose(display.points, WINE[list(pair)])
    with pytest.raises(ValueError, match="no feature named 'wine'; it has alcohol, malic_acid"):
        plotting.DecisionBoundary.from_estimator(fitted, WINE, features=("alcohol", "wine"))
    with pytest.raises(ValueError, match="no feature named 'a'; none has"):
        plotting.DecisionBoundary.from_estimator(forest(), FLAT, features=("a", 1))


def test_boundaries_show_the_likeliest_class_and_how_sure_it_is() -> None:
    y = np.arange(40) % 8
    display = plotting.DecisionBoundary.from_estimator(forest(y=y), FLAT, y, resolution=10)
    shown = np.asarray(display.ax_.images[0].get_array())
    best = display.values.argmax(axis=2)
    np.testing.assert_allclose(shown[3, 4, :3], mpl.colors.to_rgb(CLASSES[best[3, 4]]))
    sure = display.values.max(axis=2).ravel()
    assert (np.diff(shown[..., 3].ravel()[np.argsort(sure)]) >= 0).all()
    assert len(display.ax_.collections) == len(np.unique(best)) - 1  # lines where it changes
    display.figure_.canvas.draw()
    assert display.ax_.get_legend().get_window_extent().x0 >= display.ax_.get_window_extent().x1


# ---- proximities, profiles, places to draw in ----


def test_proximities_of_numbers_are_coloured_and_long_names_shortened() -> None:
    y = FLAT[:, 0]
    numbers = plotting.ProximityMap.from_estimator(fo.ForestRegressor(10, random_state=0).fit(FLAT, y), FLAT, y)
    np.testing.assert_allclose(numbers.axes_[1].collections[0].get_array(), y)
    assert numbers.figure_.axes[-1].get_ylabel() == "target"
    named = np.array(["a very long name of a class", "short"])[HALF]
    left, right = plotting.ProximityMap.from_estimator(forest(y=named)).axes_
    assert [label.get_text() for label in left.get_yticklabels()] == ["a very long n…", "short"]
    assert len(left.get_xticks()) == 0
    assert all(line.get_markeredgecolor() != line.get_color() for line in right.lines)


def test_profiles_count_in_whole_numbers() -> None:
    display = plotting.ForestProfile.from_estimator(fo.ForestClassifier(1, random_state=0).fit(FLAT, HALF))
    assert display.axes_[0].lines[0].get_marker() == "o"
    for axes in display.axes_[1:]:
        assert all(bar.get_x() % 1 == 0.5 and bar.get_width() == 1 for bar in axes.patches)
        assert all(tick == round(tick) for tick in axes.get_xticks())


def test_panels_fit_into_axes_that_the_user_made() -> None:
    figure = plt.figure()
    ax = figure.add_axes((0.2, 0.1, 0.6, 0.5))
    display = plotting.PatchAtlas.from_estimator(forest("patches"), n_atoms=5, ax=ax)
    places = [axes.get_position() for axes in display.axes_]
    assert all(0.199 <= at.x0 < at.x1 <= 0.801 and 0.099 <= at.y0 < at.y1 <= 0.601 for at in places)
    assert len({round(at.x0, 6) for at in places}) == 3 and len({round(at.y0, 6) for at in places}) == 2


# ---- refusals ----


@pytest.mark.parametrize("name", ["ProximityMap", "DecisionBoundary", "ImportanceMap", "TreeView"])
def test_y_that_does_not_fit_is_refused(name: str) -> None:
    draw: Callable[..., Any] = getattr(plotting, name).from_estimator
    with pytest.raises(ValueError, match="X has 40 rows and y has 39"):
        draw(forest(), FLAT, HALF[1:])
    with pytest.raises(ValueError, match=r"y has shape \(40, 2\); it must be \(40,\)"):
        draw(forest(), FLAT, np.stack([HALF, HALF], axis=1))


@pytest.mark.parametrize("name", plotting.__all__)
def test_forests_of_others_are_refused(name: str) -> None:
    other = RandomForestClassifier(2).fit(FLAT, HALF)
    given = (FLAT,) if name == "DecisionBoundary" else ()
    with pytest.raises(TypeError, match="RandomForestClassifier is no forest of Foliation"):
        getattr(plotting, name).from_estimator(other, *given)


def test_other_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="X has 3 features"):
        plotting.ImportanceMap.from_estimator(forest(), FLAT[:, :3])
    with pytest.raises(ValueError, match="n_atoms=0 must be an integer of at least 1"):
        plotting.PatchAtlas.from_estimator(forest(), n_atoms=0)


def test_a_boundary_is_drawn_over_the_features_that_matter_most() -> None:
    X, y = fo.simulations.trunk(200, random_state=0)
    noise = np.random.default_rng(0).normal(size=(200, 3))
    forest = fo.ForestClassifier(30, projections="axis", random_state=0).fit(np.hstack([noise, X[:, :2]]), y)
    shown = plotting.DecisionBoundary.from_estimator(forest, np.hstack([noise, X[:, :2]]), y)
    assert shown.names == ("feature 3", "feature 4")
