"""Geodesic forests of shapes, also among noise, and of handwritten digits: right neighbors, and embeddings.

    FOLIATION_DATA=... python examples/geodesic.py [FIGURE]

The folder FOLIATION_DATA holds manifold/mammoth_10k.npz and images/mnist.npz; without it there is no mammoth, and the
digits are those of scikit-learn. Needs matplotlib; with umap-learn it draws more, and takes minutes instead of
seconds: ``pip install "foliation[plot,umap]"``.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors

import foliation as fo

K = 15  # neighbors that are counted
N_NOISE = 10  # columns of noise, as wide as the widest of a shape
COMMON: dict[str, Any] = {"random_state": 0, "n_jobs": -1}

Array = NDArray[Any]
Panel = tuple[str, Array, Array]  # title, places, and a number or a digit for each row


def shapes() -> dict[str, Array]:
    """Points in three dimensions; the first two columns show them from the side."""
    found = {"helix": fo.simulations.helix(1000).points[:, [2, 0, 1]]}
    if folder := os.environ.get("FOLIATION_DATA"):
        with np.load(Path(folder) / "manifold/mammoth_10k.npz") as mammoth:
            found["mammoth"] = mammoth["X"].astype(np.float64)
    return found


def digits() -> tuple[Array, Array]:
    if folder := os.environ.get("FOLIATION_DATA"):
        with np.load(Path(folder) / "images/mnist.npz") as mnist:
            return mnist["X"][:5000], mnist["y"][:5000]
    found = load_digits()
    return found.images.astype(np.uint8), found.target


def euclidean(X: Array) -> Array:
    """The nearest rows along straight lines."""
    search = NearestNeighbors(n_neighbors=K).fit(X.reshape(len(X), -1))
    return np.asarray(search.kneighbors(return_distance=False))


def embedded(name: str, forest: fo.GeodesicForest, colors: Array, n_neighbors: int) -> list[Panel]:
    """The layouts of a forest's neighbors by the methods that are there; the last is the one that shows most."""
    panels = [(f"{name}\nspectral", forest.embed(n_neighbors=n_neighbors, random_state=0), colors)]
    if find_spec("umap"):
        places = forest.embed(method="umap", n_neighbors=n_neighbors, random_state=0)
        panels.append((f"{name}\nUMAP", places, colors))
    return panels


def without_forest(name: str, X: Array, colors: Array, n_neighbors: int) -> list[Panel]:
    """What UMAP makes of the same rows by their Euclidean distances."""
    if find_spec("umap") is None:
        return []
    from umap import UMAP

    places = UMAP(n_neighbors, random_state=0, n_jobs=1).fit_transform(X.reshape(len(X), -1))
    return [(f"{name}\nUMAP without a forest", places, colors)]


def shape_panels(name: str, points: Array, n_trees: int) -> list[Panel]:
    """Print how many of the nearest rows are nearest in the shape itself; return the pictures."""
    noise = np.random.default_rng(0).normal(scale=points.std(axis=0).max(), size=(len(points), N_NOISE))
    noisy, truth = np.hstack([points, noise]), euclidean(points)
    alone = fo.GeodesicForest(
        n_trees, criterion="two_means", projections=fo.Sparse(nonzeros=3, weights="normal"), **COMMON
    )
    among = fo.GeodesicForest(n_trees, projections=fo.Sparse(), max_features=20, **COMMON)
    for where, X, forest in (("no noise", points, alone), (f"{N_NOISE} noise columns", noisy, among)):
        usual = fo.GeodesicForest(n_trees, **COMMON)
        found = {key: one.fit(X).kneighbors(n_neighbors=K)[1] for key, one in (("forest", forest), ("defaults", usual))}
        if X is noisy:
            found["Euclidean"] = euclidean(noisy)
        for key, near in found.items():
            right = (near[:, :, None] == truth[:, None, :]).any(axis=2).mean()
            print(f"{name}, {where}, {key}: {right:.3f} of the nearest {K} are nearest in the shape itself")
    along, wide = points[:, 0], max(2, len(points) // 70)
    panels = [(f"{name}\nfrom the side", points[:, :2], along), *embedded("forest, no noise", alone, along, wide)]
    panels += embedded(f"forest, {N_NOISE} noise columns", among, along, wide)[-1:]
    return panels + without_forest(f"{N_NOISE} noise columns", noisy, along, wide)


def digit_panels(images: Array, labels: Array, n_trees: int) -> list[Panel]:
    """Print how many of the nearest rows are the same digit; return the pictures."""
    families = {"sparse": None, "patches": fo.Patches()}
    forests = {
        f"{name}, {criterion}": fo.GeodesicForest(n_trees, criterion=criterion, projections=family, **COMMON)
        for name, family in families.items()
        for criterion in ("fast_bic", "two_means")
    }
    found = {name: forest.fit(images).kneighbors(n_neighbors=K)[1] for name, forest in forests.items()}
    for name, near in {**found, "Euclidean": euclidean(images)}.items():
        print(f"digits, {name}: {(labels[near] == labels[:, None]).mean():.3f} of the nearest {K} are the same digit")
    shown = ("sparse, fast_bic", "patches, two_means")
    panels = [panel for name in shown for panel in embedded(f"digits, {name}", forests[name], labels, K)]
    return panels + without_forest("digits, pixels", images, labels, K)


def draw_panel(ax: Any, panel: Panel) -> None:
    title, places, colors = panel
    is_digits = colors.dtype.kind in "iu"
    ax.set_title(title, fontsize=11)
    size = 1 if len(places) > 2000 else 3
    ax.scatter(*places.T, c=colors, s=size, linewidths=0, cmap="tab10" if is_digits else "viridis")
    ax.set_aspect("equal", adjustable="datalim")
    box = {"boxstyle": "circle,pad=0.1", "color": "white", "alpha": 0.7}
    for digit in np.unique(colors) if is_digits else ():
        middle = np.median(places[colors == digit], axis=0)
        ax.annotate(str(digit), middle, ha="center", va="center", weight="bold", bbox=box)


def draw(rows: list[list[Panel]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    across = max(map(len, rows))
    figure, axes = plt.subplots(len(rows), across, figsize=(3 * across, 3.2 * len(rows)), layout="constrained")
    for ax in axes.flat:
        ax.axis("off")
    for row, row_axes in zip(rows, axes, strict=True):
        for panel, ax in zip(row, row_axes, strict=False):
            draw_panel(ax, panel)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=80)
    print(f"Embeddings: {path}")


def main(figure: str | Path = "results/geodesic.png", n_trees: int = 300, most_rows: int | None = None) -> None:
    rows = [shape_panels(name, points[:most_rows], n_trees) for name, points in shapes().items()]
    images, labels = digits()
    rows.append(digit_panels(images[:most_rows], labels[:most_rows], n_trees))
    draw(rows, Path(figure))


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) > 1 else main()
