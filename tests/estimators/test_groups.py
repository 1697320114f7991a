"""Groups of rows: drawn together, and on one side of an honest tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from samples import estimation_samples, structure_samples

import foliation as fo
from foliation import simulations


def data() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return simulations.impulse(200, random_state=0)


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("fill", ["sample", "oob"])
def test_groups_stay_together(bootstrap: bool, fill: str) -> None:
    X, y = data()
    groups = np.array([f"subject {k}" for k in np.random.default_rng(0).integers(20, size=len(X))])
    settings: dict[str, Any] = {"bootstrap": bootstrap, "max_samples": None if bootstrap else 12}
    forest = fo.ForestClassifier(15, honest=True, honest_fill=fill, random_state=0, **settings).fit(X, y, groups=groups)
    for t, drawn in enumerate(forest.estimators_samples_):
        counts = np.bincount(drawn, minlength=len(X))
        grow, grow_weight = structure_samples(forest, t)
        filling, fill_weight = estimation_samples(forest, t)
        for group in np.unique(groups):
            here = np.flatnonzero(groups == group)
            assert len(set(counts[here])) == 1
            for rows, weights in ((grow, grow_weight), (filling, fill_weight)):
                inside = np.isin(here, rows)
                assert inside.all() or not inside.any()
                assert len(set(weights[np.isin(rows, here)])) <= 1
        n_drawn = sum(counts[np.flatnonzero(groups == group)[0]] for group in np.unique(groups))
        assert n_drawn == (20 if bootstrap else 12)
        assert len(filling) > 0
    other = fo.ForestClassifier(15, honest=True, random_state=0).fit(X, y)
    assert not np.array_equal(other.model_.trees.threshold, forest.model_.trees.threshold)


def test_groups_out_of_the_bag_are_new_to_the_trees() -> None:
    """A forest that knows subjects by heart scores well on rows, but not on subjects, out of the bag."""
    rng = np.random.default_rng(0)
    subjects = np.repeat(np.arange(40), 10)
    X = rng.normal(size=(40, 5))[subjects] + 0.05 * rng.normal(size=(400, 5))
    y = (np.arange(40) % 2)[subjects]
    by_row = fo.ForestClassifier(100, oob_score=True, random_state=0).fit(X, y)
    by_subject = fo.ForestClassifier(100, oob_score=True, random_state=0).fit(X, y, groups=subjects)
    assert by_row.oob_score_ > 0.95
    assert by_subject.oob_score_ < 0.7


def test_weights_with_groups_are_carried() -> None:
    X, y = data()
    groups = np.arange(len(X)) // 4
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=len(X))
    weights[::7] = 0.0
    forest = fo.ForestClassifier(5, random_state=0).fit(X, y, sample_weight=weights, groups=groups)
    for t, drawn in enumerate(forest.estimators_samples_):
        grow, grow_weight = structure_samples(forest, t)
        np.testing.assert_allclose(grow_weight, np.bincount(drawn, minlength=len(X))[grow] * weights[grow])
        assert (weights[grow] > 0).all()


def test_few_groups_grow_or_fill_but_never_both() -> None:
    X, y = data()
    for n_groups in (2, 3):
        forest = fo.ForestClassifier(200, honest=True, random_state=0).fit(X, y, groups=np.arange(200) % n_groups)
        for t in range(200):
            grow, fill = structure_samples(forest, t)[0], estimation_samples(forest, t)[0]
            assert len(grow) and len(fill) and not set(grow % n_groups) & set(fill % n_groups)
    with pytest.raises(ValueError, match="honest trees need at least two rows"):
        fo.ForestClassifier(honest=True, max_samples=1).fit(X, y)
    with pytest.raises(ValueError, match="honest trees need at least two groups"):
        weights = (np.arange(200) < 100).astype(float)
        fo.ForestClassifier(honest=True).fit(X, y, groups=np.arange(200) // 100, sample_weight=weights)
    with pytest.raises(ValueError, match="asks for 30 groups without replacement, but there are 4"):
        fo.ForestClassifier(bootstrap=False, max_samples=30).fit(X, y, groups=np.arange(200) // 50)


def test_groups_without_weight_are_not_drawn() -> None:
    X, y = data()
    groups = np.arange(200) // 20
    weights = (groups > 3).astype(float)
    weights[::20] = 0  # of rows in groups that are drawn
    forest = fo.ForestClassifier(50, random_state=0).fit(X, y, groups=groups, sample_weight=weights)
    for t, drawn in enumerate(forest.estimators_samples_):
        assert set(groups[drawn]) <= set(range(4, 10))
        np.testing.assert_array_equal(np.unique(drawn), np.flatnonzero(np.isin(groups, groups[drawn])))
        assert (weights[structure_samples(forest, t)[0]] > 0).all()
    np.testing.assert_allclose(np.asarray(forest.leaf_weights(X).sum(axis=1)).ravel(), 1.0)
