"""Figures of trees: names that fit, classes that paper keeps apart, and rows to draw."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import printed_rules
import pytest

import foliation as fo
from foliation.plotting import TreeView
from foliation.plotting.nodes import Node

RNG = np.random.default_rng(0)
FLAT, THREE = RNG.standard_normal((90, 6)), np.arange(90) % 3
LONG = np.array(["a very long name of a class", "another very long name", "short"])[THREE]


def forest(projections: Any = None, X: Any = FLAT, y: Any = THREE) -> Any:
    return fo.ForestClassifier(3, projections=projections, random_state=0).fit(X, y)


def draw(forest: Any, *rows: Any, **options: Any) -> Any:
    return TreeView.from_estimator(forest, *rows, **options)


def test_training_rows_are_drawn_unless_others_are_given() -> None:
    fitted = forest()
    own, others = draw(fitted), draw(fitted, FLAT[:7], LONG[:7])
    assert own.nodes[0].n_rows == 90 and own.class_names == ["0", "1", "2"]
    assert others.nodes[0].n_rows == 7 and others.class_names == sorted(set(LONG))
    np.testing.assert_array_equal(own.nodes[0].classes, THREE)


def test_any_tree_can_be_drawn() -> None:
    fitted = forest()
    assert draw(fitted, tree=2).nodes[0].threshold == fitted.tree(2).threshold[0]
    with pytest.raises(IndexError, match="tree 3 does not exist"):
        draw(fitted, tree=3)


def test_a_loaded_forest_needs_rows(tmp_path: Any) -> None:
    forest().save(tmp_path / "m.fol")
    loaded = fo.load(tmp_path / "m.fol")
    with pytest.raises(ValueError, match="X=None: a loaded forest has no training rows"):
        draw(loaded)
    assert draw(loaded, FLAT).class_names == []


def test_thresholds_are_written_beside_the_edges() -> None:
    split = Node(0, 0, 0.5, "root", 2, values=np.array([0.0, 2.0]), cells=np.ones((2, 2)), threshold=1728.4)
    leaves = [Node(~k, 1, float(k), "leaf", 1, parent=split, side=k) for k in range(2)]
    display = TreeView([split, *leaves], 1, []).plot()
    assert {"≤ 1728", "> 1728"} <= {text.get_text() for text in display.ax_.texts}


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
@pytest.mark.parametrize("preset", ["image", "series", "channels"])
def test_cuts_are_written_in_units_of_the_data(preset: str, dtype: str) -> None:
    """By the numbers beside the edges, and sums over boxes of views, rows part as they do in the forest."""
    images = np.clip(RNG.normal(120, 40, size=(90, 6, 8)), 0, 255).astype(dtype)
    fitted = forest(preset, images)
    display, written = draw(fitted, max_depth=3), fitted.tree(0).text(max_depth=3).splitlines()
    rules = [re.sub(r"^[| ]*(yes: |no:  )?", "", line).split(" <= ")[0] for line in written if "<=" in line]
    splits = [node for node in display.nodes if node.values is not None]
    edges = [text.get_text() for text in display.ax_.texts if text.get_text()[0] in "≤>"]
    assert len(splits) == len(rules) > 3 and len(edges) == 2 * len(splits)
    leaves, texts = fitted.apply(images)[:, 0], set(edges)
    for node, rule in zip(splits, rules, strict=True):
        below = fitted.tree(0).leaves_below(node.reference)
        arriving = np.isin(leaves, below)
        values = printed_rules.value(rule, printed_rules.Data(images[arriving]))
        np.testing.assert_allclose(node.values, values, atol=1e-9)
        left = np.isin(leaves[arriving], fitted.tree(0).leaves_below(int(fitted.tree(0).children[node.reference, 0])))
        assert {f"≤ {node.cut}", f"> {node.cut}"} <= texts
        np.testing.assert_array_equal(values <= float(node.cut), left)


def test_long_cuts_do_not_overprint() -> None:
    display = draw(forest(X=FLAT * 1e-6))
    cuts = [text for text in display.ax_.texts if text.get_text()[0] in "≤>"]
    boxes = [text.get_window_extent() for text in cuts]
    assert any(len(text.get_text()) > 8 for text in cuts)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_atoms_of_a_spectrum_are_as_wide_as_it_is() -> None:
    series = RNG.standard_normal((90, 4, 20))
    root = draw(forest(fo.Patches(views=("spectrum",)), series)).nodes[0]
    assert root.cells.shape == (4, 10)


def test_names_of_classes_do_not_overprint() -> None:
    display = draw(forest(y=LONG))
    leaves = [text for text in display.ax_.texts if "row" in text.get_text()]
    boxes = sorted((text.get_window_extent() for text in leaves), key=lambda box: (round(box.y0), box.x0))
    for left, right in pairwise(boxes):
        assert right.y0 > left.y0 + 1 or left.x1 < right.x0
    legend, figure = display.ax_.get_legend().get_window_extent(), display.figure_.bbox
    assert figure.x0 <= legend.x0 and legend.x1 <= figure.x1 and legend.y0 >= figure.y0
    assert legend.y1 < min(box.y0 for box in boxes)


def test_there_is_no_band_without_a_legend() -> None:
    shown, without = (draw(forest(y=y)) for y in (THREE, np.arange(90) % 9))
    assert without.ax_.get_legend() is None
    low = min(text.get_position()[1] for text in without.ax_.texts)
    assert low - without.ax_.get_ylim()[0] < 0.25 < low - shown.ax_.get_ylim()[0]


def test_classes_are_told_apart_without_colors() -> None:
    display = draw(forest(), max_depth=1)
    (histogram,) = [child for child in display.ax_.child_axes if len(child.patches) > 10]
    assert len({bar.get_hatch() for bar in histogram.patches}) == 3
    assert len({patch.get_hatch() for patch in display.ax_.get_legend().get_patches()}) == 3


def test_histograms_hold_all_rows() -> None:
    display = draw(forest(), max_depth=1)
    (histogram,) = [child for child in display.ax_.child_axes if len(child.patches) > 10]
    assert sum(bar.get_height() for bar in histogram.patches) == 90


def test_chains_are_drawn_as_deep_as_can_be_read() -> None:
    X, y = np.arange(3000.0)[:, None], np.arange(3000) % 2
    chain = fo.ForestClassifier(1, bootstrap=False, projections="axis", random_state=0).fit(X, y)
    assert chain.tree(0).depth > 1000
    for options, deepest in (({}, 3), ({"max_depth": 50}, 50)):
        display = draw(chain, **options)
        assert max(node.depth for node in display.nodes) == deepest
        assert len(display.nodes) == 2 * deepest + 1
    for depth in (51, 3000):
        with pytest.raises(ValueError, match=rf"^max_depth={depth}: expected an integer from 0 to 50$"):
            draw(chain, max_depth=depth)
