"""The data of the workloads, written once as plain arrays for all contenders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from foliation import simulations
from foliation_benchmarks.workload import Data
from foliation_experiments.harness.data import Rows, Split, mnist_images


def _simulated(draw: Callable[..., tuple[Rows, Rows]]) -> Callable[[Data], Split]:
    def make(data: Data) -> Split:
        return Split(*draw(data.n, random_state=0), *draw(data.n_test, random_state=1))

    return make


def tabular(data: Data) -> Split:
    """scikit-learn's make_classification: 50 features, 20 informative, 10 redundant, 8 clusters, 5 % flipped labels."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        data.n + data.n_test,
        n_features=50,
        n_informative=20,
        n_redundant=10,
        n_clusters_per_class=4,
        flip_y=0.05,
        random_state=0,
    )
    X = X.astype(np.float32)
    return Split(X[: data.n], y[: data.n], X[data.n :], y[data.n :])


def mnist(data: Data) -> Split:
    """Rows of the official training set in a fixed random order, and the official test set."""
    X, y, X_test, y_test = mnist_images()
    rows = np.random.default_rng(0).permutation(len(y))[: data.n]
    return Split(X[rows], y[rows], X_test[: data.n_test], y_test[: data.n_test])


def noise(data: Data) -> Split:
    """Standard normal features and labels that have nothing to do with them: arguments (p, classes)."""
    p, classes = data.arguments
    rng = np.random.default_rng(0)

    def draw(n: int) -> tuple[Rows, Rows]:
        return rng.standard_normal((n, p), dtype=np.float32), np.arange(n) % classes

    return Split(*draw(data.n), *draw(data.n_test))


def noise_images(data: Data) -> Split:
    """Square images of random bytes, with labels that have nothing to do with them: arguments (side,)."""
    (side,) = data.arguments
    rng = np.random.default_rng(0)

    def draw(n: int) -> tuple[Rows, Rows]:
        return rng.integers(256, size=(n, side, side), dtype=np.uint8), np.arange(n) % 2

    return Split(*draw(data.n), *draw(data.n_test))


def trunk(data: Data) -> Split:
    """Two overlapping Gaussians as float32: arguments (p,)."""
    (p,) = data.arguments
    X, y = simulations.trunk(data.n, n_features=p, random_state=0)
    X_test, y_test = simulations.trunk(data.n_test, n_features=p, random_state=1)
    return Split(X.astype(np.float32), y, X_test.astype(np.float32), y_test)


def clusters(data: Data) -> Split:
    """Gaussian clusters of unit covariance around standard normal centers, as float32: arguments (p, clusters)."""
    p, n_clusters = data.arguments
    rng = np.random.default_rng(0)
    centers = rng.standard_normal((n_clusters, p), dtype=np.float32)

    def draw(n: int) -> tuple[Rows, Rows]:
        y = np.arange(n) % n_clusters
        return centers[y] + rng.standard_normal((n, p), dtype=np.float32), y

    return Split(*draw(data.n), *draw(data.n_test))


MAKERS: dict[str, Callable[[Data], Split]] = {
    "circle": _simulated(simulations.circle),
    "impulse": _simulated(simulations.impulse),
    "bars": _simulated(simulations.bars),
    "sparse_parity": _simulated(simulations.sparse_parity),
    "tabular": tabular,
    "mnist": mnist,
    "noise": noise,
    "noise_images": noise_images,
    "trunk": trunk,
    "clusters": clusters,
}


def write(data: Data, root: Path) -> Path:
    """Write the arrays of a workload unless they are there; return their folder."""
    folder = root / data.folder
    if (folder / "X_train.npy").exists():
        return folder
    if data.maker == "sparse_file":
        return sparse_file(data, folder)
    arrays = MAKERS[data.maker](data)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in zip(("X_train", "y_train", "X_test", "y_test"), arrays, strict=True):
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array))
    return folder


def sparse_file(data: Data, folder: Path) -> Path:
    """Write float32 rows of which only the first columns are on the disc: arguments (p, written)."""
    p, written = data.arguments
    folder.mkdir(parents=True, exist_ok=True)
    y = np.arange(data.n) % 2
    np.save(folder / "y_train.npy", y)
    X = np.lib.format.open_memmap(folder / "X_train.npy", mode="w+", dtype=np.float32, shape=(data.n, p))
    rng = np.random.default_rng(0)
    for begin in range(0, data.n, 1000):
        block = slice(begin, begin + 1000)
        X[block, :written] = rng.standard_normal((len(y[block]), written), dtype=np.float32) + y[block, None]
    X.flush()
    return folder
