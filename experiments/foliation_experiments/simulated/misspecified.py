"""What MORF loses where the sizes of its patches do not fit the pattern.

A method is a range of patch sizes. The grid of ranges is fixed: part "optimum" searches it on many rows, part "ranges"
measures it on few, and which range is the optimum is read off the first when the page is made.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from foliation import Patches
from foliation_experiments.classes.contenders import Options, forest
from foliation_experiments.classes.learning import score
from foliation_experiments.classes.problems import DRAW, TREES
from foliation_experiments.harness.data import Split
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.simulated.misspecified_figure import figures
from foliation_experiments.simulated.misspecified_page import page

ROWS = {"optimum": 2000, "ranges": 500}
FOLDS = {"optimum": 5, "ranges": 10}
_DONE: dict[Scale, dict[str, int]] = {"full": FOLDS, "quick": {"optimum": 2, "ranges": 3}}  # folds that are run


def _widths(lows: tuple[int, ...], highs: tuple[int, ...], **more: Any) -> dict[str, Patches]:
    pairs = [(low, high) for high, low in product(highs, lows) if low <= high]
    return {f"{low}-{high}": Patches(min_size=low, max_size=high, **more) for low, high in pairs}


def _boxes(heights: tuple[tuple[int, int], ...], widths: tuple[tuple[int, int], ...]) -> dict[str, Patches]:
    return {
        f"{low}-{high} x {narrow}-{wide}": Patches(min_size=(low, narrow), max_size=(high, wide))
        for (narrow, wide), (low, high) in product(widths, heights)
    }


RANGES: dict[str, dict[str, Patches]] = {
    "circle": _widths((1, 3, 5), (4, 6, 8, 10, 12, 15, 20), wrap=True),
    "bars": _boxes(((1, 1), (2, 2), (1, 4)), ((1, 4), (2, 5), (2, 9), (2, 14))),
    "impulse": _widths((1, 2, 4), (4, 8, 12, 16, 24)),
}
_CANDIDATES = {"circle": 50, "bars": 28, "impulse": 30}


def runs(scale: Scale) -> list[Run]:
    return [
        Run(part, problem, method, 0, fold)
        for part, folds in _DONE[scale].items()
        for problem, ranges in RANGES.items()
        for method in ranges
        for fold in range(folds)
    ]


def measure(run: Run) -> dict[str, float]:
    """Return the accuracy on one fold."""
    patches = RANGES[run.problem][run.method]
    options: Options = {"projections": patches, "max_features": _CANDIDATES[run.problem]}
    found = score(forest({"n_estimators": TREES[run.scale], **options}, run.seed), fold_of(run))
    return {"accuracy": 1 - found.pop("error"), **found}


def fold_of(run: Run) -> Split:
    """Return one fold of the rows that all ranges of a part share."""
    X, y = DRAW[run.problem](ROWS[run.part], random_state=np.random.default_rng([list(ROWS).index(run.part), 0]))
    folds = StratifiedKFold(FOLDS[run.part], shuffle=True, random_state=0)
    train, test = list(folds.split(np.zeros(len(y)), y))[run.seed]
    return Split(X[train], y[train], X[test], y[test])


EXPERIMENT = Experiment(
    name="misspecified",
    about="Accuracy of MORF with patch sizes beside the best ones, relative to these (MORF, figure S3).",
    runs=runs,
    measure=measure,
    page=partial(page, ROWS, FOLDS),
    figures=figures,
    minutes={"quick": 2, "full": 10},
)
