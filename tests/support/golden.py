"""Model files of every release so far, and what their forests predict for some rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import foliation as fo

FOLDER = Path(__file__).parents[1] / "golden"
FILES = sorted(FOLDER.glob("*/*.fol"))


def answers(forest: Any, rows: NDArray[Any]) -> NDArray[Any]:
    """Return what a forest predicts for rows; proximities of a geodesic forest."""
    rows = rows.reshape(len(rows), *forest.grid_shape_)
    if isinstance(forest, fo.GeodesicForest):
        return np.asarray(forest.proximity(rows, sparse=False))
    if isinstance(forest, fo.ForestClassifier):
        shares = forest.predict_proba(rows)
        return np.hstack(shares if isinstance(shares, list) else [shares])
    return np.asarray(forest.predict(rows))


def assert_predicts_as_written(path: Path, forest: Any) -> None:
    """Assert that a forest predicts, bit for bit, what it predicted when its golden file was written."""
    with np.load(path.parent / "expected.npz") as expected:
        np.testing.assert_array_equal(answers(forest, expected["rows"]), expected[path.stem])
