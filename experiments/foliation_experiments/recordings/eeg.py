"""Raw EEG, as in figure S2 of the MORF paper: hands that are about to move, and hands that are thought to."""

from __future__ import annotations

from typing import Any

import numpy as np

from foliation_experiments.classes.contenders import FORESTS, Options, convnet, forest, other
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.problems import TREES
from foliation_experiments.classes.roc import mean_of, roc, scores
from foliation_experiments.harness.data import Rows, Split
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.recordings.eeg_page import figures, page
from foliation_experiments.recordings.outcome import morf
from foliation_experiments.recordings.patterns import pattern_classifier
from foliation_experiments.recordings.redrawn import NEGATIVE, POSITIVE
from foliation_experiments.recordings.trials import ACROSS, FILES, FINGERS, IMAGERY, OFFICIAL, RATES, WITHIN, splits

OURS: Options = {"projections": "channels"}
LAYERS = Layers(channels=(32, 64, 64), windows=(3, 3, 3), hidden=64, dropout=0.0)
METHODS = ("MORF", "ours", "SPORF", "RF", "MLP", "CSP + LR", "ConvNet")
PARTS = {OFFICIAL: FINGERS, ACROSS: IMAGERY, WITHIN: IMAGERY}
SEEDS: dict[Scale, int] = {"full": 10, "quick": 2}  # of one split, and subjects
NETS: dict[Scale, int] = {"full": 6, "quick": 1}  # seeds of the ConvNet on one split: the fewest that can differ
MEANS = {FINGERS: 1, IMAGERY: 16}  # neighboring samples of which the ConvNet sees the mean


def runs(scale: Scale) -> list[Run]:
    everything = [
        Run(part, problem, method, 0, seed)
        for method in METHODS
        for part, problem in PARTS.items()
        for seed in range(SEEDS[scale])
    ]
    slow = [run for run in everything if run.method == "ConvNet" and run.part == OFFICIAL]
    return [run for run in everything if run not in slow[NETS[scale] :]]


def measure(run: Run) -> dict[str, float]:
    """Return the ROC curve, the mean over folds if there are several; of one split also the scores of all rows."""
    found = []
    for split in splits(run.part, run.problem, run.seed):
        leaning = fitted_scores(run, split)
        found.append(roc(split.y_test, leaning))
    by_row = rows_of(split.y_test, leaning) if run.part == OFFICIAL else {}
    return {**mean_of(found), **by_row}


def fitted_scores(run: Run, split: Split) -> Rows:
    X, X_test = split.X, split.X_test
    if run.method == "ConvNet":
        X, X_test = (means(rows, MEANS[run.problem]) for rows in (X, X_test))
    return scores(classifier(run, X.shape[1:]).fit(X, split.y), X_test)


def classifier(run: Run, shape: tuple[int, ...]) -> Any:
    """Return the classifier of a run, not fitted."""
    if run.method == "MLP":
        return other(run.method, run.seed)
    if run.method == "ConvNet":
        return convnet(LAYERS, run.seed)
    if run.method == "CSP + LR":
        return pattern_classifier(RATES[run.problem])
    options = {**FORESTS, "MORF": morf(shape, contiguous=(False, True)), "ours": OURS}[run.method]
    return forest({"n_estimators": TREES[run.scale], **options}, run.seed)


def means(X: Rows, n: int) -> Rows:
    """Return the means of every n neighboring times; a rest at the end is left out."""
    whole = X.shape[2] // n * n
    return np.asarray(X[:, :, :whole].reshape(*X.shape[:2], -1, n).mean(axis=3))


def rows_of(y: Rows, leaning: Rows) -> dict[str, float]:
    """Return the scores of all rows by class, so that rows can be drawn again."""
    names = {1: POSITIVE, 0: NEGATIVE}
    return {f"{names[c]}{i}": float(score) for c in names for i, score in enumerate(np.asarray(leaning)[y == c])}


EXPERIMENT = Experiment(
    name="eeg",
    about="Left or right hand from raw EEG, with one split and with ten subjects: AUROC (MORF, figure S2).",
    runs=runs,
    measure=measure,
    page=page,
    figures=figures,
    minutes={"quick": 3, "full": 25},
    needs=("torch",),
    data=tuple(FILES.values()),
)
