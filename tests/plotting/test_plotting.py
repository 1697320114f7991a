"""Pictures: what is drawn, on which axes, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits

import foliation as fo
from foliation import plotting
from foliation.analysis.atlas import chosen_atoms
from foliation.plotting.nodes import Node
from foliation.plotting.style import short

mpl.use("Agg")

DIGITS = load_digits()
IMAGES, LABELS = DIGITS.images[:300], DIGITS.target[:300]
TWO = np.isin(LABELS, (3, 5))
RNG = np.random.default_rng(0)
SERIES, HALF = RNG.standard_normal((60, 4, 20)), np.arange(60) % 2
RING = np.roll(np.eye(12), 1, axis=1)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def forest(projections: Any, X: Any = IMAGES[TWO], y: Any = LABELS[TWO], **more: Any) -> Any:
    return fo.ForestClassifier(20, projections=projections, random_state=0, **more).fit(X, y)


def titles(display: Any) -> list[str]:
    return [axes.get_title() for axes in np.ravel(display.axes_)]


# ---- importance maps ----


def test_an_image_is_drawn_beside_the_means_of_its_classes() -> None:
    display = plotting.ImportanceMap.from_estimator(forest("patches"), IMAGES[TWO], LABELS[TWO])
    assert titles(display) == ["mean of 3", "mean of 5", "importance"]
    shown = display.axes_[2].images[0].get_array()
    np.testing.assert_allclose(shown, forest("patches").importance("gain"))
    mean = display.axes_[0].images[0].get_array()
    np.testing.assert_allclose(mean, IMAGES[LABELS == 3].mean(axis=0))
    assert display.axes_[0].images[0].get_clim() == display.axes_[1].images[0].get_clim()


def test_views_have_a_panel_each_and_spectra_have_frequencies() -> None:
    fitted = forest("channels", SERIES, HALF)
    times = np.arange(20) / 100
    names = ["C3", "Cz", "C4", "Pz"]
    display = plotting.ImportanceMap.from_estimator(fitted, channels=names, times=times, unit="s")
    assert list(display.maps) == ["raw", "difference", "spectrum", "relative", "relative_spectrum"]
    assert titles(display)[3:] == ["values less the channels' mean", "spectrum less the channels' mean"]
    assert [axes.get_xlabel() for axes in display.axes_[:3]] == ["time [s]", "time [s]", "frequency [Hz]"]
    assert display.axes_[2].images[0].get_array().shape == (4, 10)
    assert display.axes_[2].get_xlim() == pytest.approx((2.5, 52.5))
    assert [label.get_text() for label in display.axes_[0].get_yticklabels()] == names


def test_lines_volumes_and_graphs() -> None:
    flat = RNG.standard_normal((40, 12))
    line = plotting.ImportanceMap.from_estimator(forest(fo.Patches(wrap=True), flat, np.arange(40) % 2))
    assert line.axes_[0].get_xlabel() == "position"
    beside = plotting.ImportanceMap.from_estimator(forest("patches", flat, HALF[:40]), flat, HALF[:40])
    assert beside.axes_[0].get_ylim() == beside.axes_[1].get_ylim()
    volume = plotting.ImportanceMap.from_estimator(forest("patches", flat.reshape(40, 2, 3, 2), np.arange(40) % 2))
    assert titles(volume) == ["importance, slice 0", "importance, slice 1"]
    angle = 2 * np.pi * np.arange(12) / 12
    where = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    graph = plotting.ImportanceMap.from_estimator(
        forest(fo.Neighborhoods(RING), flat, np.arange(40) % 2), positions=where
    )
    dots, edges = graph.axes_[0].collections[1], graph.axes_[0].collections[0]
    np.testing.assert_allclose(dots.get_offsets(), where)
    assert len(edges.get_segments()) == 12


def test_pictures_can_be_drawn_where_the_user_wants() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    single = plotting.ImportanceMap.from_estimator(forest("patches"), ax=left)
    assert single.axes_[0] is left
    several = plotting.PatchAtlas.from_estimator(forest("patches"), n_atoms=3, ax=right)
    assert {axes.figure for axes in several.axes_} == {figure}
    assert not right.axison


# ---- atlas, trees, proximities, profile, boundary ----


def test_the_atlas_has_the_atoms_with_the_most_gain() -> None:
    fitted = forest(fo.Patches(max_size=4, contrast=0.5))
    display = plotting.PatchAtlas.from_estimator(fitted, n_atoms=5)
    best = chosen_atoms(fitted.model_, 5)
    for axes, atom in zip(display.axes_, best, strict=True):
        drawn = np.asarray(axes.images[0].get_array())
        assert set(np.flatnonzero(drawn)) == set(atom.ids)
        assert f"{atom.gain:.2%} of the gain" in axes.get_title()
    with pytest.raises(ValueError, match="no tree of this forest has a split"):
        plotting.PatchAtlas.from_estimator(forest("patches", IMAGES[TWO], np.zeros(TWO.sum())))


def test_a_tree_shows_every_split_and_where_rows_go() -> None:
    fitted = forest(fo.Patches(max_size=4))
    display = plotting.TreeView.from_estimator(fitted, max_depth=2)
    tree = fitted.tree(0)
    splits = [node for node in display.nodes if node.values is not None]
    assert {node.reference for node in splits} == {0, *(c for c in tree.children[0] if c >= 0)}
    root = splits[0]
    assert root.values is not None
    assert root.n_rows == TWO.sum()
    below = [node for node in display.nodes if node.parent is root]
    assert [node.n_rows for node in below] == [
        int((root.values <= root.threshold).sum()),
        int((root.values > root.threshold).sum()),
    ]
    assert display.class_names == ["3", "5"]
    alone = plotting.TreeView.from_estimator(fitted, IMAGES[:1], max_depth=1)
    assert sorted(node.label.split("\n")[-1] for node in alone.nodes[1:]) == ["0 rows", "1 row"]
    with pytest.raises(ValueError, match="X has 3 rows and y has 2"):
        plotting.TreeView.from_estimator(fitted, IMAGES[:3], LABELS[:2])


def test_thresholds_of_a_tree_have_no_exponents_where_digits_are_as_short() -> None:
    split = Node(0, 0, 0.5, "root", 2, values=np.array([0.0, 2.0]), cells=np.ones((2, 2)), threshold=1728.4)
    leaf = Node(~0, 1, 0.0, "leaf", 1, parent=split)
    display = plotting.TreeView([split, leaf], 1, []).plot()
    assert "≤ 1728" in {text.get_text() for text in display.ax_.texts}
    assert [short(value) for value in (0.01234, -999.4, 25500, 3.14e6)] == ["0.0123", "-999", "25500", "3.14e+06"]


def test_proximities_are_ordered_by_class() -> None:
    display = plotting.ProximityMap.from_estimator(forest("patches"))
    assert display.labels is not None
    assert (np.diff(display.labels[display.order]) >= 0).all()
    assert display.embedded.shape == (TWO.sum(), 2)
    others = plotting.ProximityMap.from_estimator(forest("patches"), IMAGES[:50])
    assert others.proximity.shape == (50, 50) and others.labels is None


def test_the_profile_ends_at_the_score_out_of_the_bag() -> None:
    fitted = forest("patches", IMAGES, LABELS, oob_score=True)
    display = plotting.ForestProfile.from_estimator(fitted)
    assert display.errors is not None
    assert display.errors[-1] == pytest.approx(1 - fitted.oob_score_)
    assert display.leaves.sum() == len(fitted.model_.trees.leaf_weight)
    regression = fo.ForestRegressor(40, oob_score=True, random_state=0).fit(DIGITS.data[:300], LABELS)
    errors = plotting.ForestProfile.from_estimator(regression).errors
    assert errors is not None
    expected = np.sqrt(np.mean((regression.oob_prediction_ - LABELS) ** 2))
    assert errors[-1] == pytest.approx(expected)
    without = plotting.ForestProfile.from_estimator(forest("patches", bootstrap=False))
    assert without.errors is None
    assert [text.get_text() for text in without.axes_[0].texts] == [
        "no row is out of the bag:\nfit with oob_score=True"
    ]
    honest = plotting.ForestProfile.from_estimator(forest("patches", honest=True, honest_fill="oob"))
    assert "fill the leaves" in honest.axes_[0].texts[0].get_text()
    two = plotting.ForestProfile.from_estimator(forest("patches", y=np.stack([LABELS[TWO], LABELS[TWO]], axis=1)))
    assert two.errors is None and len(two.axes_) == 2


def test_a_boundary_is_what_the_forest_predicts() -> None:
    X, y = fo.simulations.overlapping_gaussians(200, random_state=0)
    fitted = fo.ForestClassifier(10, random_state=0).fit(X[:, :2], y)
    display = plotting.DecisionBoundary.from_estimator(fitted, X[:, :2], y, resolution=20)
    here = np.array([[display.x[3], display.y[7]]])
    np.testing.assert_allclose(display.values[7, 3], fitted.predict_proba(here)[0])
    with pytest.raises(ValueError, match="two different numbers below 2"):
        plotting.DecisionBoundary.from_estimator(fitted, X[:, :2], features=(0, 2))
