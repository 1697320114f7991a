"""Atoms: how they are counted, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import foliation as fo
from foliation import plotting
from foliation.analysis.atlas import atlas, atom_label, chosen_atoms
from foliation.analysis.description import facts
from foliation.plotting.grid import thickened

mpl.use("Agg")

DIGITS = load_digits()
TWO = np.isin(DIGITS.target[:300], (3, 5))
RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def cells(*terms: tuple[int, float], n: int = 12) -> NDArray[np.float64]:
    """One atom with weights at some cells."""
    matrix = np.zeros((1, n))
    for at, weight in terms:
        matrix[0, at] = weight
    return matrix


def boxes(matrix: NDArray[np.float64], wrap: bool) -> fo.Mixture:
    """One atom on a grid of boxes, none of which is ever drawn."""
    return fo.Mixture([fo.Atoms(matrix), fo.Patches(wrap=wrap)], p=[1.0, 0.0])


def test_atoms_are_counted_once_with_all_their_gain() -> None:
    fitted = fo.ForestClassifier(20, projections=fo.Patches(max_size=3), random_state=0)
    fitted.fit(DIGITS.images[:300][TWO], DIGITS.target[:300][TWO])
    found = atlas(fitted.model_)
    n_splits = len(fitted.model_.trees.threshold)
    assert len(found.of_split) == n_splits
    assert found.atoms.shape[0] == len({row.tobytes() for row in found.atoms.toarray()})
    everything = chosen_atoms(fitted.model_, n_splits)
    assert sum(atom.n_splits for atom in everything) == n_splits
    assert sum(atom.gain for atom in everything) == pytest.approx(1)
    shares = np.zeros(64)
    for atom in everything:
        shares[atom.ids] += atom.gain * np.abs(atom.weights) / np.abs(atom.weights).sum()
    np.testing.assert_allclose(shares.reshape(8, 8), fitted.importance("gain"), atol=1e-6)
    assert [atom.gain for atom in everything] == sorted((atom.gain for atom in everything), reverse=True)


@pytest.mark.parametrize(
    ("projections", "shape", "expected"),
    [
        (fo.Atoms(cells((3, 1))), (12,), "x3"),
        (fo.Atoms(np.ones((1, 12))), (12,), "x0 + x1 + x2 and 9 more"),
        (fo.Atoms(cells((0, 1), (11, 1))), (12,), "x0 + x11"),
        (fo.Atoms(cells((0, 1), (5, 0.5), (8, -1))), (12,), "x0 + 0.5 x5 - x8"),
        (fo.Atoms(cells((5, 1), (6, 1), (9, -1))), (3, 4), "[1, 1-2] less [2, 1]"),
        (fo.Atoms(cells((0, 1), (6, 1))), (3, 4), "[0, 0] + [1, 2]"),
        (boxes(cells((0, 1), (11, 1)), wrap=True), (12,), "[11-0]"),
        (boxes(cells((0, 1), (11, 1)), wrap=False), (12,), "[0+11]"),
        (boxes(cells((3, 1)), wrap=False), (12,), "[3]"),
    ],
)
def test_atoms_have_names(projections: Any, shape: tuple[int, ...], expected: str) -> None:
    X = RNG.standard_normal((40, *shape))
    fitted = fo.ForestClassifier(1, projections=projections, max_depth=1, random_state=0).fit(X, np.arange(40) % 2)
    assert atom_label(fitted.model_, chosen_atoms(fitted.model_, 1)[0]) == expected


@pytest.mark.parametrize(
    ("atom", "shape", "expected"),
    [
        (((3, -1),), (12,), "- x3"),
        (((3, -2), (4, -1)), (12,), "- 2 x3 - x4"),
        (((5, -1), (6, -1)), (3, 4), "- [1, 1-2]"),
    ],
)
def test_trees_keep_the_signs_that_the_atlas_leaves_out(atom: Any, shape: tuple[int, ...], expected: str) -> None:
    X = RNG.standard_normal((40, *shape))
    fitted = fo.ForestClassifier(1, projections=fo.Atoms(cells(*atom)), max_depth=1, random_state=0)
    fitted.fit(X, np.arange(40) % 2)
    assert plotting.TreeView.from_estimator(fitted).nodes[0].label == expected
    chosen = chosen_atoms(fitted.model_, 1)[0]
    assert chosen.weights[0] > 0
    assert not atom_label(fitted.model_, chosen).startswith("-")


def test_an_atom_and_its_negative_are_one() -> None:
    matrix = np.concatenate([np.eye(3), -np.eye(3), cells((0, 1), (1, -1), n=3), cells((0, -1), (1, 1), n=3)])
    X = RNG.standard_normal((80, 3))
    fitted = fo.ForestClassifier(20, projections=fo.Atoms(matrix), random_state=0).fit(X, np.arange(80) % 2)
    chosen = chosen_atoms(fitted.model_, 8)
    assert sorted(atom_label(fitted.model_, atom) for atom in chosen) == ["x0", "x0 - x1", "x1", "x2"]
    assert sum(atom.n_splits for atom in chosen) == len(fitted.model_.trees.threshold)
    told = facts(fitted.model_, "ForestClassifier")["most used atoms"]
    assert all(told.count(f"{name} ") == 1 for name in ("x2", "x0 - x1"))


def test_named_columns_keep_their_names_and_signs() -> None:
    frame = pd.DataFrame(RNG.standard_normal((40, 2)), columns=["ash", "hue"])
    fitted = fo.ForestClassifier(1, projections=fo.Atoms([[0, -1]]), max_depth=1, random_state=0)
    fitted.fit(frame, np.arange(40) % 2)
    assert plotting.TreeView.from_estimator(fitted).nodes[0].label == "- hue"
    assert atom_label(fitted.model_, chosen_atoms(fitted.model_, 1)[0]) == "hue"


def test_times_on_a_circle_run_past_its_seam() -> None:
    X = RNG.standard_normal((40, 12))
    fitted = fo.ForestClassifier(1, projections=boxes(cells((0, 1), (11, 1)), wrap=True), max_depth=1, random_state=0)
    fitted.fit(X, np.arange(40) % 2)
    display = plotting.PatchAtlas.from_estimator(fitted, times=np.arange(12) * 30.0, unit="deg")
    assert display.labels == ["[330 to 0 deg]"]
    assert display.axes_[0].get_xlabel() == "angle [deg]" and display.axes_[0].get_ylabel() == "weight"


@pytest.mark.parametrize(
    ("atom", "expected"),
    [
        (((1, 2, 1.0), (1, 3, 1.0)), "[Cz, -0.5 to 0 s]"),
        (((0, 1, 1.0), (2, 1, -1.0)), "[C3, -1 s] less [C4, -1 s]"),
        (((0, 0, 1.0), (0, 2, 1.0), (1, 0, 1.0), (1, 2, 1.0)), "[C3+Cz, -1.5+-0.5 s]"),
    ],
)
def test_atoms_are_named_by_channels_and_times(atom: tuple[tuple[int, int, float], ...], expected: str) -> None:
    matrix = np.zeros((3, 4))
    for row, column, weight in atom:
        matrix[row, column] = weight
    X = RNG.standard_normal((40, 3, 4))
    fitted = fo.ForestClassifier(1, projections=fo.Atoms(matrix.reshape(1, -1)), max_depth=1, random_state=0)
    fitted.fit(X, np.arange(40) % 2)
    names: dict[str, Any] = {"channels": ["C3", "Cz", "C4"], "times": [-1.5, -1.0, -0.5, 0.0], "unit": "s"}
    assert plotting.PatchAtlas.from_estimator(fitted, **names).labels == [expected]
    assert plotting.TreeView.from_estimator(fitted, **names).nodes[0].label == expected


def test_atoms_of_a_spectrum_are_named_by_frequencies() -> None:
    family = fo.Patches(min_size=2, max_size=2, views=("spectrum",))
    X = np.sin(np.arange(40)[:, None] * np.arange(20))
    fitted = fo.ForestClassifier(1, projections=family, max_depth=1, random_state=0).fit(X, np.arange(40) % 2)
    label = plotting.PatchAtlas.from_estimator(fitted, times=np.arange(20) / 10, unit="s").labels[0]
    first = int(fitted.tree(0).atom(0)[0][0])
    assert label == f"spectrum [{0.5 * (first + 1):.3g} to {0.5 * (first + 2):.3g} Hz]"


def test_thin_atoms_are_drawn_wide_enough_to_see() -> None:
    atom = np.zeros((8, 400))
    atom[2, 100], atom[5, 200] = 1.0, -2.0
    drawn = thickened(atom)
    assert [(row, np.unique(drawn[row]).tolist(), (drawn[row] != 0).sum()) for row in (2, 5)] == [
        (2, [0.0, 1.0], 10),
        (5, [-2.0, 0.0], 10),
    ]
    assert (drawn != 0).sum() == 20
    assert drawn[2, 100] == 1.0
