"""Series by their official splits: projections="series" beside forests of intervals and a nearest neighbor."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from foliation_experiments.classes.contenders import FORESTS, Options, forest
from foliation_experiments.classes.learning import score
from foliation_experiments.harness.data import Split
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.harness.worker import ask
from foliation_experiments.presets import aeon_worker
from foliation_experiments.presets.held_out import SERIES, series
from foliation_experiments.presets.series_page import figures, page

OURS: dict[str, Options] = {"ours": {"projections": "series"}, "MORF": {"projections": "patches"}, **FORESTS}
AEON = ("TSF", "CIF", "1NN-DTW")
ENVIRONMENT = "aeon"
N_TREES = 500
SEEDS: dict[Scale, int] = {"full": 5, "quick": 1}


def runs(scale: Scale) -> list[Run]:
    return [
        Run("official split", problem, method, 0, seed)
        for method in (*OURS, *AEON)
        for problem in SERIES
        for seed in range(1 if method == "1NN-DTW" else SEEDS[scale])
    ]


def measure(run: Run) -> dict[str, float]:
    """Return the accuracy on the official test rows, and the seconds of fit and predict."""
    X, y, n_train = series(run.problem)
    split = Split(X[:n_train], y[:n_train], X[n_train:], y[n_train:])
    if run.method in AEON:
        return _by_aeon(run, split)
    found = score(forest({"n_estimators": N_TREES, **OURS[run.method]}, run.seed), split)
    return {"accuracy": 1.0 - found.pop("error"), **found}


def _by_aeon(run: Run, split: Split) -> dict[str, float]:
    """Fit in the environment of aeon, whose pins are not ours."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "split.npz"
        np.savez(path, **split._asdict())
        task = {"name": run.method, "path": str(path), "seed": run.seed}
        return ask(ENVIRONMENT, [aeon_worker.__file__], task)


EXPERIMENT = Experiment(
    name="series",
    about='Seven problems of the UCR and UEA archives: projections="series" beside classifiers of aeon.',
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 5, "full": 15},
    data=tuple(f"series/{name}.npz" for name in SERIES),
    environments=(ENVIRONMENT,),
)
