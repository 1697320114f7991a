"""Embeddings of the training rows: near rows stay near, and parts that never meet do no harm."""

from __future__ import annotations

import builtins
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr
from sklearn.manifold import SpectralEmbedding

import foliation as fo
from foliation import memory, simulations
from foliation.analysis import embedding

METHODS = ("spectral", "mds", "umap")
HALF = np.arange(150) // 75  # of `halves`


def forest(n_estimators: int = 60, **settings: Any) -> Any:
    return fo.GeodesicForest(n_estimators, **({"random_state": 0} | settings))


def halves(distance: float) -> NDArray[np.float64]:
    """Return 150 rows of two clusters that are this far apart."""
    return np.random.default_rng(0).normal(size=(150, 3)) + distance * HALF[:, None]


def embedded(model: Any, method: Any, **settings: Any) -> NDArray[np.float64]:
    """Return an embedding; without umap-learn there is nothing to test."""
    if method == "umap":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what umap-learn imports
            pytest.importorskip("umap")
    found: NDArray[np.float64] = model.embed(method=method, **({"random_state": 0} | settings))
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_components", [1, 2, 3])
def test_shape_and_type(method: str, n_components: int) -> None:
    model = forest().fit(halves(3.0))
    found = embedded(model, method, n_components=n_components)
    assert found.shape == (150, n_components) and found.dtype == np.float64
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(embedded(model, method, n_components=n_components), found)


def test_two_components_by_the_spectrum_are_usual() -> None:
    model = forest().fit(halves(3.0))
    np.testing.assert_array_equal(model.embed(random_state=0), embedded(model, "spectral", n_components=2))


@pytest.mark.parametrize("method", METHODS)
def test_rows_of_a_line_stay_near_their_neighbours(method: str) -> None:
    line = simulations.line(150, noise_dimensions=3, random_state=0)
    found = embedded(forest(150).fit(line.points), method)
    near = np.argsort(cdist(found, found), axis=1)[:, 1:11]
    steps = np.abs(near - np.arange(150)[:, None])
    assert np.median(steps) < 15  # 50 by chance


@pytest.mark.parametrize(("method", "least"), [("spectral", 0.95), ("mds", 0.8)])
def test_a_single_coordinate_of_a_line_is_its_length(method: str, least: float) -> None:
    line = simulations.line(200, random_state=0)
    found = embedded(forest(150).fit(line.points), method, n_components=1)
    assert abs(spearmanr(found[:, 0], line.latent).statistic) > least


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("affinity", ["leaf", "depth"])
def test_two_clusters_are_apart(method: str, affinity: str) -> None:
    found = embedded(forest(affinity=affinity).fit(halves(6.0)), method)
    distances = cdist(found, found) + np.where(np.eye(150) > 0, np.inf, 0.0)
    assert (HALF[distances.argmin(axis=1)] == HALF).mean() > 0.97


@pytest.mark.parametrize("method", ["spectral", "umap"])
def test_the_number_of_neighbours_matters(method: str) -> None:
    model = forest().fit(halves(3.0))
    few, usual, many = (embedded(model, method, n_neighbors=k) for k in (15, None, 60))
    np.testing.assert_array_equal(few, usual)
    assert not np.allclose(usual, many)


# ---- parts that never meet ----


@pytest.mark.filterwarnings("ignore:Graph is not fully connected")
def test_parts_by_the_spectrum() -> None:
    model = forest().fit(halves(1000.0))
    assert model.proximity(sparse=False)[:75, 75:].max() == 0
    with pytest.warns(
        UserWarning, match=r"^the graph of the \d+ nearest rows falls into 2 parts; .* arbitrary$"
    ) as caught:
        found = model.embed(random_state=0)
    assert [entry.filename for entry in caught if "2 parts" in str(entry.message)] == [__file__]
    assert np.isfinite(found).all()
    one, other = found[:75], found[75:]
    assert ((one.max(axis=0) < other.min(axis=0)) | (other.max(axis=0) < one.min(axis=0))).any()


def test_neighbours_that_are_too_few_to_hang_together_are_doubled() -> None:
    model = forest().fit(halves(6.0))
    assert model.proximity(sparse=False)[:75, 75:].max() > 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(model.embed(n_neighbors=2, random_state=0)).all()


@pytest.mark.filterwarnings("ignore:rows fall into 2 parts", "ignore:Graph is not fully connected")
def test_parts_take_no_more_memory_than_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many neighbours are asked for, parts stay parts; not all rows are compared with all."""
    model = forest().fit(np.random.default_rng(0).normal(size=(400, 3)) + 1000.0 * (np.arange(400) % 2)[:, None])
    model.remember()
    monkeypatch.setattr(memory, "available_bytes", lambda: 24.0 * 400 * 250)
    with pytest.warns(UserWarning, match="2 parts"):
        assert model.embed(random_state=0).shape == (400, 2)


@pytest.mark.parametrize("n_neighbors", [15, 100])
def test_parts_by_umap(n_neighbors: int) -> None:
    """Rows that are met nowhere are no neighbours, though more are asked for than are met."""
    model = forest(min_samples_split=10).fit(halves(1000.0))
    found = embedded(model, "umap", n_neighbors=n_neighbors)
    distances = cdist(found, found)
    within = np.median(distances[:75, :75])
    assert distances[:75, 75:].min() > 3 * within


def test_parts_by_scaling() -> None:
    found = embedded(forest().fit(halves(1000.0)), "mds")
    distances = cdist(found, found)
    assert np.median(distances[:75, 75:]) > 1.2 * np.median(distances[:75, :75])


# ---- edges ----


@pytest.mark.filterwarnings("ignore:all 12 rows of X are in one leaf")
def test_rows_that_are_all_equal() -> None:
    model = forest(3).fit(np.ones((12, 2)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(model.embed(n_neighbors=5, random_state=0)).all()
        assert np.isfinite(model.embed(method="mds", random_state=0)).all()


@pytest.mark.parametrize("method", ["spectral", "umap"])
def test_as_many_neighbours_as_there_are(method: str) -> None:
    model = forest().fit(halves(3.0)[::6])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=ImportWarning)
        assert embedded(model, method, n_neighbors=24).shape == (25, 2)


def test_scaling_has_no_neighbours() -> None:
    model = forest(min_samples_split=2).fit(halves(3.0)[::15])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert embedded(model, "mds").shape == (10, 2)
    with pytest.raises(ValueError, match=r'^n_neighbors=3 .*method="mds"'):
        model.embed(method="mds", n_neighbors=3)
    with pytest.warns(UserWarning, match="^n_neighbors=15 is more than there are; 9 are taken$"):
        model.embed(random_state=0)


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.filterwarnings("ignore:all . rows of X are in one leaf")
def test_too_few_rows(n: int) -> None:
    model = forest().fit(halves(3.0)[:n])
    with pytest.raises(ValueError, match="at least 3 rows"):
        model.embed(1)


def test_scaling_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    model = forest().fit(halves(3.0))
    monkeypatch.setattr(memory, "available_bytes", lambda: 50_000.0)
    with pytest.raises(MemoryError, match=r'^scaling of 150 rows would take 1 MB, .* method="spectral" takes less$'):
        model.embed(method="mds")


def test_umap_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_umap(name: str, *arguments: Any, **keywords: Any) -> Any:
        if name == "umap":
            raise ImportError(name)
        return real(name, *arguments, **keywords)

    model = forest(3).fit(halves(3.0))
    monkeypatch.setattr(builtins, "__import__", without_umap)
    with pytest.raises(ImportError, match=r'^embed\(method="umap"\) needs umap-learn: pip install'):
        model.embed(method="umap")


def test_nothing_is_imported_before_it_is_needed() -> None:
    script = "import sys, foliation; print({'umap', 'sklearn.manifold', 'matplotlib', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("n_components", [1, 3])
def test_the_largest_eigenvectors_are_those_of_the_whole_matrix(
    n_components: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.random.default_rng(0).normal(size=(300, 4)) * [4, 3, 2, 1]
    distances = cdist(rows, rows)
    whole = embedding._classical(distances, n_components)
    monkeypatch.setattr(embedding, "_DENSE", 10)
    iterated = embedding._classical(distances, n_components)
    np.testing.assert_allclose(np.abs(iterated), np.abs(whole), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("n_components", [1, 2, 4])
def test_the_spectral_embedding_is_that_of_scikit_learn(n_components: int) -> None:
    model = forest().fit(np.random.default_rng(0).normal(size=(400, 2)))
    how = embedding.Embedding(n_components, "spectral", 15, 0)
    graph = embedding._connected_graph(model._comparison(), 15)
    expected = SpectralEmbedding(n_components, affinity="precomputed", random_state=0).fit_transform(graph)
    np.testing.assert_allclose(embedding._by_iteration(graph, how), expected, rtol=1e-6, atol=1e-9)


def test_a_thin_graph_is_factorized(monkeypatch: pytest.MonkeyPatch) -> None:
    model = forest().fit(simulations.line(400, random_state=0).points)
    iterated = model.embed(random_state=0)
    monkeypatch.setattr(embedding, "_MOST_RESTARTS", 1)
    np.testing.assert_allclose(np.abs(model.embed(random_state=0)), np.abs(iterated), rtol=1e-4, atol=1e-9)
