"""A fitted forest keeps what it was fitted with: later changes do not reach it, and added trees must match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from refusals import IMAGES, X, Y, assert_refused, classifier, regressor

from foliation import Atoms, Axis, Kernels, Mixture, Neighborhoods, Patches, Sparse
from foliation.projections import Projections

UNSEEN = np.random.default_rng(1).normal(size=(50, 2, 3))
PATH = np.eye(6, k=1) + np.eye(6, k=-1)
FAMILIES: dict[str, Callable[[], Projections]] = {
    "patches": lambda: Patches(min_size=(1, 1), max_size=(2, 2), wrap=[False, True]),
    "kernels": lambda: Kernels(np.arange(1.0, 9.0).reshape(2, 2, 2)),
    "neighborhoods": lambda: Neighborhoods(PATH.copy(), size=(2, 4)),
    "atoms": lambda: Atoms(np.eye(6) + PATH, p=np.full(6, 1 / 6)),
    "sparse atoms": lambda: Atoms(sp.csr_array(np.eye(6) + PATH)),
    "mixture": lambda: Mixture([Axis(), Patches(), Kernels(np.ones((1, 2, 2)))], p=[0.2, 0.3, 0.5]),
}


# ---- changes after a fit ----


def overwrite(array: Any, values: Any) -> None:
    array[...] = values


CHANGES: list[tuple[str, Callable[[Any], object]]] = [
    ("patches", lambda forest: setattr(forest.projections, "max_size", 1)),
    ("patches", lambda forest: forest.projections.wrap.reverse()),
    ("patches", lambda forest: forest.set_params(projections__max_size=1)),
    ("patches", lambda forest: forest.set_params(projections=Axis())),
    ("kernels", lambda forest: overwrite(forest.projections.bank, [[[1, 0], [0, -1]]])),
    ("neighborhoods", lambda forest: overwrite(forest.projections.graph, 0)),
    ("neighborhoods", lambda forest: forest.set_params(projections__size=(1, 1))),
    ("atoms", lambda forest: overwrite(forest.projections.matrix, np.eye(6))),
    ("atoms", lambda forest: overwrite(forest.projections.p, [1, 0, 0, 0, 0, 0])),
    ("sparse atoms", lambda forest: overwrite(forest.projections.matrix.data, np.arange(1, 17))),
    ("mixture", lambda forest: forest.projections.projections.reverse()),
    ("mixture", lambda forest: setattr(forest.projections.projections[1], "max_size", 1)),
    ("mixture", lambda forest: overwrite(forest.projections.projections[2].bank, [[1, 0], [0, -1]])),
]


@pytest.mark.parametrize(("family", "change"), CHANGES)
def test_changes_to_the_projections_do_not_reach_a_fitted_forest(family: str, change: Callable[[Any], object]) -> None:
    forest = classifier(n_estimators=20, projections=FAMILIES[family]()).fit(IMAGES, Y)
    before = forest.predict_proba(UNSEEN), forest.apply(UNSEEN), forest.importance()
    change(forest)
    after = forest.predict_proba(UNSEEN), forest.apply(UNSEEN), forest.importance()
    for found, expected in zip(after, before, strict=True):
        np.testing.assert_array_equal(found, expected)
    assert not np.array_equal(forest.fit(IMAGES, Y).predict_proba(UNSEEN), before[0]), "the change has no effect"


# ---- more trees ----


@pytest.mark.parametrize("family", FAMILIES)
def test_equal_projections_may_be_given_anew(family: str) -> None:
    forest = classifier(warm_start=True, projections=FAMILIES[family]()).fit(IMAGES, Y)
    forest.set_params(n_estimators=5, projections=FAMILIES[family]()).fit(IMAGES, Y)
    whole = classifier(n_estimators=5, projections=FAMILIES[family]()).fit(IMAGES, Y)
    np.testing.assert_array_equal(forest.predict_proba(UNSEEN), whole.predict_proba(UNSEEN))
    np.testing.assert_array_equal(forest.apply(UNSEEN), whole.apply(UNSEEN))


WEIGHTS = np.arange(1.0, 21.0)
SAMPLING = "the same rows, weights, groups, bootstrap and max_samples"
TARGETS = "targets with the same classes and outputs"
OTHERS: list[tuple[dict[str, Any], dict[str, Any], str]] = [  # other parameters, other data, what is asked for
    ({"projections": Patches(max_size=1)}, {}, "the same projections"),
    ({"projections": Sparse()}, {}, "the same projections"),
    ({"projections": "axis"}, {}, "the same projections"),
    ({}, {"y": np.stack([Y, Y], axis=1)}, TARGETS),
    ({}, {"y": Y + 1}, TARGETS),
    ({}, {"y": np.arange(20) % 3}, TARGETS),
    ({}, {"y": np.zeros(20, dtype=np.int64)}, TARGETS),
    ({}, {"X": IMAGES[:18], "y": Y[:18], "sample_weight": WEIGHTS[:18]}, SAMPLING),
    ({}, {"sample_weight": None}, SAMPLING),
    ({}, {"sample_weight": WEIGHTS[::-1]}, SAMPLING),
    ({"max_samples": 10}, {}, SAMPLING),
    ({"bootstrap": False}, {}, SAMPLING),
    ({"class_weight": "balanced"}, {}, SAMPLING),
    ({"class_weight": "balanced_subsample"}, {}, SAMPLING),
    ({}, {"X": X}, "rows of the same shape"),
    ({}, {"X": X.reshape(20, 3, 2)}, "rows of the same shape"),
    ({}, {"X": IMAGES[:, :, :2]}, "rows of the same shape"),
    ({}, {"X": 2 * IMAGES}, "the same rows"),
    ({}, {"X": IMAGES[::-1]}, "the same rows"),
    ({}, {"y": 1 - Y}, "the same targets"),
]


@pytest.mark.parametrize(("parameters", "data", "needed"), OTHERS)
def test_trees_of_another_forest_are_not_added(parameters: dict[str, Any], data: dict[str, Any], needed: str) -> None:
    usual = {"X": IMAGES, "y": Y, "sample_weight": WEIGHTS}
    forest = classifier(warm_start=True, projections=Patches()).fit(**usual)
    before = forest.predict_proba(UNSEEN), forest.apply(UNSEEN), forest.estimators_samples_
    forest.set_params(n_estimators=5, **parameters)
    pattern = rf"^warm_start=True adds trees to a fitted forest and needs {needed} as in the first fit$"
    assert_refused(lambda: forest.fit(**(usual | data)), pattern)
    after = forest.predict_proba(UNSEEN), forest.apply(UNSEEN), forest.estimators_samples_
    for found, expected in zip(after, before, strict=True):
        np.testing.assert_array_equal(found, expected)


MANY = np.random.default_rng(0).integers(0, 4, size=(150_000, 20), dtype=np.uint8)
READ = np.linspace(0, 149_999, 50_000).astype(np.int64)  # the rows that the fingerprint of 0.1.0 read


@pytest.mark.parametrize(
    "changed",
    [*[(row, 5) for row in (0, 1, 70_001, 149_998, 149_999)], np.setdiff1d(np.arange(150_000), READ)[::2]],
    ids=["first", "second", "a row between", "last but one", "last", "50,000 rows"],
)
def test_no_row_of_many_may_change(changed: Any) -> None:
    y = np.arange(150_000) % 2
    forest = classifier(n_estimators=1, max_depth=2, warm_start=True).fit(MANY, y).set_params(n_estimators=2)
    other = MANY.copy()
    other[changed] ^= 1
    assert_refused(lambda: forest.fit(other, y), "needs the same rows as in the first fit$")
    assert forest.fit(MANY, y).model_.n_trees == 2


def test_outputs_are_not_added_to_a_regression() -> None:
    forest = regressor(warm_start=True).fit(X, X[:, 0])
    expected = forest.predict(X)
    forest.set_params(n_estimators=5)
    assert_refused(lambda: forest.fit(X, X[:, :2]), rf"^warm_start=True .* needs {TARGETS}")
    np.testing.assert_array_equal(forest.predict(X), expected)


def test_a_refused_forest_still_grows() -> None:
    forest = classifier(warm_start=True).fit(X, Y)
    forest.set_params(n_estimators=5)
    assert_refused(lambda: forest.fit(2 * X, Y), "warm_start")
    whole = classifier(n_estimators=5).fit(X, Y)
    np.testing.assert_array_equal(forest.fit(X, Y).predict_proba(X), whole.predict_proba(X))
