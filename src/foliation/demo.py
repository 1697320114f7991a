"""RF, SPORF and MORF on four problems: a table and a figure.

Run it with ``python -m foliation.demo``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from foliation import simulations
from foliation.data.arrays import Array
from foliation.estimators.classifier import ForestClassifier
from foliation.io.atomic import check_place, write_atomic
from foliation.model.settings import MaxFeatures
from foliation.printable import printable, quoted
from foliation.projections import Axis, Patches, Projections, Sparse

FIGURE = Path("results/demo_importance.png")
_FIGURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Problem:
    """Training and test rows, and the patches and candidates that suit them."""

    name: str
    train: tuple[Array, Array]
    test: tuple[Array, Array]
    patches: Patches
    max_features: MaxFeatures


class Simulation(NamedTuple):
    """A simulation of the papers: how to draw rows, how many, and the patches and candidates of the papers."""

    draw: Callable[..., tuple[Array, Array]]
    n: int
    patches: Patches
    max_features: MaxFeatures


SIMULATIONS = {
    "circle": Simulation(simulations.circle, 500, Patches(min_size=3, max_size=12, wrap=True), 0.5),
    "bars": Simulation(simulations.bars, 50, Patches(min_size=2, max_size=(2, 9)), "sqrt"),
    "impulse": Simulation(simulations.impulse, 100, Patches(min_size=2, max_size=12), 0.3),
}


def problems(n_test: int = 5000) -> Iterator[Problem]:
    """Draw the simulations, and load scikit-learn's digits."""
    from sklearn.datasets import load_digits  # takes long to import

    for name, (draw, n, patches, max_features) in SIMULATIONS.items():
        yield Problem(name, draw(n, random_state=0), draw(n_test, random_state=1), patches, max_features)
    digits = load_digits()
    X, y = digits.images.astype(np.uint8), digits.target
    yield Problem("digits", (X[:1200], y[:1200]), (X[1200:], y[1200:]), Patches(max_size=3), "sqrt")


def methods(problem: Problem, n_trees: int) -> dict[str, ForestClassifier]:
    """Return the three forests to compare."""

    def forest(projections: Projections, max_features: MaxFeatures) -> ForestClassifier:
        return ForestClassifier(
            n_trees, projections=projections, max_features=max_features, n_jobs=-1, random_state=0
        )  # fmt: skip

    return {
        "RF": forest(Axis(), "sqrt"),
        "SPORF": forest(Sparse(), "sqrt"),
        "MORF": forest(problem.patches, problem.max_features),
    }


def measure(problem: Problem, forest: ForestClassifier) -> str:
    """Fit and test a forest; return a row of the table."""
    begin = time.perf_counter()
    forest.fit(*problem.train)
    fitted = time.perf_counter()
    error = 1 - forest.score(*problem.test)
    done = time.perf_counter()
    return f"{error:8.4f} {fitted - begin:8.2f} {done - fitted:10.2f} {forest.n_nodes_.mean():15.1f}"


def draw_importances(forests: dict[str, ForestClassifier], problem: Problem, path: Path) -> None:
    """Draw the mean digit beside the importances of each forest, all over the same grid."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(11, 3.2), layout="constrained")
    image = axes[0].imshow(problem.train[0].mean(axis=0), cmap="Greys")
    axes[0].set_title("mean digit")
    figure.colorbar(image, ax=axes[0], shrink=0.8, label="gray value")
    maps = {name: forest.importance("gain").reshape(8, 8) for name, forest in forests.items()}
    top = max(importance.max() for importance in maps.values())
    for ax, (name, importance) in zip(axes[1:], maps.items(), strict=True):
        image = ax.imshow(importance, cmap="cividis", vmin=0, vmax=top)
        ax.set_title(f"{name}: error {1 - forests[name].score(*problem.test):.3f}")
    figure.colorbar(image, ax=axes[1:], shrink=0.8, label="share of the impurity decrease")
    for ax in axes:
        ax.set(xticks=[0, 7], yticks=[0, 7], xlabel="column")
    axes[0].set_ylabel("row")
    write_atomic(path, lambda file: figure.savefig(file, dpi=150, format=path.suffix[1:].lower()))


def check_figure(path: Path) -> None:
    """Make the folder of the figure; raise an error, before any work, if the figure cannot be written."""
    if path.suffix.lower() not in _FIGURES:
        raise ValueError(f"figure={quoted(str(path))}: expected a file name that ends in {', '.join(_FIGURES)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    check_place(path)


def main(n_trees: int = 200, figure: Path = FIGURE) -> None:
    """Print the table and draw the figure."""
    drawn = find_spec("matplotlib") is not None
    if drawn:
        check_figure(figure)
    print(f"{'problem':8} {'rows':>5} {'method':6} {'error':>8} {'fit s':>8} {'predict s':>10} {'nodes per tree':>15}")
    for problem in problems():
        forests = methods(problem, n_trees)
        for name, forest in forests.items():
            n = len(problem.train[0])
            print(f"{problem.name:8} {n:5} {name:6} {measure(problem, forest)}", flush=True)
    if not drawn:
        print('\nNo figure: it needs matplotlib; run `pip install "foliation[plot]"`.')
        return
    draw_importances(forests, problem, figure)
    print(f"\nFigure of the importances in the digits: {printable(figure)}")


if __name__ == "__main__":
    main()
