"""Draw what forests see of data that lives on something: a ring, an image, channels by time, a helix.

    python examples/front.py [FIGURE]

Above what is given, below what was found. Needs matplotlib: ``pip install "foliation[plot]"``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.manifold import SpectralEmbedding

import foliation as fo
from foliation.analysis.atlas import chosen_atoms

FIRST, SECOND = "#0072B2", "#E69F00"
TREES = 300


def errors(projections: Any, train: tuple[Any, Any], test: tuple[Any, Any]) -> tuple[Any, str]:
    """Fit a forest and one of single features; return the first, and what both err."""
    forest, plain = (
        fo.ForestClassifier(TREES, projections=one, n_jobs=-1, random_state=0).fit(*train)
        for one in (projections, "axis")
    )
    return forest, f"error {1 - forest.score(*test):.3f}, a random forest's {1 - plain.score(*test):.3f}"


def ring(figure: Any, places: Any) -> None:
    train, test = (fo.simulations.circle(n, random_state=seed) for n, seed in ((500, 0), (2000, 1)))
    forest, text = errors(fo.Patches(max_size=15, wrap=True), train, test)
    above, below = (figure.add_subplot(place, projection="polar") for place in places)
    width = 2 * np.pi / 100
    angles = width * np.arange(100)
    for level, row in enumerate((*train[0][0:4:2], *train[0][1:4:2])):
        above.bar(angles, 0.9, width, 2 + level, color="0.93")
        above.bar(angles[row > 0], 0.9, width, 2 + level, color=FIRST if level < 2 else SECOND)
    for level, atom in enumerate(chosen_atoms(forest.model_, 25)):
        below.bar(angles[atom.ids % 100], 0.9, width, 6 + level, color="#5b3b8c", alpha=0.35 + 0.6 * (level < 8))
    above.set_title("a ring: two arcs of 5,\nor of 4 and 6", fontsize=10)
    below.set_title(text, fontsize=9)
    for ax in (above, below):
        ax.set_axis_off()


def image(figure: Any, places: Any) -> None:
    digits = load_digits()
    kept = np.isin(digits.target, (3, 5))
    X, y = digits.images[kept], digits.target[kept]
    forest, text = errors("image", (X[:60], y[:60]), (X[60:], y[60:]))
    above, below = (figure.add_subplot(place) for place in places)
    above.imshow(np.hstack([X[y == 3][3], X[y == 5][3]]), cmap="Greys")
    below.imshow(forest.importance("gain").sum(axis=0), cmap="cividis")
    _name(above, "an image: a three or a five,\n60 to learn from")
    _name(below, text, 9)


def channels(figure: Any, places: Any) -> None:
    X, y, subject = fo.simulations.surgical_outcome(random_state=0)
    first = subject < 55
    forest, text = errors("channels", (X[first], y[first]), (X[~first], y[~first]))
    above, below = (figure.add_subplot(place) for place in places)
    above.imshow(X[1], cmap="PuOr_r", aspect="auto", vmin=-5, vmax=5)
    below.imshow(forest.importance("gain")[0], cmap="cividis", aspect="auto")
    _name(above, "channels by time: a recording,\nsimulated")
    _name(below, text, 9)
    below.set(xlabel="time", ylabel="channel")


def helix(figure: Any, places: Any) -> None:
    found = fo.simulations.helix(800, noise_dimensions=10, random_state=0)
    forest = fo.GeodesicForest(TREES, n_jobs=-1, random_state=0).fit(found.points)
    above, below = (figure.add_subplot(place) for place in places)
    plain = SpectralEmbedding(n_neighbors=15, affinity="nearest_neighbors", random_state=0).fit_transform(found.points)
    for ax, points in ((above, plain), (below, forest.embed())):
        ax.scatter(*points.T, c=found.distances[0], cmap="viridis", s=5)
    _name(above, "a helix in 10 columns of noise,\nby Euclidean neighbors")
    _name(below, "by those of a geodesic forest", 9)


def _name(ax: Any, text: str, size: int = 10) -> None:
    ax.set_title(text, fontsize=size)
    ax.set(xticks=[], yticks=[])


def main(path: Path) -> None:
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    grid = figure.add_gridspec(2, 4)
    for column, draw in enumerate((ring, image, channels, helix)):
        draw(figure, (grid[0, column], grid[1, column]))
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "front.png"))
