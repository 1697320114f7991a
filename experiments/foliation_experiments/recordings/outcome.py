"""Figure 6 of the MORF paper: outcomes of surgery, on simulated recordings or on those of a user's file."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from foliation import Patches
from foliation_experiments.classes.contenders import FORESTS, Options, convnet, forest, other
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.problems import TREES
from foliation_experiments.classes.roc import roc, scores
from foliation_experiments.harness.data import Rows
from foliation_experiments.harness.experiment import Experiment, Run, Scale
from foliation_experiments.recordings.outcome_page import SIMULATED, figures, page
from foliation_experiments.recordings.recordings import Recordings, checksum, read, recordings, split

OURS: Options = {"projections": "channels"}
LAYERS = Layers(channels=(32, 32, 64), windows=(2, 5, 5), hidden=64, dropout=0.0)
OTHERS = ("XGB 100", "LR", "SVM", "MLP", "kNN")
METHODS = ("MORF", "ours", "SPORF", "RF", *OTHERS, "ConvNet")
SPLITS: dict[Scale, int] = {"full": 10, "quick": 3}


def runs(problem: str, scale: Scale) -> list[Run]:
    return [Run("figure", problem, method, 0, seed) for method in METHODS for seed in range(SPLITS[scale])]


def measure(path: Path | None, run: Run) -> dict[str, float]:
    """Return the ROC curve over the subjects that are tested on, and the area under that over their recordings."""
    found = recordings(path)
    trained, tested = split(found, run.seed)
    fitted = classifier(run, found.X.shape[1:]).fit(found.X[trained], found.y[trained])
    rest = Recordings(found.X[tested], found.y[tested], found.subject[tested])
    leaning = scores(fitted, rest.X)
    return {**roc(rest.outcomes(), by_subject(leaning, rest)), "auroc of recordings": roc(rest.y, leaning)["auroc"]}


def by_subject(leaning: Rows, rest: Recordings) -> Rows:
    """Return the mean score of each subject's recordings."""
    _, places = np.unique(rest.subject, return_inverse=True)
    return np.asarray(np.bincount(places, weights=leaning) / np.bincount(places))


def classifier(run: Run, shape: tuple[int, ...]) -> Any:
    """Return the classifier of a run, not fitted."""
    if run.method in OTHERS:
        return other(run.method, run.seed)
    if run.method == "ConvNet":
        return convnet(LAYERS, run.seed)
    options = {**FORESTS, "MORF": morf(shape), "ours": OURS}[run.method]
    return forest({"n_estimators": TREES[run.scale], **options}, run.seed)


def morf(shape: tuple[int, ...], **more: Any) -> Options:
    """Return the settings of table S2 for surgical outcomes: patches of up to the square root of each side."""
    return {"projections": Patches(min_size=1, max_size=tuple(int(np.sqrt(side)) for side in shape), **more)}


def of_file(path: Path) -> Experiment:
    """Return the experiment on the recordings of a file."""
    read(path)
    source = f"{path.name} (SHA-256 {checksum(path)})"
    return replace(
        EXPERIMENT,
        about=f"Outcomes of surgery in {path.name}: ROC curves and effect sizes (MORF, figure 6).",
        runs=partial(runs, source),
        measure=partial(measure, path.resolve()),
        source=source,
    )


EXPERIMENT = Experiment(
    name="outcome",
    about="Outcomes of surgery, simulated or from --data: ROC curves and effect sizes (MORF, figure 6).",
    runs=partial(runs, SIMULATED),
    measure=partial(measure, None),
    page=page,
    figures=figures,
    minutes={"quick": 3, "full": 7},
    needs=("torch", "xgboost"),
    of_file=of_file,
)
