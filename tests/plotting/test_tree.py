"""Pictures of trees: names that fit, colours that paper keeps, and what is said of nodes that are not drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

import foliation as fo
from foliation import plotting
from foliation.plotting.nodes import in_words

mpl.use("Agg")

RNG = np.random.default_rng(0)
FLAT, THREE = RNG.standard_normal((90, 6)), np.arange(90) % 3
LONG = np.array(["a very long name of a class", "another very long name", "short"])[THREE]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    plt.close("all")


def forest(projections: Any = None, X: Any = FLAT, y: Any = THREE, **more: Any) -> Any:
    return fo.ForestClassifier(3, projections=projections, random_state=0, **more).fit(X, y)


def test_atoms_of_a_spectrum_are_as_wide_as_it_is() -> None:
    series = RNG.standard_normal((90, 4, 20))
    root = plotting.TreeView.from_estimator(forest(fo.Patches(views=("spectrum",)), series)).nodes[0]
    assert root.cells is not None and root.cells.shape == (4, 10)


def test_names_of_classes_do_not_overprint() -> None:
    display = plotting.TreeView.from_estimator(forest(y=LONG))
    leaves = [text for text in display.ax_.texts if "row" in text.get_text()]
    boxes = sorted((text.get_window_extent() for text in leaves), key=lambda box: (round(box.y0), box.x0))
    for left, right in pairwise(boxes):
        assert right.y0 > left.y0 + 1 or left.x1 < right.x0
    legend, whole = display.ax_.get_legend().get_window_extent(), display.figure_.bbox
    assert whole.x0 <= legend.x0 and legend.x1 <= whole.x1 and legend.y0 >= whole.y0
    assert legend.y1 < min(box.y0 for box in boxes)


def test_there_is_no_band_without_a_legend() -> None:
    shown, without = (plotting.TreeView.from_estimator(forest(y=y)) for y in (THREE, np.arange(90) % 9))
    assert without.ax_.get_legend() is None
    low = min(text.get_position()[1] for text in without.ax_.texts)
    assert low - without.ax_.get_ylim()[0] < 0.25 < low - shown.ax_.get_ylim()[0]


def test_classes_are_told_apart_without_colours() -> None:
    display = plotting.TreeView.from_estimator(forest(), max_depth=1)
    (hist,) = [child for child in display.ax_.child_axes if len(child.patches) > 10]
    assert len({bar.get_hatch() for bar in hist.patches}) == 3
    assert len({patch.get_hatch() for patch in display.ax_.get_legend().get_patches()}) == 3


def test_nodes_below_the_last_level_say_what_they_predict() -> None:
    fitted = forest()
    tree = fitted.tree(0)
    cut = [node for node in plotting.TreeView.from_estimator(fitted, max_depth=1).nodes if node.depth == 1]
    by_hand = []
    for child in tree.children[0]:
        todo, total = [int(child)], np.zeros(3)
        while todo:
            node = todo.pop()
            if node < 0:
                total += tree.leaf_weight[~node] * tree.value[~node]
            else:
                todo += tree.children[node].tolist()
        by_hand.append(f"{total.argmax()}: {total.max() / total.sum():.0%} ...")
    assert [node.label.splitlines()[0] for node in cut] == by_hand
    regression = fo.ForestRegressor(1, random_state=0).fit(FLAT, FLAT[:, 0])
    labels = [node.label for node in plotting.TreeView.from_estimator(regression, max_depth=1).nodes[1:]]
    assert all(float(label.split(" ...")[0]) for label in labels)


def test_atoms_of_a_volume_say_which_slice_is_drawn() -> None:
    fitted = forest(fo.Atoms(np.eye(48)[20:21]), RNG.standard_normal((90, 3, 4, 4)))
    assert plotting.TreeView.from_estimator(fitted).nodes[0].label == "[1, 1, 0]\nslice 1 is drawn"
    assert plotting.PatchAtlas.from_estimator(fitted).axes_[0].get_title().endswith("slice 1 is drawn")


def test_a_tree_can_be_told() -> None:
    fitted = forest(fo.Atoms(np.eye(6)[2:3]))
    told = in_words(plotting.TreeView.from_estimator(fitted).nodes, max_depth=1)
    assert told.startswith(f"level 0: x2; level 1, ≤ {fitted.tree(0).threshold[0]:.3g}: ")
