"""Features on a graph: its edges, a layout by hops, and what is drawn."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection
from scipy.sparse import csr_array

import foliation as fo
from foliation.model.model import Model
from foliation.plotting.graph import adjacency, draw_graph, edges, layout

RING = np.roll(np.eye(12), 1, axis=1)
X, Y = np.random.default_rng(0).standard_normal((40, 12)), np.arange(40) % 2


def model(projections: fo.Axis | fo.Mixture | fo.Neighborhoods) -> Model:
    return fo.ForestClassifier(2, projections=projections, random_state=0).fit(X, Y).model_


def test_the_graph_is_that_of_the_projections() -> None:
    graph = adjacency(model(fo.Mixture([fo.Axis(), fo.Neighborhoods(RING)])))
    assert graph is not None
    np.testing.assert_array_equal(graph.toarray() > 0, RING + RING.T > 0)
    assert adjacency(model(fo.Axis())) is None


def test_edges_are_pairs_once() -> None:
    pairs = edges(csr_array(RING + RING.T + np.eye(12)))
    assert sorted(map(tuple, pairs.tolist())) == sorted([*((k, k + 1) for k in range(11)), (0, 11)])


def test_a_ring_is_drawn_as_one() -> None:
    graph = csr_array(RING + RING.T)
    positions = layout(model(fo.Neighborhoods(RING)), graph)
    assert positions is not None
    lengths = np.linalg.norm(np.diff(positions[edges(graph)], axis=1), axis=-1)
    np.testing.assert_allclose(lengths, lengths[0, 0])


def test_components_of_a_graph_stay_apart() -> None:
    parts = np.kron(np.eye(2), np.ones((6, 6)))
    positions = layout(model(fo.Neighborhoods(parts)), csr_array(parts))
    assert positions is not None and np.isfinite(positions).all()
    assert np.linalg.norm(positions[:6].mean(axis=0) - positions[6:].mean(axis=0)) > 1


def test_features_of_a_grid_have_no_layout() -> None:
    images = fo.ForestClassifier(2, projections="patches", random_state=0).fit(X.reshape(40, 3, 4), Y)
    assert layout(images.model_, csr_array(RING)) is None
    assert layout(model(fo.Axis()), None) is None


@pytest.mark.parametrize("pairs", [None, np.array([[0, 1], [1, 2]])])
def test_nodes_are_as_large_as_their_values(pairs: np.ndarray | None) -> None:
    _, ax = plt.subplots()
    positions, values = np.arange(6.0).reshape(3, 2), np.array([0.0, 1.0, 3.0])
    dots = draw_graph(ax, positions, values, pairs, ["a", "b", "c"])
    np.testing.assert_allclose(np.asarray(dots.get_offsets()), positions)
    np.testing.assert_allclose(dots.get_sizes(), [30, 120, 300])
    assert [text.get_text() for text in ax.texts] == ["c", "b", "a"]
    lines = [part for part in ax.collections if isinstance(part, LineCollection)]
    assert [len(part.get_segments()) for part in lines] == ([] if pairs is None else [2])
