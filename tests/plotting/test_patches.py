"""The atlas: atoms with the largest gain, drawn where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_digits

import foliation as fo
from foliation.analysis.atlas import chosen_atoms
from foliation.plotting import PatchAtlas

RNG = np.random.default_rng(0)
DIGITS = load_digits()
IMAGES, LABELS = DIGITS.images[:300], DIGITS.target[:300] % 2
LINES, HALF = RNG.standard_normal((40, 12)), np.arange(40) % 2


def forest(projections: Any = "patches", X: Any = IMAGES, y: Any = LABELS) -> Any:
    return fo.ForestClassifier(10, projections=projections, random_state=0).fit(X, y)


def draw(forest: Any, **options: Any) -> Any:
    return PatchAtlas.from_estimator(forest, **options)


@pytest.mark.parametrize("by", ["gain", "count"])
def test_the_atlas_has_the_most_important_atoms(by: str) -> None:
    fitted = forest(fo.Patches(max_size=4, contrast=0.5))
    display = draw(fitted, n_atoms=5, by=by)
    for axes, atom in zip(display.axes_, chosen_atoms(fitted.model_, 5, by), strict=True):
        assert set(np.flatnonzero(np.asarray(axes.images[0].get_array()))) == set(atom.ids)
        assert f"{atom.gain:.2%} of the gain, {atom.n_splits}" in axes.get_title()


def test_atoms_of_a_line_are_bars_with_signs() -> None:
    atoms = np.zeros((1, 12))
    atoms[0, 2:4], atoms[0, 7] = 1, -0.5
    (axes,) = draw(forest(fo.Atoms(atoms), LINES, HALF)).axes_
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == atoms[0].tolist()
    assert axes.patches[7].get_facecolor() != axes.patches[2].get_facecolor()


def test_channels_and_times_are_named() -> None:
    series = RNG.standard_normal((40, 3, 8))
    atoms = np.zeros((1, 24))
    atoms[0, [9, 10]] = 1
    names = {"channels": ["C3", "Cz", "C4"], "times": np.arange(8) / 10, "unit": "s"}
    display = draw(forest(fo.Atoms(atoms), series, HALF), **names)
    assert display.labels == ["[Cz, 0.1 to 0.2 s]"]
    assert display.axes_[0].get_xlabel() == "time [s]"


def test_atoms_of_a_volume_name_the_slice_that_is_drawn() -> None:
    fitted = forest(fo.Atoms(np.eye(48)[20:21]), RNG.standard_normal((40, 3, 4, 4)), HALF)
    assert draw(fitted).axes_[0].get_title().endswith("slice 1 is drawn")


def test_several_panels_fit_in_place_of_one() -> None:
    figure, (_, right) = plt.subplots(1, 2)
    display = draw(forest(), n_atoms=3, ax=right)
    assert {axes.figure for axes in display.axes_} == {figure} and not right.axison


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="n_atoms=0: expected an integer of at least 1"):
        draw(forest(), n_atoms=0)
    with pytest.raises(ValueError, match='by=\'size\': expected "gain" or "count"'):
        draw(forest(), by="size")
    with pytest.raises(ValueError, match="no tree of this forest has a split"):
        draw(forest(y=np.zeros(300)))
