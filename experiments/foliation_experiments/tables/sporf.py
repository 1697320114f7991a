"""SPORF beside RF and XGBoost: the simulations of its paper, and the tables that its authors kept."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

from foliation import simulations
from foliation_experiments.classes.contenders import FORESTS, forest, other
from foliation_experiments.classes.learning import score
from foliation_experiments.classes.problems import DRAWS, TEST_ROWS, TREES
from foliation_experiments.harness.data import Split, data_file
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.tables.sporf_figures import figures
from foliation_experiments.tables.sporf_page import page
from foliation_experiments.tables.tuning import tuned

_DECADES = (10, 100, 1000, 10_000)
SIMULATIONS: dict[str, tuple[Any, tuple[int, ...]]] = {  # what draws rows, and how many are trained on
    "sparse parity": (simulations.sparse_parity, (1000, 5000, 10_000)),
    "orthant": (simulations.orthant, (400, 2000, 4000)),
    "trunk, p = 10": (partial(simulations.trunk, n_features=10), _DECADES),
    "trunk, p = 100": (partial(simulations.trunk, n_features=100), _DECADES),
}
_SMALL = ("hill_valley", "ionosphere", "musk_1", "synthetic_control")
_LARGE = ("image_segmentation", "letter", "pendigits", "ringnorm", "semeion", "spambase", "statlog_landsat")
TABLES: dict[Scale, tuple[str, ...]] = {
    "full": (*_SMALL, *_LARGE, "steel_plates", "twonorm", "waveform_noise"),
    "quick": _SMALL,
}
METHODS = ("RF", "SPORF", "RF, tuned", "SPORF, tuned", "XGB 100")
FOLDS = 5  # a seed is a fold; each five seeds are one cross-validation


def runs(scale: Scale) -> list[Run]:
    drawn = [
        Run("simulations", problem, method, n, seed)
        for problem, (_, sizes) in SIMULATIONS.items()
        for n, seed, method in product(sizes if scale == "full" else sizes[:-1], range(DRAWS[scale]), METHODS)
    ]
    everything = product(TABLES[scale], range(DRAWS[scale]), METHODS)
    return [*drawn, *(Run("tables", problem, method, 0, seed) for problem, seed, method in everything)]


def measure(run: Run) -> dict[str, float]:
    """Return the error on test rows, and what tuning chose."""
    split = simulated(run) if run.part == "simulations" else fold(run)
    trees = {"n_estimators": TREES[run.scale]}
    if run.method == "XGB 100":
        return score(other(run.method, run.seed), split)
    if run.method in FORESTS:
        return score(forest({**trees, **FORESTS[run.method]}, run.seed), split)
    chosen = tuned(run.method.removesuffix(", tuned"), run.part, split, run.seed)
    found = score(forest({**trees, **chosen}, run.seed), split)
    nonzeros = getattr(chosen["projections"], "nonzeros", 1.0)
    return {**found, "candidates": float(chosen["max_features"]), "nonzeros": nonzeros}


def simulated(run: Run) -> Split:
    """Draw the rows of a run: the first of those that all sizes of its seed share, and others to test on."""
    draw, sizes = SIMULATIONS[run.problem]
    X, y = draw(sizes[-1], random_state=np.random.default_rng([run.seed, 0]))
    n = int(run.at)
    return Split(X[:n], y[:n], *draw(TEST_ROWS[run.scale], random_state=np.random.default_rng([run.seed, 1])))


def fold(run: Run) -> Split:
    """Return one fold of a table; every five seeds have folds of their own."""
    with np.load(data_file(f"tabular/{run.problem}.npz"), allow_pickle=False) as found:
        X, y = found["X"], found["y"]
    repeat, number = divmod(run.seed, FOLDS)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
    train, test = list(folds.split(X, y))[number]
    return Split(X[train], y[train], X[test], y[test])


EXPERIMENT = Experiment(
    name="sporf",
    about="Errors of SPORF, RF and XGBoost on sparse parity, orthants, Trunk's problem and 14 tables (SPORF).",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 2, "full": 30},
    needs=("xgboost",),
    data=("tabular/sporf_paper_errors.csv", *(f"tabular/{name}.npz" for name in TABLES["full"])),
)
