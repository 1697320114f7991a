"""The main job in one go: RF, SPORF and MORF on four problems, a table and a picture.

Run it with ``python -m foliation.demo``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation import Axis, ForestClassifier, Patches, Sparse, simulations

FIGURE = Path("results/demo_importance.png")


@dataclass(frozen=True)
class Problem:
    """Training and test rows, and the patches and candidates that suit them."""

    name: str
    train: tuple[NDArray[Any], NDArray[Any]]
    test: tuple[NDArray[Any], NDArray[Any]]
    patches: Patches
    candidates: Any


def problems(n_test: int = 5000) -> Iterator[Problem]:
    """The papers' simulations with their patch sizes, and scikit-learn's digits."""
    from sklearn.datasets import load_digits

    settings: dict[str, tuple[Any, int, Patches, Any]] = {
        "circle": (simulations.circle, 500, Patches(min_size=3, max_size=12, wrap=True), 0.5),
        "bars": (simulations.bars, 50, Patches(min_size=2, max_size=(2, 9)), "sqrt"),
        "impulse": (simulations.impulse, 100, Patches(min_size=2, max_size=12), 0.3),
    }
    for name, (draw, n, patches, candidates) in settings.items():
        yield Problem(name, draw(n, random_state=0), draw(n_test, random_state=1), patches, candidates)
    digits = load_digits()
    X, y = digits.images.astype(np.uint8), digits.target
    yield Problem("digits", (X[:1200], y[:1200]), (X[1200:], y[1200:]), Patches(max_size=3), "sqrt")


def methods(problem: Problem, n_trees: int) -> dict[str, ForestClassifier]:
    def forest(projections: Any, candidates: Any) -> ForestClassifier:
        return ForestClassifier(
            n_trees, projections=projections, max_features=candidates, n_jobs=-1, random_state=0
        )  # fmt: skip

    return {
        "RF": forest(Axis(), "sqrt"),
        "SPORF": forest(Sparse(), "sqrt"),
        "MORF": forest(problem.patches, problem.candidates),
    }


def measure(problem: Problem, forest: ForestClassifier) -> str:
    begin = time.perf_counter()
    forest.fit(*problem.train)
    fitted = time.perf_counter()
    error = 1 - forest.score(*problem.test)
    done = time.perf_counter()
    return f"{error:8.4f} {fitted - begin:8.2f} {done - fitted:10.2f} {forest.n_nodes_.mean():15.1f}"


def draw_importances(forests: dict[str, ForestClassifier], problem: Problem, path: Path) -> None:
    """The mean digit beside what each forest looks at, all over the same grid."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(11, 3.2), layout="constrained")
    shown = axes[0].imshow(problem.train[0].mean(axis=0), cmap="Greys")
    axes[0].set_title("mean digit")
    figure.colorbar(shown, ax=axes[0], shrink=0.8, label="grey value")
    maps = {name: forest.importance("gain").reshape(8, 8) for name, forest in forests.items()}
    top = max(found.max() for found in maps.values())
    for ax, (name, found) in zip(axes[1:], maps.items(), strict=True):
        shown = ax.imshow(found, cmap="cividis", vmin=0, vmax=top)
        ax.set_title(f"{name}: error {1 - forests[name].score(*problem.test):.3f}")
    figure.colorbar(shown, ax=axes[1:], shrink=0.8, label="share of the impurity decrease")
    for ax in axes:
        ax.set(xticks=[0, 7], yticks=[0, 7], xlabel="column")
    axes[0].set_ylabel("row")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)


def main(n_trees: int = 200, figure: Path = FIGURE) -> None:
    print(f"{'problem':8} {'rows':>5} {'method':6} {'error':>8} {'fit s':>8} {'predict s':>10} {'nodes per tree':>15}")
    for problem in problems():
        forests = methods(problem, n_trees)
        for name, forest in forests.items():
            n = len(problem.train[0])
            print(f"{problem.name:8} {n:5} {name:6} {measure(problem, forest)}", flush=True)
    if find_spec("matplotlib") is None:
        print('\nNo figure: it needs matplotlib, which `pip install "foliation[plot]"` brings.')
        return
    draw_importances(forests, problem, figure)
    print(f"\nWhat the forests look at in the digits: {figure}")


if __name__ == "__main__":
    main()
