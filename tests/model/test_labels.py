"""Names of atoms, from the words that a split stores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import foliation as fo
from foliation import Patches
from foliation.data.rows import Grid
from foliation.model.labels import Labels, Stored, number, run_ends, some

RNG = np.random.default_rng(0)


def model(projections: Any, shape: tuple[int, ...], names: list[str] | None = None) -> Any:
    X: Any = RNG.normal(size=(20, *shape))
    X = X if names is None else pd.DataFrame(X, columns=names)
    return fo.ForestClassifier(1, projections=projections, random_state=0).fit(X, np.arange(20) % 2).model_


def words(*numbers: int) -> NDArray[np.int32]:
    return np.array(numbers, np.int32)


@pytest.mark.parametrize(
    ("projections", "shape", "stored", "label", "rule"),
    [
        (Patches(), (4, 9), (1, 2, 3, 1), "[1-2, 3]", "sum x[1-2, 3]"),
        (Patches(), (4, 9), (-1, 2, 7, 3), "[0, 7-8]", "sum x[0, 7-8]"),  # cut off at the border
        (Patches(), (4, 9), (3, 1, 8, 1), "[3, 8]", "x[3, 8]"),
        (Patches(wrap=(False, True)), (4, 9), (1, 1, 7, 3), "[1, 7-0]", "sum x[1, 7-0]"),
        (Patches(wrap=True, max_size=(4, 9)), (4, 9), (1, 1, 7, 9), "[1, 0-8]", "sum x[1, 0-8]"),
        (Patches(contiguous=(False, True)), (4, 9), (2, 0, 3, 2, 2), "[0+3, 2-3]", "sum x[0+3, 2-3]"),
        (Patches(contrast=1.0), (9,), (2, 2, 3), "[2-3] less [5-6]", "sum x[2-3] - sum x[5-6]"),
        (Patches(contrast=1.0), (9,), (2, 2, 0), "[2-3]", "sum x[2-3]"),
        (Patches(views=["raw", "east"]), (4, 9), (1, 0, 1, 2, 3), "edges to the east [0, 2-4]", "sum east[0, 2-4]"),
        (Patches(views=["east"]), (4, 9), (0, 1, 2, 1), "edges to the east [0, 2]", "east[0, 2]"),
        (Patches(weights="gaussian", max_size=4), (9,), (2, 4), "4 weights on [2-5]", None),
        (fo.Axis(), (9,), (4,), "x4", "x4"),
        (fo.Sparse(), (4, 9), (~4, 13, 20), "- [0, 4] + [1, 4] + [2, 2]", "- x[0, 4] + x[1, 4] + x[2, 2]"),
    ],
)
def test_atoms_are_written_from_their_words(
    projections: Any, shape: tuple[int, ...], stored: tuple[int, ...], label: str, rule: str | None
) -> None:
    fitted, atom = model(projections, shape), Stored(words(*stored))
    assert Labels(fitted).of(atom) == label
    assert Labels(fitted, rule=True).of(atom) == (rule or label)


def test_displaced_boxes_that_overlap_are_written_as_they_are() -> None:
    """Their cells alone would tell other boxes: those that both have cancel, and the border cuts one of them."""
    fitted = model(Patches(contrast=1.0, max_size=3), (4, 9))
    atom = Stored(words(-1, 3, 0, 3, 1, 1))
    assert Labels(fitted, rule=True).of(atom) == "sum x[0-1, 0-2] - sum x[0-2, 1-3]"
    assert Labels(fitted).of(Stored(atom.words, -1)) == "[0-2, 1-3] less [0-1, 0-2]"


def test_boxes_of_named_columns_run_from_name_to_name() -> None:
    fitted = model(Patches(wrap=True), (5,), ["ash", "hue", "mg", "od", "fl"])
    assert Labels(fitted, rule=True).of(Stored(words(1, 2))) == "sum [hue to mg]"
    assert Labels(fitted, rule=True).of(Stored(words(4, 2))) == "sum [fl to ash]"
    assert Labels(fitted, rule=True).of(Stored(words(3, 1))) == "od"


def test_weights_are_written_term_by_term_if_all_are_asked_for() -> None:
    fitted = model(Patches(weights="gaussian", max_size=4), (9,))
    ids, weights = fitted.dictionary.expand(words(2, 4))
    terms = [f"{weight!r} x[{at}]" for at, weight in zip(ids.tolist(), weights.tolist(), strict=True)]
    assert Labels(fitted, max_terms=None, digits=None, rule=True).of(Stored(words(2, 4))) == " + ".join(terms)


@pytest.mark.parametrize("weights", ["ones", "gaussian"])
def test_boxes_of_billions_of_cells_are_written_without_their_cells(weights: str) -> None:
    family = Patches(max_size=(4, 4), weights=weights)
    fitted: Any = replace(
        model(family, (4, 4)),
        grid=Grid((30_000, 60_000), flat=False),
        projections=Patches(max_size=(30_000, 60_000), weights=weights),
    )
    label = Labels(fitted).of(Stored(words(0, 30_000, 1, 50_000)))
    assert label == ("" if weights == "ones" else "1,500,000,000 weights on ") + "[0-29999, 1-50000]"


def test_places_without_a_gap_are_a_range() -> None:
    assert run_ends([2, 3, 4], 9, circle=False) == (2, 4)
    assert run_ends([0, 1, 8], 9, circle=True) == (8, 1) and run_ends([0, 1, 8], 9, circle=False) is None
    assert run_ends(range(7, 11), 9, circle=True) == (7, 1)
    assert (some([1, 2, 3]), some(range(9)), some(range(4), None)) == ("1+2+3", "0+1+2+...", "0+1+2+3")


@pytest.mark.parametrize("value", [9.5, 12.0, -0.1, 1e22, 5e-324, 0.1 + 0.2])
def test_numbers_read_back_as_themselves(value: float) -> None:
    assert float(number(value)) == value
    assert (number(9.5), number(12.0), number(2 / 3, 3)) == ("9.5", "12", "0.667")
