"""Neighbors and coordinates of a model, as tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from commands import error_of, read_csv, read_npz, run

import foliation as fo


@pytest.fixture(scope="module")
def helix(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a geodesic forest and its training rows."""
    folder = tmp_path_factory.mktemp("helix")
    np.save(folder / "helix.npy", fo.simulations.helix(120, random_state=0).points)
    run("fit", folder / "helix.npy", "-o", folder / "m.fol", "--n-estimators", "50")
    return folder / "m.fol", folder / "helix.npy"


def test_neighbors_are_those_of_the_forest(helix: tuple[Path, Path], tmp_path: Path) -> None:
    model, rows = helix
    run("neighbors", model, "-k", 4, "-o", tmp_path / "near.csv")
    lines = read_csv(tmp_path / "near.csv")
    distances, indices = fo.load(model).kneighbors(n_neighbors=4)
    assert [int(line["row"]) for line in lines] == np.repeat(np.arange(120), 4).tolist()
    assert [int(line["neighbor"]) for line in lines] == indices.ravel().tolist()
    assert [float(line["distance"]) for line in lines] == distances.ravel().tolist()
    run("neighbors", model, "--data", rows, "-k", 2, "-o", tmp_path / "near.npz")
    assert read_npz(tmp_path / "near.npz")["distance"].shape == (240,)


def test_coordinates_are_those_of_the_forest(helix: tuple[Path, Path], tmp_path: Path) -> None:
    run("embed", helix[0], "-o", tmp_path / "places.npz", "--n-components", 3)
    written = read_npz(tmp_path / "places.npz")
    expected = fo.load(helix[0]).embed(3, random_state=0)
    np.testing.assert_allclose(np.stack([written[f"x{k}"] for k in range(3)], axis=1), expected)


def test_mistakes_are_one_sentence(helix: tuple[Path, Path], model: Path) -> None:
    assert "it is a ForestClassifier; expected a GeodesicForest" in error_of("embed", model)
    assert "a file of its own" in error_of("neighbors", helix[0], "--data", helix[1], "-o", helix[1])
    assert "expected a file name that ends in .csv, .npz, .parquet" in error_of("embed", helix[0], "-o", "x.html")
