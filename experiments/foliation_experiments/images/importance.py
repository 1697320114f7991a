"""Figure 5, bottom, of the MORF paper: which pixels tell threes from fives, and how much of it is noise."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from foliation_experiments.classes.contenders import FORESTS, forest
from foliation_experiments.classes.problems import DRAWS, TREES
from foliation_experiments.harness.data import MNIST, Rows
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.images.digits import some_of_each
from foliation_experiments.images.importance_figure import figures
from foliation_experiments.images.importance_page import FAINT, KINDS, MEANS, page
from foliation_experiments.images.mnist import MORF

LABELS = (3, 5)
N_EACH = 100
METHODS = {**FORESTS, "MORF": MORF}

Map = NDArray[np.float64]


def runs(scale: Scale) -> list[Run]:
    n, problem = N_EACH * len(LABELS), "threes and fives"
    methods = (MEANS, *METHODS)
    return [Run("figure", problem, method, n, seed) for seed in range(DRAWS[scale]) for method in methods]


def images(seed: int) -> tuple[Rows, Rows]:
    return some_of_each(LABELS, N_EACH, seed)


def maps(method: str, seed: int, scale: Scale) -> dict[str, Map]:
    """Return the importance of every pixel, by its kind; sums are one."""
    X, y = images(seed)
    if method == MEANS:
        apart = np.abs(X[y == LABELS[0]].mean(axis=0) - X[y == LABELS[1]].mean(axis=0))
        return dict.fromkeys(KINDS, apart / apart.sum())
    fitted = forest({"n_estimators": TREES[scale], **METHODS[method]}, seed).fit(X, y)
    return {kind: fitted.importance(kind) for kind in KINDS}


def measure(run: Run) -> dict[str, float]:
    """Return how rough the maps are, and what they have on pixels without ink and on those that seldom have any."""
    X, _ = images(run.seed)
    inked = (X > 0).mean(axis=0)
    found = {"pixels empty": float(np.mean(inked == 0)), "pixels faint": float(np.mean(inked <= FAINT))}
    for kind, shares in maps(run.method, run.seed, run.scale).items():
        found[f"{kind} roughness"] = roughness(shares)
        found[f"{kind} empty"] = float(shares[inked == 0].sum())
        found[f"{kind} faint"] = float(shares[inked <= FAINT].sum())
    return found


def roughness(shares: Map) -> float:
    """Return the total variation over the sum: 0 if all pixels are equal, 4 for single pixels far apart."""
    steps = sum(np.abs(np.diff(shares, axis=axis)).sum() for axis in (0, 1))
    return float(steps / shares.sum())


EXPERIMENT = Experiment(
    name="importance",
    about="Pixels that tell threes from fives, by the forests that found them (MORF, figure 5, bottom).",
    runs=runs,
    measure=measure,
    page=page,
    figures=partial(figures, images, maps),
    minutes={"quick": 0.2, "full": 1},
    data=(MNIST,),
)
