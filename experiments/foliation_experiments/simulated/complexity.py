"""How deep and how large the trees of RF, SPORF and MORF are."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from foliation_experiments.classes.contenders import FORESTS, forest
from foliation_experiments.classes.problems import DRAWS, SIZES, TREES, simulated
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.simulated import bars, circle, impulse
from foliation_experiments.simulated.complexity_page import figures, page

_MORF = {
    "circle": circle.CONTEST.forests["MORF"],
    "bars": bars.CONTEST.forests["MORF"],
    "impulse": impulse.CONTEST.forests["MORF"],
}


def runs(scale: Scale) -> list[Run]:
    everything = product(_MORF, SIZES, range(DRAWS[scale]), (*FORESTS, "MORF"))
    return [Run("figure", problem, method, n, seed) for problem, n, seed, method in everything]


def measure(run: Run) -> dict[str, float]:
    """Return the depths and the leaves of a forest."""
    options = FORESTS.get(run.method) or _MORF[run.problem]
    rows = simulated(run)
    return shape(forest({"n_estimators": TREES[run.scale], **options}, run.seed).fit(rows.X, rows.y))


def shape(fitted: Any) -> dict[str, float]:
    """Return the largest depth of a leaf, the mean depth of all leaves and their number."""
    depths = np.concatenate([fitted.tree(number).leaf_depths() for number in range(fitted.n_estimators)])
    return {"max depth": float(depths.max()), "mean leaf depth": float(depths.mean()), "leaves": float(len(depths))}


EXPERIMENT = Experiment(
    name="complexity",
    about="Depths and leaves of forests of RF, SPORF and MORF against training rows (MORF, figure 3).",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 1, "full": 6},
)
