"""Importances: images beside the means of classes, bars of named columns, lines, channels, volumes and graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits, load_wine

import foliation as fo
from foliation.plotting import ImportanceMap

RNG = np.random.default_rng(0)
DIGITS = load_digits()
TWO = np.isin(DIGITS.target[:300], (3, 5))
IMAGES, LABELS = DIGITS.images[:300][TWO], DIGITS.target[:300][TWO]
FLAT, HALF = RNG.standard_normal((40, 12)), np.arange(40) % 2
RING = np.roll(np.eye(12), 1, axis=1)
WINE, KINDS = load_wine(return_X_y=True, as_frame=True)


def forest(projections: Any = None, X: Any = FLAT, y: Any = HALF) -> Any:
    return fo.ForestClassifier(10, projections=projections, random_state=0).fit(X, y)


def draw(forest: Any, *rows: Any, **options: Any) -> Any:
    return ImportanceMap.from_estimator(forest, *rows, **options)


def titles(display: Any) -> list[str]:
    return [axes.get_title() for axes in display.axes_]


def test_an_image_is_drawn_beside_the_means_of_its_classes() -> None:
    fitted = forest("patches", IMAGES, LABELS)
    display = draw(fitted, IMAGES, LABELS)
    assert titles(display) == ["mean of 3", "mean of 5", "importance"]
    first, second, shares = (axes.images[0] for axes in display.axes_)
    np.testing.assert_allclose(shares.get_array(), fitted.importance("gain"))
    np.testing.assert_allclose(first.get_array(), IMAGES[LABELS == 3].mean(axis=0))
    assert first.get_clim() == second.get_clim()


def test_the_kind_decides_what_is_shared() -> None:
    fitted = forest("patches")
    for kind, label in (("count", "share of the splits' features"), ("gain", "share of the gain")):
        (axes,) = draw(fitted, kind=kind).axes_
        np.testing.assert_allclose(axes.patches[0].get_data()[0], fitted.importance(kind))
        assert axes.get_ylabel() == label


def test_views_have_a_panel_each_and_spectra_have_frequencies() -> None:
    series, names = RNG.standard_normal((60, 4, 20)), ["C3", "Cz", "C4", "Pz"]
    fitted = forest("channels", series, np.arange(60) % 2)
    display = draw(fitted, channels=names, times=np.arange(20) / 100, unit="s")
    assert list(display.maps) == ["raw", "difference", "spectrum", "relative", "relative_spectrum"]
    assert titles(display)[3:] == ["values less the channels' mean", "spectrum less the channels' mean"]
    assert [axes.get_xlabel() for axes in display.axes_[:3]] == ["time [s]", "time [s]", "frequency [Hz]"]
    assert display.axes_[2].images[0].get_array().shape == (4, 10)
    assert display.axes_[2].get_xlim() == pytest.approx((2.5, 52.5))
    assert [label.get_text() for label in display.axes_[0].get_yticklabels()] == names


def test_named_columns_are_bars_with_the_most_important_on_top() -> None:
    fitted = forest(X=WINE, y=KINDS)
    display = draw(fitted, WINE, KINDS)
    (axes,) = display.axes_
    order = np.argsort(-fitted.feature_importances_, kind="stable")
    assert [label.get_text() for label in axes.get_yticklabels()] == [WINE.columns[k] for k in order]
    np.testing.assert_allclose([bar.get_width() for bar in axes.patches], fitted.feature_importances_[order])
    assert axes.yaxis_inverted() and not display.means
    wide = pd.DataFrame(RNG.standard_normal((40, 40)), columns=[f"c{k}" for k in range(40)])
    (axes,) = draw(forest(X=wide)).axes_
    assert len(axes.patches) == 25 and axes.texts[0].get_text().startswith("and 15 more")


def test_all_places_of_a_line_are_equally_wide() -> None:
    fitted = forest("patches")
    (axes,) = draw(fitted).axes_
    values, edges, _ = axes.patches[0].get_data()
    np.testing.assert_allclose(edges, np.arange(13) - 0.5)
    np.testing.assert_allclose(values, fitted.importance("gain"))
    assert axes.get_xlabel() == "position" and all(tick == round(tick) for tick in axes.get_xticks())
    (axes,) = draw(fitted, times=np.arange(12) / 10, unit="s").axes_
    np.testing.assert_allclose(axes.patches[0].get_data()[1], np.arange(13) / 10 - 0.05)


def test_lines_that_share_a_scale_share_their_limits() -> None:
    display = draw(forest("patches"), FLAT, HALF)
    assert titles(display) == ["mean of 0", "mean of 1", "importance"]
    assert display.axes_[0].get_ylim() == display.axes_[1].get_ylim() != display.axes_[2].get_ylim()


def test_volumes_are_drawn_slice_by_slice() -> None:
    display = draw(forest("patches", FLAT.reshape(40, 2, 3, 2)))
    assert titles(display) == ["importance, slice 0", "importance, slice 1"]
    np.testing.assert_allclose(display.axes_[1].images[0].get_array(), display.maps[""][1])


def test_channels_without_names_are_still_channels() -> None:
    series = RNG.standard_normal((40, 6, 10))
    display = draw(forest("channels", series), series, HALF)
    first = display.axes_[0]
    assert (first.get_xlabel(), first.get_ylabel(), first.get_aspect()) == ("time", "channel", "auto")
    assert [axes.get_ylabel() for axes in display.figure_.axes[-2:]] == ["mean", "share of the gain"]


def test_all_of_28_channels_have_their_names() -> None:
    series, names = RNG.standard_normal((40, 28, 6)), [f"E{k}" for k in range(28)]
    display = draw(forest("patches", series), channels=names)
    assert [label.get_text() for label in display.axes_[0].get_yticklabels()] == names


def test_panels_fill_their_rows_and_ten_classes_have_means() -> None:
    images, ten = RNG.standard_normal((40, 6, 6)), np.arange(40) % 10
    display = draw(forest("patches", images, ten), images, ten)
    assert len(display.means) == 10 and len(display.axes_) == 11
    five = draw(forest("image", images, ten % 5), images, ten % 5)
    assert five.axes_[0].get_gridspec().ncols == 5
    three = draw(forest("image", images, ten % 3), images, ten % 3)
    assert three.axes_[3].get_subplotspec().is_first_col()  # another scale begins on another row


def test_many_classes_have_one_mean() -> None:
    images, classes = RNG.standard_normal((44, 6, 6)), np.arange(44) % 11
    display = draw(forest("patches", images, classes), images, classes)
    assert list(display.means) == ["all rows"]


def test_graphs_are_drawn_with_their_edges() -> None:
    names = [f"n{k}" for k in range(12)]
    mixed = fo.Mixture([fo.Axis(), fo.Neighborhoods(RING)])
    display = draw(forest(mixed, pd.DataFrame(FLAT, columns=names)))
    assert display.positions.shape == (12, 2)
    assert len(display.axes_[0].collections[0].get_segments()) == 12
    assert {text.get_text() for text in display.axes_[0].texts} == set(names)


def test_the_user_may_place_the_nodes() -> None:
    angle = 2 * np.pi * np.arange(12) / 12
    positions = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    display = draw(forest(fo.Neighborhoods(RING)), positions=positions)
    np.testing.assert_allclose(display.axes_[0].collections[1].get_offsets(), positions)
    with pytest.raises(ValueError, match=r"positions has shape \(11, 2\): expected \(12, 2\)"):
        draw(forest(fo.Neighborhoods(RING)), positions=positions[1:])


def test_figures_can_be_drawn_where_the_user_wants() -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert draw(forest("patches"), ax=left).axes_ == [left]
    assert draw(forest("patches"), FLAT, HALF, ax=right).figure_ is left.figure


def test_rows_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="X has 3 features"):
        draw(forest(), FLAT[:, :3])
