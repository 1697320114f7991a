"""One tree of a model, to look at: its printed rules send every row where the forest does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import printed_rules
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_iris

import foliation as fo
from foliation import Patches, memory
from foliation.model.tree import Tree

IRIS = load_iris(as_frame=True)
NAMES = IRIS.target_names[IRIS.target]
SHAPE = (6, 8)
ALL = {"max_depth": 10**6, "max_terms": None}

FAMILIES: dict[str, Any] = {
    "axis": fo.Axis(),
    "signs": fo.Sparse(),
    "normal": fo.Sparse(weights="normal"),
    "patches": Patches(),
    "contrasts": Patches(contrast=1.0),
    "inside": Patches(border="inside", contrast=0.5, max_size=4),
    "free axes": Patches(contiguous=False, max_size=4),
    "signed patches": Patches(weights="signs"),
    "bumps": Patches(weights="gaussian", contrast=0.5),
    "kernels": fo.Kernels(np.arange(9.0).reshape(1, 3, 3)),
    "neighborhoods": fo.Neighborhoods(np.eye(48, k=1), size=(1, 5)),
    "atoms": fo.Atoms(np.eye(48) - 0.3 * np.eye(48, k=3)),
    "mixture": fo.Mixture([fo.Axis(), Patches(contrast=0.5), fo.Sparse()]),
    "image": "image",
    "series": "series",
    "channels": "channels",
    "one view": Patches(views=["spectrum"]),
    "signed views": Patches(views=["relative", "spectrum"], weights="signs"),
    "mixture of views": fo.Mixture([Patches(views=["raw", "north"]), Patches(views=["raw", "north"], contrast=1.0)]),
}
ON_CIRCLES: dict[str, Any] = {
    "circle": Patches(wrap=(False, True), contrast=0.5),
    "torus": Patches(wrap=True, max_size=(6, 8), contrast=0.5),
    "views of a torus": Patches(views=["raw", "difference", "spectrum", "east", "south"], wrap=True, contrast=0.5),
}


def rows(seed: int, dtype: str, n: int = 100) -> tuple[NDArray[Any], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(120, 40, size=(n, *SHAPE)), 0, 255).astype(dtype), rng.integers(0, 2, size=n)


def routed_by_hand(forest: Any, data: printed_rules.Data) -> NDArray[np.int64]:
    n_trees = forest.n_estimators
    return np.stack([printed_rules.leaves(forest.tree(t).text(**ALL), data) for t in range(n_trees)], axis=1)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "float32", "float64"])
@pytest.mark.parametrize("name", FAMILIES | ON_CIRCLES)
def test_printed_rules_send_rows_where_the_forest_does(name: str, dtype: str) -> None:
    X, y = rows(0, dtype)
    new = np.concatenate([X, rows(1, dtype)[0]])
    forest = fo.ForestClassifier(4, projections=(FAMILIES | ON_CIRCLES)[name], random_state=0).fit(X, y)
    wrap = ON_CIRCLES[name].circles(SHAPE) if name in ON_CIRCLES else ()
    np.testing.assert_array_equal(routed_by_hand(forest, printed_rules.Data(new, wrap=wrap)), forest.apply(new))


@pytest.mark.parametrize("power", [-40, 0, 40])
def test_rules_are_in_units_of_the_data(power: int) -> None:
    """Data that are 2^k times as large have thresholds that are 2^k times as large, whatever the views."""
    X, y = rows(0, "float64")
    forest = fo.ForestClassifier(3, projections="channels", random_state=0)
    cuts = [forest.fit(np.ldexp(X, k), y).tree(0).threshold for k in (0, power)]
    np.testing.assert_array_equal(cuts[1], np.ldexp(cuts[0], power))


@pytest.mark.parametrize(
    "family",
    [fo.Axis(), fo.Sparse(2), fo.Sparse(weights="normal"), Patches(contrast=0.5), Patches(wrap=True)],
    ids=["axis", "signs", "normal", "contrasts", "circle"],
)
def test_rules_name_the_columns_of_frames(family: Any) -> None:
    """Also of values with one decimal, whose sums differ in their last bits; boxes round in a way of their own."""
    frame = IRIS.data * 10 if isinstance(family, Patches) else IRIS.data
    frame = frame.round(1)
    forest = fo.ForestClassifier(10, projections=family, random_state=0).fit(frame, NAMES)
    data = printed_rules.Data(frame.to_numpy(), list(frame.columns))
    np.testing.assert_array_equal(routed_by_hand(forest, data), forest.apply(frame))


def test_boxes_of_decimals_differ_from_sums_by_hand_only_on_the_cut() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(0, 10, size=(300, 12)).round(1), rng.integers(0, 2, size=300)
    forest = fo.ForestClassifier(1, projections=Patches(min_size=2), max_depth=1, random_state=0)
    n_on_the_cut = 0
    for seed in range(60):
        tree = forest.set_params(random_state=seed).fit(X, y).tree(0)
        ids, weights = tree.atom(0)
        apart = np.abs(X[:, ids] @ weights - tree.threshold[0])
        wrong = printed_rules.leaves(tree.text(**ALL), printed_rules.Data(X)) != forest.apply(X)[:, 0]
        assert not wrong[apart > 1e-14 * np.abs(X).max() * len(ids)].any()
        n_on_the_cut += (apart < 1e-10).sum()
    assert n_on_the_cut > 0


def test_cells_are_what_rules_and_polytopes_speak_of() -> None:
    X, y = rows(0, "float32")
    forest = fo.ForestClassifier(3, projections="channels", random_state=0).fit(X, y)
    cells = forest.cells(X)
    assert cells.shape == (100, 5, *SHAPE) and cells.dtype == np.float64
    np.testing.assert_array_equal(cells[:, 0], X)
    np.testing.assert_array_equal(cells[:, 1, :, :7], np.diff(X.astype(np.float64)))
    leaves = forest.apply(X)
    for number in range(3):
        tree = forest.tree(number)
        ids, weights = tree.atom(0)
        left = np.isin(leaves[:, number], tree.leaves_below(int(tree.children[0, 0])))
        np.testing.assert_array_equal(cells.reshape(100, -1)[:, ids] @ weights <= tree.threshold[0], left)
        for leaf in range(tree.n_leaves):
            A, b = forest.leaf_polytope(number, leaf)
            inside = (b[:, None] >= A @ cells.reshape(100, -1).T).all(axis=0)
            np.testing.assert_array_equal(inside, leaves[:, number] == leaf)


def test_cells_without_views_are_the_rows_on_their_grid() -> None:
    X, y = rows(0, "uint8")
    flat = X.reshape(100, -1)
    forest = fo.ForestClassifier(3, projections=Patches(shape=SHAPE), random_state=0).fit(flat, y)
    np.testing.assert_array_equal(forest.cells(flat), X)


def test_a_tree_can_be_read() -> None:
    tree = fo.ForestClassifier(1, random_state=0, max_depth=2).fit(IRIS.data, NAMES).tree(0)
    drawn = str(tree).splitlines()
    assert len(drawn) == tree.n_nodes
    assert "<=" in drawn[0] and sum("leaf" in line for line in drawn) == tree.n_leaves
    assert drawn[2] == "|   |   yes: leaf 1: setosa (100%), weight 52"
    assert tree.depth == 2 and tree.leaf_depths().max() == 2
    assert repr(tree).startswith("Tree(n_splits=")
    only_leaf = fo.ForestClassifier(1).fit(IRIS.data, np.zeros(150)).tree(0)
    assert (only_leaf.n_splits, only_leaf.n_leaves, only_leaf.depth) == (0, 1, 0)
    assert only_leaf.text() == "leaf 0: 0.0 (100%), weight 150"


def test_what_lies_deeper_is_left_out() -> None:
    tree = fo.ForestClassifier(1, random_state=0).fit(IRIS.data, NAMES).tree(0)
    assert tree.text(max_depth=1).splitlines()[1:] == ["|   yes: ...", "|   no:  ..."]


@pytest.mark.parametrize(
    ("max_terms", "expected"), [(2, "x0 + x1 and 10 more"), (6, "x0 + x1 + x2 + x3 + x4 + x5 and 6 more")]
)
def test_long_sums_are_shortened_unless_all_terms_are_asked_for(max_terms: int, expected: str) -> None:
    X = np.random.default_rng(0).normal(size=(40, 12))
    forest = fo.ForestClassifier(1, projections=fo.Atoms(np.ones((1, 12))), max_depth=1, random_state=0)
    tree = forest.fit(X, np.arange(40) % 2).tree(0)
    assert tree.text(max_terms=max_terms).startswith(f"{expected} <= ")
    assert tree.text(max_terms=None).startswith(" + ".join(f"x{k}" for k in range(12)) + " <= ")


def test_numbers_have_all_digits_that_matter_and_fewer_if_asked() -> None:
    X = np.array([[0.1], [0.2], [1 / 3], [2 / 3]]).repeat(5, axis=0)
    stump = fo.ForestClassifier(1, projections="axis", max_depth=1, bootstrap=False, random_state=0)
    assert stump.fit(X, X[:, 0] > 0.5).tree(0).text().splitlines()[0] == "x0 <= 0.5"
    tree = stump.fit(X, X[:, 0] > 0.15).tree(0)
    assert float(tree.text().splitlines()[0].removeprefix("x0 <= ")) == tree.threshold[0]
    tree = stump.fit(X, X[:, 0] > 0.3).tree(0)
    assert tree.text().splitlines()[0] == f"x0 <= {float(tree.threshold[0])!r}"
    assert tree.text(digits=2).splitlines()[0] == "x0 <= 0.27"


def test_leaves_say_what_they_predict() -> None:
    frame = pd.DataFrame({"a": np.arange(8.0)})
    mixed = fo.ForestClassifier(1, max_depth=1, bootstrap=False, min_samples_leaf=4, projections="axis")
    text = mixed.fit(frame, list("aaabccde")).tree(0).text()
    assert "leaf 1: a (75%), b (25%), weight 4" in text and "leaf 0: c (50%), d (25%), e (25%), weight 4" in text
    numbers = fo.ForestRegressor(1, max_depth=1, bootstrap=False, projections="axis").fit(frame, frame["a"] > 3)
    assert "leaf 1: 0, weight 4" in numbers.tree(0).text()
    geodesic = fo.GeodesicForest(1, max_depth=1, random_state=0).fit(np.random.default_rng(0).normal(size=(40, 2)))
    assert all(line.count(":") == 1 for line in geodesic.tree(0).text().splitlines()[1:])


@pytest.mark.parametrize(
    ("name", "written"),
    [("a + b", '"a + b"'), ("- x", '"- x"'), ("7", '"7"'), ('a "b"', r'"a \"b\""'), ("a <= 1", '"a <= 1"')]
    + [(name, name) for name in ("petal width (cm)", "a-b", "x2", "größe")],
)
def test_names_that_look_like_sums_are_quoted(name: str, written: str) -> None:
    X = pd.DataFrame({name: np.arange(20.0)})
    rules = fo.ForestRegressor(1, projections="axis", random_state=0).fit(X, X[name]).tree(0).text(max_depth=1)
    assert rules.startswith(f"{written} <= ")


@pytest.mark.parametrize("name", ["max_depth", "max_terms", "digits"])
@pytest.mark.parametrize("value", [-1, 1.5, "2", True, 2**80])
def test_text_takes_counts(name: str, value: Any) -> None:
    tree = fo.ForestClassifier(1, random_state=0).fit(np.eye(4), np.arange(4)).tree(0)
    with pytest.raises(ValueError, match=rf"^{name}=.*: expected an integer of at least"):
        tree.text(**{name: value})


@pytest.mark.parametrize("call", [Tree.atom, Tree.label])
def test_splits_are_integers_of_the_tree(call: Any) -> None:
    tree = fo.ForestClassifier(1, random_state=0).fit(np.eye(4), np.arange(4)).tree(0)
    for odd in (1.0, "", None, float("nan")):
        with pytest.raises(TypeError, match=r"^split=.*: expected an integer$"):
            call(tree, odd)
    for number in (-1, tree.n_splits, 10**5000):
        with pytest.raises(IndexError, match="does not exist"):
            call(tree, number)


def test_the_text_of_a_deep_tree_is_not_begun_if_memory_cannot_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = np.arange(400.0)
    tree = fo.ForestRegressor(1, projections="axis", bootstrap=False).fit(steps[:, None], 2.0**steps).tree(0)
    assert tree.depth > 100 and len(tree.text(10**9, digits=3)) > 1_000
    monkeypatch.setattr(memory, "available_bytes", lambda: 1_000)
    with pytest.raises(MemoryError, match=r"^the text of a tree would take"):
        tree.text(10**9)
