"""Error against the number of training rows: what the experiments on simulated classes have in common."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from foliation_experiments.classes.contenders import FORESTS, OTHERS, Options, convnet, forest, other
from foliation_experiments.classes.convnet import Layers
from foliation_experiments.classes.figures import learning_figure
from foliation_experiments.classes.learning_page import page
from foliation_experiments.classes.problems import DRAWS, SIZES, TREES, simulated
from foliation_experiments.harness.data import Split
from foliation_experiments.harness.experiment import Experiment, Run, Scale

VARIANTS = ("003", "weights uniform")  # parts that are run when asked for


@dataclass(frozen=True)
class Contest:
    """What is fitted to the rows of one problem, beside the classifiers that need no settings."""

    forests: Mapping[str, Options]  # "MORF" among them
    layers: Layers  # of the ConvNet
    variants: Mapping[str, Options] = field(default_factory=dict)  # MORF in another form, by the part of its runs

    def methods(self) -> tuple[str, ...]:
        """Return all of them, the slowest last."""
        return (*FORESTS, *self.forests, *OTHERS, "ConvNet")


def learning_curve(name: str, about: str, contests: Mapping[str, Contest], minutes: dict[Scale, float]) -> Experiment:
    """Return the experiment that fits every method to growing numbers of rows of some problems."""
    variants = [part for part in VARIANTS if any(part in contest.variants for contest in contests.values())]
    forests = {name: options for contest in contests.values() for name, options in contest.forests.items()}
    return Experiment(
        name=name,
        about=about,
        runs=partial(runs, contests),
        measure=partial(measure, contests),
        page=partial(page, forests),
        figures=partial(learning_figure, name),
        minutes=minutes,
        needs=("torch", "xgboost"),
        variants=tuple(variants),
    )


def runs(contests: Mapping[str, Contest], scale: Scale) -> list[Run]:
    everything = product(contests.items(), SIZES, range(DRAWS[scale]))
    found = [
        Run(part, problem, method, n, seed)
        for (problem, contest), n, seed in everything
        for part, methods in {"figure": contest.methods(), **dict.fromkeys(contest.variants, ("MORF",))}.items()
        for method in methods
    ]
    return sorted(found, key=lambda run: run.method == "ConvNet")


def measure(contests: Mapping[str, Contest], run: Run) -> dict[str, float]:
    """Return the error on test rows, and the seconds that fit and predict took."""
    return score(classifier(contests[run.problem], run), simulated(run))


def classifier(contest: Contest, run: Run) -> Any:
    """Return the classifier of a run, not fitted."""
    if run.method in OTHERS:
        return other(run.method, run.seed)
    if run.method == "ConvNet":
        return convnet(contest.layers, run.seed)
    options = {**FORESTS, **contest.forests}[run.method] if run.part == "figure" else contest.variants[run.part]
    return forest({"n_estimators": TREES[run.scale], **options}, run.seed)


def score(estimator: Any, split: Split) -> dict[str, float]:
    """Fit to the rows to train on and return the error on those to test on."""
    classes, codes = np.unique(split.y, return_inverse=True)  # a draw may lack a class, and XGBoost wants all numbers
    begin = time.perf_counter()
    estimator.fit(split.X, codes)
    fitted = time.perf_counter()
    error = float(np.mean(classes[estimator.predict(split.X_test)] != split.y_test))
    return {"error": error, "fit seconds": fitted - begin, "predict seconds": time.perf_counter() - fitted}
