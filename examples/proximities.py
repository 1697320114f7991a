"""Draw the proximities of handwritten digits: an ordered matrix, and their embedding.

    python examples/proximities.py [FIGURE]

Needs matplotlib: ``pip install "foliation[plot]"``.
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE

import foliation as fo

digits = load_digits()
X, y = digits.images[:1000], digits.target[:1000]
forest = fo.ForestClassifier(300, projections=fo.Patches(max_size=4), random_state=0, n_jobs=-1).fit(X, y)
near = forest.proximity(rows="oob")  # what trees say of rows that they have not seen
print(f"{near.nnz:,} of {near.shape[0] ** 2:,} pairs ever share a leaf out of the bag")
same = y[:, None] == y[None, :]
dense = near.toarray()
off = ~np.eye(len(y), dtype=bool)
print(f"mean proximity {dense[same & off].mean():.3f} within digits, {dense[~same].mean():.3f} between them")
scores = forest.outlier_score()
print("least typical rows:", ", ".join(f"{row} (a {y[row]}, {scores[row]:.0f})" for row in np.argsort(-scores)[:5]))

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt

    order = np.argsort(y, kind="stable")
    embedded = TSNE(metric="precomputed", init="random", random_state=0).fit_transform(1 - dense)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    image = left.imshow(dense[np.ix_(order, order)], cmap="cividis", vmax=0.5, interpolation="nearest")
    figure.colorbar(image, ax=left, label="proximity out of the bag", shrink=0.8)
    ends = np.cumsum(np.bincount(y))
    left.set(xticks=ends - np.bincount(y) / 2, yticks=ends - np.bincount(y) / 2, title="rows in order of their digits")
    left.set_xticklabels(range(10))
    left.set_yticklabels(range(10))
    left.tick_params(length=0)
    for digit in range(10):
        here = embedded[y == digit]
        right.plot(*here.T, ".", ms=2, color=plt.get_cmap("cividis")(digit / 9))
        box = {"boxstyle": "circle,pad=0.15", "color": "white", "alpha": 0.8}
        right.annotate(str(digit), np.median(here, axis=0), ha="center", va="center", weight="bold", bbox=box)
    right.set(title="t-SNE of the distances, 1 - proximity", xticks=[], yticks=[])
    figure.savefig(sys.argv[1], dpi=150)
