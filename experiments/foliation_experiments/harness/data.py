"""Data that are not ours to ship: files below the folder that the environment variable FOLIATION_DATA names."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

VARIABLE = "FOLIATION_DATA"
MNIST = "images/mnist.npz"
Rows = NDArray[Any]


class NoDataError(ValueError):
    """Data that are not here; the message names what is missing."""


class Split(NamedTuple):
    """Rows to train on and rows to test on."""

    X: Rows
    y: Rows
    X_test: Rows
    y_test: Rows


def data_file(name: str) -> Path:
    """Return the path of a file of the data folder; raise NoDataError if there is none."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        raise NoDataError(f"the environment variable {VARIABLE} is not set: expected the folder with {name}")
    path = Path(folder) / name
    if not path.exists():
        raise NoDataError(f"{path} does not exist")
    return path


def mnist_images() -> Split:
    """Return the official training set and the official test set."""
    return _mnist(data_file(MNIST))


@lru_cache(1)  # read once by each process
def _mnist(path: Path) -> Split:
    with np.load(path, allow_pickle=False) as file:
        X, y, n_train = file["X"], file["y"].astype(np.int64), int(file["n_train"])
    return Split(X[:n_train], y[:n_train], X[n_train:], y[n_train:])
