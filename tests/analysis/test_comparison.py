"""A comparison sends rows down the trees once, and takes the affinity that it is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from shared_leaves import data, forest

from foliation import _core, simulations
from foliation.analysis.comparison import Comparison
from foliation.analysis.depth_affinity import DepthAffinity
from foliation.analysis.leaf_cooccurrence import LeafCooccurrence

NEW, _ = simulations.trunk(30, n_features=4, random_state=5)


def comparison(n_trees: int = 70, **settings: Any) -> tuple[Any, Comparison]:
    fitted = forest(n_trees)
    return fitted, Comparison(fitted.model_, _core.Machine(1), **settings)


def test_leaves_of_rows_are_those_that_they_reach_in_all_trees() -> None:
    fitted, how = comparison()
    X, _ = data()
    assert how.n_training_rows == 120
    for rows, ids in ((NEW, how.of_rows(NEW)), (X, how.of_training_rows())):
        np.testing.assert_array_equal(ids.leaves, fitted.apply(rows).T)
        assert ids.bits.size == 0 and ids.n_rows == len(rows)


@pytest.mark.parametrize("kind", ["in_bag", "oob"])
def test_training_rows_count_in_the_trees_that_drew_them_or_in_the_others(kind: Any) -> None:
    fitted, how = comparison()
    bits = how.of_training_rows(kind).bits
    counted = np.unpackbits(bits.reshape(120, 2).view(np.uint8), axis=1, bitorder="little")[:, :70].astype(bool)
    drawn = np.stack([np.isin(np.arange(120), sample) for sample in fitted.estimators_samples_], axis=1)
    np.testing.assert_array_equal(counted, drawn if kind == "in_bag" else ~drawn)


def test_an_unknown_set_of_rows_is_refused() -> None:
    kind: Any = "out"
    with pytest.raises(ValueError, match=r"rows='out' is unknown; it must be \"all\", \"in_bag\" or \"oob\""):
        comparison(2)[1].of_training_rows(kind)


def test_rows_are_compared_by_leaves_or_by_depth() -> None:
    _, by_leaf = comparison()
    _, by_depth = comparison(affinity="depth")
    rows, others = by_leaf.of_rows(NEW), by_leaf.of_training_rows()
    leaf, depth = by_leaf.between(rows, others), by_depth.between(rows, others)
    assert isinstance(leaf, LeafCooccurrence) and isinstance(depth, DepthAffinity)
    assert leaf.shape == depth.shape == (30, 120)
    shared, parted = (np.concatenate([block.toarray() for _, block in one.blocks()]) for one in (leaf, depth))
    np.testing.assert_allclose(shared, (rows.leaves.T[:, None] == others.leaves.T[None]).mean(axis=2), rtol=1e-15)
    assert (parted >= shared - 1e-12).all() and (parted > shared).any()


def test_training_rows_are_sent_down_once() -> None:
    _, how = comparison(3)
    assert how.of_training_rows().leaves is how.of_training_rows("oob").leaves
