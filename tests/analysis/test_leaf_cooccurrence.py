"""Shares of common leaves against NumPy, for any leaves, any trees that count and any size of blocks."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from shared_leaves import data, forest

from foliation import _core, memory
from foliation.analysis import leaf_cooccurrence
from foliation.analysis.leaf_cooccurrence import LeafCooccurrence, LeafIds

N_TREES = 70  # more than a machine word has bits
N_LEAVES = np.random.default_rng(0).integers(1, 6, N_TREES)
MODEL: Any = SimpleNamespace(trees=SimpleNamespace(leaf_start=np.concatenate([[0], np.cumsum(N_LEAVES)])))


class Rows:
    """Rows in random leaves; ``counts`` says in which trees each of them counts."""

    def __init__(self, n: int, seed: int, share: float | None = None) -> None:
        rng = np.random.default_rng(seed)
        self.leaves = rng.integers(0, N_LEAVES[:, None], (N_TREES, n)).astype(np.int32)
        self.counts = np.ones((n, N_TREES), dtype=bool) if share is None else rng.random((n, N_TREES)) < share
        words = np.zeros((n, 128), dtype=bool)
        words[:, :N_TREES] = self.counts
        bits = np.packbits(words, axis=1, bitorder="little").view(np.uint64).ravel()
        self.ids = LeafIds(self.leaves, np.empty(0, np.uint64) if share is None else bits)


def by_hand(rows: Rows, others: Rows) -> NDArray[np.float64]:
    both = rows.counts[:, None, :] & others.counts[None, :, :]
    same = rows.leaves.T[:, None, :] == others.leaves.T[None, :, :]
    n_both = both.sum(axis=2)
    return np.asarray((same & both).sum(axis=2) / np.maximum(n_both, 1))


def compared(rows: Rows, others: Rows, n_threads: int = 1) -> LeafCooccurrence:
    return LeafCooccurrence(rows.ids, others.ids, MODEL, _core.Machine(n_threads))


SHARES = [(None, None), (0.4, 0.4), (None, 0.4), (0.02, 0.02)]


@pytest.mark.parametrize(("share", "other_share"), SHARES)
@pytest.mark.parametrize("n_threads", [1, 3])
def test_blocks_hold_the_share_of_common_leaves(share: Any, other_share: Any, n_threads: int) -> None:
    rows, others = Rows(40, 1, share), Rows(30, 2, other_share)
    affinity, expected = compared(rows, others, n_threads), by_hand(rows, others)
    assert affinity.shape == (40, 30) and rows.ids.n_rows == 40
    for least in (0.0, 0.3, 1.0):
        found = np.concatenate([block.toarray() for _, block in affinity.blocks(least)])
        np.testing.assert_array_equal(found, np.where(expected >= least, expected, 0.0))


@pytest.mark.parametrize("most", [1, 7, 39, 40, 41])
def test_blocks_cover_all_rows_in_order(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, others = Rows(40, 1, 0.4), Rows(30, 2, 0.4)
    monkeypatch.setattr(leaf_cooccurrence, "_MOST_ROWS", most)
    blocks = list(compared(rows, others).blocks())
    assert [number for here, _ in blocks for number in range(here.start, here.stop)] == list(range(40))
    assert max(block.shape[0] for _, block in blocks) <= most
    np.testing.assert_array_equal(np.concatenate([block.toarray() for _, block in blocks]), by_hand(rows, others))


def test_blocks_are_as_large_as_their_entries_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    affinity = compared(Rows(40, 1), Rows(30, 2))
    assert affinity.entries_per_row(0.0) == 30  # of 70 trees with few leaves, all rows meet all
    monkeypatch.setattr(leaf_cooccurrence, "_MOST_ENTRIES", 5 * 30)
    assert [block.shape[0] for _, block in affinity.blocks()] == [5] * 8


@pytest.mark.parametrize("least", [0.0, 0.4, 0.6])
def test_the_number_of_entries_of_few_rows_is_exact(least: float) -> None:
    rows = Rows(60, 1, 0.5)
    expected = by_hand(rows, rows)
    n_entries = ((expected >= least) & (expected > 0)).sum()
    assert compared(rows, rows).entries_per_row(least) == n_entries / 60


@pytest.mark.parametrize(("share", "other_share"), SHARES)
@pytest.mark.parametrize("k", [1, 5, 30])
def test_the_nearest_are_those_of_a_full_sort(share: Any, other_share: Any, k: int) -> None:
    rows, others = Rows(40, 1, share), Rows(30, 2, other_share)
    expected = by_hand(rows, others)
    order = np.argsort(-expected, axis=1, kind="stable")[:, :k]
    proximity, numbers = compared(rows, others).nearest(k, np.full(40, -1))
    np.testing.assert_array_equal(numbers, order)
    np.testing.assert_array_equal(proximity, np.take_along_axis(expected, order, axis=1))


def test_own_numbers_are_left_out_of_the_nearest() -> None:
    rows = Rows(20, 1)
    expected = by_hand(rows, rows)
    own = np.where(np.arange(20) % 2, np.arange(20), -1)
    expected[own >= 0, own[own >= 0]] = -1.0
    numbers = compared(rows, rows).nearest(19, own)[1]
    np.testing.assert_array_equal(numbers, np.argsort(-expected, axis=1, kind="stable")[:, :19])


# ---- what a comparison takes ----


def test_pairs_are_counted_where_both_rows_count(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, others = Rows(40, 1, 0.5), Rows(30, 2, 0.5)
    both = rows.counts[:, None, :] & others.counts[None, :, :]
    n_pairs = int((both & (rows.leaves.T[:, None, :] == others.leaves.T[None, :, :])).sum())
    affinity = compared(rows, others)
    monkeypatch.setattr(leaf_cooccurrence, "_MANY_PAIRS", n_pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        affinity.warn_of_pairs()
    monkeypatch.setattr(leaf_cooccurrence, "_MANY_PAIRS", n_pairs - 1)
    monkeypatch.setattr(leaf_cooccurrence, "_PAIRS_PER_SECOND", n_pairs / 180)
    with pytest.warns(UserWarning, match=r"^rows share leaves in .* pairs, which take about 3 minutes to count"):
        affinity.warn_of_pairs()


def test_many_pairs_are_said_before_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    X, _ = data()
    model = forest()
    monkeypatch.setattr(leaf_cooccurrence, "_MANY_PAIRS", 1e4)
    calls = [lambda: model.kneighbors(n_neighbors=2), model.proximity, model.outlier_score, lambda: model.transform(X)]
    for call in calls:
        with pytest.warns(UserWarning, match="rows share leaves in .* pairs"):
            call()


def test_sizes_are_checked_to_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    affinity = compared(Rows(40, 1), Rows(30, 2))
    sparse, nearest = 2 * 12 * 30 * 40, 24 * 10 * 40
    monkeypatch.setattr(memory, "available_bytes", lambda: float(sparse))
    affinity.check_size(0.0)
    monkeypatch.setattr(memory, "available_bytes", lambda: float(sparse - 1))
    with pytest.raises(
        MemoryError, match="sparse proximities of 40 rows would take 29 KB, but 29 KB are free; a larger"
    ):
        affinity.check_size(0.0)
    affinity.check_size(0.5)  # fewer entries
    monkeypatch.setattr(memory, "available_bytes", lambda: float(nearest))
    assert affinity.nearest(10, np.full(40, -1))[0].shape == (40, 10)
    with pytest.raises(MemoryError, match="11 neighbors of 40 rows would take 11 KB, but 10 KB are free; fewer"):
        affinity.nearest(11, np.full(40, -1))
