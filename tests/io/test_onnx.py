"""Forests as ONNX: onnxruntime predicts what they predict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

import foliation as fo
from foliation import _core, export
from foliation.analysis.atlas import atlas
from foliation.io import onnx
from foliation.io.onnx_views import waves_of

rt = pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

DIGITS = load_digits()
IMAGES, FLAT, LABELS = DIGITS.images[:400], DIGITS.data[:400], DIGITS.target[:400]
RING = np.roll(np.eye(64), 1, axis=1)
BOTH = np.stack([LABELS, LABELS % 2], axis=1)
VIEWS = tuple(outline.name for outline in _core.view_outlines(_core.SeriesGrid(8, 8, False, 8, False)))  # all there are

FORESTS: dict[str, tuple[Any, Any, Any]] = {
    "features": (fo.ForestClassifier(projections="axis"), FLAT, LABELS),
    "sums of features": (fo.ForestClassifier(), FLAT, LABELS.astype(str)),
    "weights": (fo.ForestRegressor(projections=fo.Sparse(weights="normal")), FLAT, LABELS),
    "boxes": (fo.ForestClassifier(projections=fo.Patches(contrast=0.5)), IMAGES, LABELS),
    "a torus": (fo.ForestClassifier(projections=fo.Patches(wrap=True)), IMAGES, LABELS),
    "views": (fo.ForestClassifier(projections=fo.Patches(views=VIEWS)), IMAGES, LABELS),
    "views of a torus": (fo.ForestClassifier(projections=fo.Patches(wrap=True, views=VIEWS)), IMAGES, LABELS),
    "views of a volume": (fo.ForestClassifier(projections=fo.Patches(views=VIEWS)), FLAT.reshape(-1, 4, 4, 4), LABELS),
    "channels": (fo.ForestRegressor(projections="channels"), IMAGES, LABELS),
    "a shape of its own": (fo.ForestClassifier(projections=fo.Patches(shape=(8, 8), views=VIEWS)), FLAT, LABELS),
    "kernels": (fo.ForestRegressor(projections=fo.Kernels(fo.gabor_bank(3))), IMAGES, LABELS),
    "a graph": (fo.ForestClassifier(projections=fo.Neighborhoods(RING)), FLAT, LABELS),
    "a mixture": (fo.ForestClassifier(projections=fo.Mixture([fo.Axis(), fo.Atoms(RING)])), FLAT, LABELS),
    "two classes": (fo.ForestClassifier(), FLAT, LABELS % 2),
    "two outputs": (fo.ForestClassifier(), FLAT, BOTH),
    "two numbers": (fo.ForestRegressor(), FLAT, BOTH * 100.0),
    "empty leaves": (fo.ForestClassifier(honest=True, honest_prior="ignore"), FLAT, LABELS),
    "empty leaves of large numbers": (fo.ForestRegressor(honest=True, honest_prior="ignore"), FLAT, LABELS * 1e37),
    "no splits": (fo.ForestRegressor(), FLAT, np.ones(400)),
}


def run(model: Any, X: Any) -> Any:
    return rt.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"X": X})[0]


@pytest.mark.parametrize("name", FORESTS)
def test_onnxruntime_agrees(name: str, tmp_path: Path) -> None:
    forest, X, y = FORESTS[name]
    forest = forest.set_params(n_estimators=10, random_state=0).fit(X, y)
    path = tmp_path / "forest.onnx"
    export.to_onnx(forest, path)
    rows = np.random.default_rng(0).uniform(0, 16, (200, *X.shape[1:]))  # none on a threshold
    expected = forest.predict_proba(rows) if hasattr(forest, "classes_") else forest.predict(rows)
    expected = np.concatenate(expected, axis=1) if isinstance(expected, list) else expected.reshape(200, -1)
    found = run(str(path), rows)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, atol=1e-6, rtol=1e-6)


def test_atoms_are_written_once() -> None:
    forest = fo.ForestClassifier(30, projections=fo.Patches(max_size=2), random_state=0).fit(IMAGES, LABELS)
    model = export.to_onnx(forest)
    (atoms,) = model.graph.sparse_initializer
    n_splits = len(forest.model_.trees.threshold)
    assert atoms.dims[0] == 64
    assert atoms.dims[1] < min(n_splits, 4 * 81)  # boxes of four sizes


def test_a_map_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    forest = fo.ForestClassifier(5, random_state=0).fit(FLAT, LABELS)
    n_atoms = atlas(forest.model_).atoms.shape[0]
    monkeypatch.setattr(onnx, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match=f"{n_atoms} distinct atoms over 64 cells: a map of {n_atoms * 512:,} bytes"):
        export.to_onnx(forest)


def test_waves_and_numbers_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).normal(size=(40, 1, 64))
    forest = fo.ForestRegressor(2, projections="series", random_state=0).fit(X, X[:, 0, 0])
    size = sum(part.nbytes for part in waves_of(64))
    monkeypatch.setattr(onnx, "MOST_BYTES", size)
    monkeypatch.setattr(onnx, "_single_features", lambda atoms: np.zeros(len(atoms.indptr), np.int64))
    export.to_onnx(forest)
    monkeypatch.setattr(onnx, "MOST_BYTES", size - 1)
    with pytest.raises(ValueError, match=f"waves of {size:,} bytes, and ONNX holds"):
        export.to_onnx(forest)
    monkeypatch.undo()
    with pytest.raises(ValueError, match="which the float32 of ONNX's trees cannot hold"):
        export.to_onnx(fo.ForestRegressor(2, random_state=0).fit(FLAT, LABELS * 1e40))
