"""How many bytes a forest of MNIST takes in a file, beside scikit-learn's pickle of one that is as accurate.

    FOLIATION_DATA=... python examples/model_size.py [TREES]

The folder FOLIATION_DATA holds images/mnist.npz. Prints the table in docs/model_files.md.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

import foliation as fo

PATCHES = fo.Patches(min_size=2, max_size=(2, 5))  # the paper's for MNIST


def sizes(train: tuple[Any, Any], test: tuple[Any, Any], n_trees: int) -> Iterator[tuple[str, int, float]]:
    """Yield for each forest its name, its bytes and its error."""
    theirs = RandomForestClassifier(n_trees, n_jobs=-1, random_state=0).fit(
        train[0].reshape(len(train[0]), -1), train[1]
    )
    error = 1 - theirs.score(test[0].reshape(len(test[0]), -1), test[1])
    yield "scikit-learn's random forest, pickled", len(pickle.dumps(theirs)), error
    del theirs
    for name, projections in (("`Patches`, saved", PATCHES), ('`"axis"`, saved', "axis")):
        ours = fo.ForestClassifier(n_trees, projections=projections, n_jobs=-1, random_state=0).fit(*train)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.fol"
            ours.save(path)
            yield name, path.stat().st_size, 1 - ours.score(*test)


def main(n_trees: int = 500) -> None:
    with np.load(Path(os.environ["FOLIATION_DATA"]) / "images/mnist.npz", allow_pickle=False) as file:
        (X, X_test), (y, y_test) = (np.split(file[name], [int(file["n_train"])]) for name in "Xy")
    print("| images | forest | bytes | of scikit-learn's | error |\n|---|---|---|---|---|")
    for n in (5000, 60000):
        rows = np.random.default_rng(0).permutation(len(y))[:n]
        first = 0
        for name, size, error in sizes((X[rows], y[rows]), (X_test, y_test), n_trees):
            first = first or size
            share = "" if size == first else f"{size / first:.2f}"
            print(f"| {n:,} | {name} | {size:,} | {share} | {error:.4f} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
