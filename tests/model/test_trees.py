"""How a fitted forest is stored: in few bytes, in types as narrow as they can be, and read alike in any of them."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import foliation as fo
from foliation import simulations

SPLIT_BYTES: dict[str, tuple[Any, float]] = {  # children, threshold and gain take 20 bytes, the rest is the atom
    "axis": (fo.Axis(), 22),
    "line": (fo.Patches(shape=(64,), max_size=6), 24),
    "circle": (fo.Patches(shape=(64,), max_size=6, wrap=True), 24),
    "image": (fo.Patches(shape=(8, 8), max_size=4), 28),
    "image with contrasts": (fo.Patches(shape=(8, 8), max_size=4, contrast=0.5), 32),
    "sparse": (fo.Sparse(), 28),
    "sparse of three": (fo.Sparse(nonzeros=3), 32),
}
FAMILIES: dict[str, Any] = {
    **{name: family for name, (family, _) in SPLIT_BYTES.items()},
    "channels": fo.Patches(shape=(8, 8), max_size=(2, 3), contiguous=(False, True)),
    "drawn weights": fo.Patches(shape=(8, 8), weights="signs"),
    "sparse normal": fo.Sparse(weights="normal"),
    "kernels": fo.Kernels(fo.gabor_bank(3), shape=(8, 8)),
    "mixture": fo.Mixture([fo.Axis(), fo.Patches(shape=(8, 8)), fo.Sparse()]),
}


def data(n: int = 400, p: int = 64) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    return X, (X[:, :3].sum(axis=1) > X[:, -2:].sum(axis=1)).astype(np.int64)


def assert_stored_alike(a: Any, b: Any) -> None:
    assert a.model_.trees.arrays().keys() == b.model_.trees.arrays().keys()
    for name, array in a.model_.trees.arrays().items():
        assert array.dtype == b.model_.trees.arrays()[name].dtype, name
        np.testing.assert_array_equal(array, b.model_.trees.arrays()[name], err_msg=name)


@pytest.mark.parametrize("name", SPLIT_BYTES)
def test_bytes_of_a_split(name: str) -> None:
    family, most = SPLIT_BYTES[name]
    X, y = data()
    forest = fo.ForestClassifier(10, projections=family, random_state=0).fit(X, y)
    arrays = forest.model_.trees.arrays()
    n_bytes = sum(arrays[name].nbytes for name in ("children", "threshold", "gain", "atom_start", "atom_words"))
    assert n_bytes <= most * len(arrays["threshold"])


@pytest.mark.parametrize("name", FAMILIES)
def test_wide_types_are_read_as_narrow_ones(name: str) -> None:
    X, y = data()
    forest = fo.ForestClassifier(20, projections=FAMILIES[name], random_state=0).fit(X, y)
    wide = copy.deepcopy(forest)
    start, words = forest.model_.trees.words_of(slice(0, len(forest.model_.trees.threshold)))
    trees = replace(forest.model_.trees, atom_start=start.astype(np.int64), atom_words=words.astype(np.int32))
    wide.model_ = replace(wide.model_, trees=trees)
    narrow = np.abs(wide.model_.trees.atom_words.astype(np.int64)).max() < 2**15
    assert forest.model_.trees.atom_words.dtype == (np.int16 if narrow else np.int32)
    assert narrow == (name not in ("drawn weights", "sparse normal"))
    for n in (1, 20, 400):  # down the trees as they are stored, and written out
        np.testing.assert_array_equal(forest.apply(X[:n]), wide.apply(X[:n]))
        np.testing.assert_array_equal(forest.predict_proba(X[:n]), wide.predict_proba(X[:n]))
    np.testing.assert_array_equal(forest.importance("gain"), wide.importance("gain"))
    assert str(forest.tree(7)) == str(wide.tree(7))


def leaves_by_atoms(forest: Any, X: NDArray[Any]) -> NDArray[np.int64]:
    """Send rows down the trees with the atoms that each tree shows."""
    leaves = np.empty((len(X), forest.n_estimators), dtype=np.int64)
    for t in range(forest.n_estimators):
        tree = forest.tree(t)
        for i, row in enumerate(X):
            at = 0 if tree.n_splits else -1
            while at >= 0:
                ids, weights = tree.atom(at)
                at = tree.children[at, int(row[ids] @ weights > tree.threshold[at])]
            leaves[i, t] = ~at
    return leaves


@pytest.mark.parametrize("family", [fo.Axis(), fo.Sparse(nonzeros=3), fo.Patches(max_size=9)], ids=["a", "s", "p"])
@pytest.mark.parametrize("p", [2**15, 40_000])
def test_many_features(family: Any, p: int) -> None:
    """The last feature of 2**15, or its complement, is the largest number that 16 bits hold."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, size=(60, p)).astype(np.int16)
    y = rng.integers(0, 2, size=60)
    forest = fo.ForestClassifier(20, projections=family, max_features=20, random_state=0).fit(X, y)
    assert forest.model_.trees.atom_words.dtype == (np.int16 if p == 2**15 else np.int32)
    expected = leaves_by_atoms(forest, X)
    np.testing.assert_array_equal(forest.apply(X), expected)
    np.testing.assert_array_equal(np.vstack([forest.apply(X[i : i + 1]) for i in range(60)]), expected)


@pytest.mark.parametrize("name", FAMILIES)
def test_pickles_and_added_trees(name: str) -> None:
    X, y = data(100)
    whole = fo.ForestClassifier(6, projections=FAMILIES[name], random_state=0).fit(X, y)
    assert_stored_alike(pickle.loads(pickle.dumps(whole)), whole)
    added = fo.ForestClassifier(2, projections=FAMILIES[name], random_state=0, warm_start=True).fit(X, y)
    assert_stored_alike(added.set_params(n_estimators=6).fit(X, y), whole)


@pytest.mark.parametrize("family", [fo.Axis(), fo.Sparse(nonzeros=2)], ids=["axis", "sparse"])
def test_added_trees_of_other_types(family: Any) -> None:
    """A tree with one split has atoms of one size, and narrow words by chance."""
    X, y = data(50, 40_000)
    settings: dict[str, Any] = {"projections": family, "max_depth": 1, "max_features": 1, "random_state": 0}
    added = fo.ForestClassifier(1, warm_start=True, **settings)
    types = []
    for n in range(1, 21):
        added.set_params(n_estimators=n).fit(X, y)
        whole = fo.ForestClassifier(n, **settings).fit(X, y)
        assert_stored_alike(added, whole)
        np.testing.assert_array_equal(added.predict_proba(X), whole.predict_proba(X))
        types.append((whole.model_.trees.atom_words.dtype.name, len(whole.model_.trees.atom_start) > 0))
    assert ("int16", False) in types
    assert types[-1] == ("int32", not isinstance(family, fo.Axis))


def test_trees_without_splits_are_added() -> None:
    X, y = data(30)
    few: dict[str, Any] = {"max_samples": 2, "random_state": 0, "projections": fo.Sparse()}
    added = fo.ForestClassifier(1, warm_start=True, **few)
    n_splits = []
    for n in range(1, 13):
        added.set_params(n_estimators=n).fit(X, y)
        assert_stored_alike(added, fo.ForestClassifier(n, **few).fit(X, y))
        n_splits.append(added.tree(n - 1).n_splits)
    assert 0 in n_splits and 1 in n_splits


@pytest.mark.parametrize("exponent", [100, -100])
def test_gains_beyond_single_precision(exponent: int) -> None:
    X, _ = data()
    y = X[:, 0] + 0.5 * X[:, 1]
    usual, other = (fo.ForestRegressor(5, random_state=0).fit(X, y * scale) for scale in (1.0, 2.0**exponent))
    np.testing.assert_array_equal(other.importance("gain"), usual.importance("gain"))
    np.testing.assert_array_equal(other.tree(3).gain, usual.tree(3).gain * 2.0 ** (2 * exponent))


def test_words_of_another_type_are_refused() -> None:
    X, y = simulations.impulse(50, random_state=0)
    forest = fo.ForestClassifier(2, random_state=0).fit(X, y)
    words = forest.model_.trees.atom_words.astype(np.int64)
    trees = replace(forest.model_.trees, atom_words=words)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="atom_words"):
        _ = replace(forest.model_, trees=trees).router
