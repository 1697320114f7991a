"""Writes one model file of each kind for this release, with what the forests say of some rows.

`PYTHONPATH=tests python tests/golden/write.py`, once for each release and never again for
it: later releases must read the files as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mutated
import numpy as np

import foliation as fo

ROWS = np.random.default_rng(1).normal(size=(20, *mutated.X.shape[1:])).round(3)


def answers(forest: Any, rows: Any) -> np.ndarray[Any, Any]:
    """Return what a forest says of rows."""
    rows = rows.reshape(len(rows), *forest.model_.grid.shape)
    if isinstance(forest, fo.GeodesicForest):
        return np.asarray(forest.proximity(rows, sparse=False))
    if isinstance(forest, fo.ForestClassifier):
        shares = forest.predict_proba(rows)
        return np.hstack(shares if isinstance(shares, list) else [shares])
    return np.asarray(forest.predict(rows))


def main() -> None:
    folder = Path(__file__).parent / fo.__version__
    folder.mkdir()
    expected: dict[str, Any] = {}
    for name, make in mutated.FORESTS.items():
        forest = make()
        forest.save(folder / f"{name}.fol")
        expected[name] = answers(forest, ROWS)
    np.savez_compressed(folder / "expected.npz", rows=ROWS, **expected)


if __name__ == "__main__":
    main()
