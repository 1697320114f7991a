"""Proximities: ordered by class, embedded in the plane, at most 1,000 rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation.plotting import ProximityMap
from foliation.plotting.proximity import _choose_rows, _order

DIGITS = load_digits()
TWO = np.isin(DIGITS.target[:300], (3, 5))
IMAGES, LABELS = DIGITS.images[:300][TWO], DIGITS.target[:300][TWO]
FLAT, HALF = np.random.default_rng(0).standard_normal((40, 12)), np.arange(40) % 2


def draw(forest: Any, *rows: Any, **options: Any) -> Any:
    return ProximityMap.from_estimator(forest, *rows, **options)


def test_training_rows_are_ordered_by_class() -> None:
    forest = fo.ForestClassifier(20, projections="patches", random_state=0).fit(IMAGES, LABELS)
    display = draw(forest)
    np.testing.assert_allclose(display.proximity, forest.proximity(rows="oob", sparse=False))
    assert (np.diff(display.labels[display.order]) >= 0).all()
    assert display.embedded.shape == (TWO.sum(), 2)


def test_trees_that_count_can_be_chosen() -> None:
    forest = fo.ForestClassifier(20, random_state=0).fit(FLAT, HALF)
    np.testing.assert_allclose(draw(forest, rows="all").proximity, forest.proximity(sparse=False))


def test_other_rows_have_no_labels_of_their_own() -> None:
    forest = fo.ForestClassifier(20, projections="patches", random_state=0).fit(IMAGES, LABELS)
    display = draw(forest, IMAGES[:20])
    assert display.labels is None
    np.testing.assert_allclose(display.proximity, forest.proximity(IMAGES[:20], sparse=False))


def test_near_rows_are_next_to_each_other() -> None:
    group = np.arange(6) % 2
    proximity = (group[:, None] == group).astype(np.float64)
    order = _order(proximity, None)
    assert {frozenset(order[:3] % 2), frozenset(order[3:] % 2)} == {frozenset({0}), frozenset({1})}
    assert _order(proximity, np.array([1, 1, 0, 0, 0, 0]))[-2:].tolist() in ([0, 1], [1, 0])


def test_at_most_1000_rows_are_drawn() -> None:
    assert _choose_rows(1000, 0).tolist() == list(range(1000))
    rows = _choose_rows(5000, 0)
    assert len(rows) == 1000 and (np.diff(rows) > 0).all() and rows[-1] > 4000


def test_numbers_are_colored() -> None:
    y = FLAT[:, 0]
    display = draw(fo.ForestRegressor(10, random_state=0).fit(FLAT, y), FLAT, y)
    np.testing.assert_allclose(display.axes_[1].collections[0].get_array(), y)
    assert display.figure_.axes[-1].get_ylabel() == "target"


def test_long_names_of_classes_are_shortened() -> None:
    labels = np.array(["a very long name of a class", "short"])[HALF]
    left, right = draw(fo.ForestClassifier(10, random_state=0).fit(FLAT, labels)).axes_
    assert [label.get_text() for label in left.get_yticklabels()] == ["a very long n…", "short"]
    assert len(left.get_xticks()) == 0
    assert all(line.get_markeredgecolor() != line.get_color() for line in right.lines)


def test_few_rows_are_embedded_too() -> None:
    forest = fo.ForestClassifier(10, random_state=0).fit(FLAT, HALF)
    assert draw(forest, FLAT[:2]).embedded.shape == (2, 2)


def test_many_names_are_not_drawn() -> None:
    names = np.array([f"n{k}" for k in range(40)])
    assert draw(fo.ForestClassifier(10, random_state=0).fit(FLAT, HALF), FLAT, names).labels is None


@pytest.mark.parametrize("affinity", ["leaf", "depth"])
def test_geodesic_forests_use_their_own_affinity(affinity: str) -> None:
    forest = fo.GeodesicForest(20, affinity=affinity, random_state=0).fit(FLAT)
    np.testing.assert_allclose(draw(forest).proximity, forest.proximity(sparse=False))


@pytest.mark.parametrize("rows", [1e308, "", {}, np.float64(3), FLAT[0]])
def test_what_is_no_table_of_rows_is_refused(rows: Any) -> None:
    with pytest.raises(ValueError, match=r"^X (is|has) .*; it must be \(n, p\)"):
        draw(fo.ForestClassifier(3, random_state=0).fit(FLAT, HALF), rows)
