"""Which projections for which data: errors of RF, SPORF and MORF over ten draws, as a Markdown table.

The table in the README is made by this script: ``python examples/which_projection.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import foliation as fo
from foliation import simulations

Rows = tuple[NDArray[Any], NDArray[Any]]

CHANNELS = fo.Patches(min_size=(1, 5), max_size=(2, 20), contiguous=(False, True))

# name, generator, training rows, MORF's patches and candidates
PROBLEMS: list[tuple[str, Any, int, Any, Any]] = [
    ("circle: arcs of 5 and 5, or of 4 and 6", simulations.circle, 500, fo.Patches(None, 3, 12, wrap=True), 0.5),
    ("image: horizontal or vertical bars", simulations.bars, 50, fo.Patches(min_size=2, max_size=(2, 9)), "sqrt"),
    ("series: an impulse in noise", simulations.impulse, 100, fo.Patches(min_size=2, max_size=12), 0.3),
    ("channels: correlated or not", simulations.gaussian_channels, 500, CHANNELS, "sqrt"),
    ("tabular: two overlapping Gaussians", simulations.trunk, 200, None, None),
    ("tabular: sparse parity", simulations.sparse_parity, 2000, None, None),
]


def draws(generator: Any, n: int) -> Iterator[tuple[Rows, Rows]]:
    for seed in range(10):
        yield generator(n, random_state=seed), generator(5000, random_state=1000 + seed)


def digit_draws() -> Iterator[tuple[Rows, Rows]]:
    digits = load_digits()
    X, y = digits.images.astype(np.uint8), digits.target
    for seed in range(10):
        X_train, X_test, y_train, y_test = train_test_split(X, y, train_size=300, stratify=y, random_state=seed)
        yield (X_train, y_train), (X_test, y_test)


def errors(data: list[tuple[Rows, Rows]], projections: Any, candidates: Any) -> str:
    if projections is None:
        return ""
    found = []
    for seed, (train, test) in enumerate(data):
        forest = fo.ForestClassifier(
            300, projections=projections, max_features=candidates, n_jobs=-1, random_state=seed
        )  # fmt: skip
        found.append(1 - forest.fit(*train).score(*test))
    return f"{np.mean(found):.3f} ± {np.std(found, ddof=1) / np.sqrt(len(found)):.3f}"


def main() -> None:
    print("| data | rows | RF: `Axis()` | SPORF: `Sparse()` | MORF: `Patches()` |\n|---|---|---|---|---|")
    tables = [(name, n, list(draws(make, n)), patches, m) for name, make, n, patches, m in PROBLEMS]
    tables.append(("image: handwritten digits", 300, list(digit_draws()), fo.Patches(max_size=3), "sqrt"))
    for name, n, data, patches, candidates in tables:
        cells = [errors(data, p, c) for p, c in ((fo.Axis(), "sqrt"), (fo.Sparse(), "sqrt"), (patches, candidates))]
        print(f"| {name} | {n} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
