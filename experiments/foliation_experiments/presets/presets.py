"""The search behind "image", "series" and "channels": held-out scores of each, and of what differs in one thing."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import roc_auc_score

from foliation import ForestClassifier
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.presets.held_out import FILES, FOLDS, PROBLEMS, REPEATS, held_out
from foliation_experiments.presets.page import figures, page
from foliation_experiments.presets.settings import SETTINGS
from foliation_experiments.recordings import trials

N_TREES = 200
SEEDS: dict[Scale, int] = {"full": FOLDS * REPEATS, "quick": 2}


def runs(scale: Scale) -> list[Run]:
    return [
        Run(part, problem, method, 0, seed)
        for part, problems in PROBLEMS.items()
        for problem in problems
        for method in SETTINGS[part]
        for seed in range(SEEDS[scale])
    ]


def measure(run: Run) -> dict[str, float]:
    """Return the accuracy on held-out rows, or the AUROC for EEG."""
    split = held_out(run.problem, run.seed)
    options = SETTINGS[run.part][run.method](split.X.shape[1:])
    forest = ForestClassifier(N_TREES, n_jobs=1, random_state=run.seed, **options).fit(split.X, split.y)
    proba = forest.predict_proba(split.X_test)
    if run.problem in trials.FILES:
        return {"score": float(roc_auc_score(split.y_test, proba[:, 1]))}
    return {"score": float(np.mean(forest.classes_[proba.argmax(axis=1)] == split.y_test))}


EXPERIMENT = Experiment(
    name="presets",
    about='What projections="image", "series" and "channels" should be: held-out scores on training sets alone.',
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 6, "full": 50},
    data=FILES,
)
