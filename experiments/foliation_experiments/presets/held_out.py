"""What settings are searched on: rows of official training sets, divided again; no test set is ever touched."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import RepeatedStratifiedKFold

from foliation_experiments.classes.problems import DRAW
from foliation_experiments.harness import data
from foliation_experiments.harness.data import Rows, Split
from foliation_experiments.recordings import trials

DIGITS = "digits, 8 x 8"
MNIST = {"MNIST, 1,000": 1000, "MNIST, 5,000": 5000}  # images to train on
SERIES = ("ACSF1", "ArrowHead", "BasicMotions", "GunPoint", "ItalyPowerDemand", "JapaneseVowels_eq", "OSULeaf")
SIMULATED = {"lds, code": 400, "channels": 400}  # rows to train on
PROBLEMS = {
    "image": (DIGITS, *MNIST),
    "series": SERIES,
    "channels": (trials.FINGERS, trials.IMAGERY, "BasicMotions", "JapaneseVowels_eq", *SIMULATED),
}
FILES = (data.MNIST, *(f"series/{name}.npz" for name in SERIES), *trials.FILES.values())
FOLDS, REPEATS = 5, 2
_N_HELD_OUT = 5000  # images, or simulated rows


class Official(NamedTuple):
    """All rows of a problem, and how many of the first are to train on."""

    X: Rows
    y: Rows
    n_train: int


@cache
def series(name: str) -> Official:
    with np.load(data.data_file(f"series/{name}.npz"), allow_pickle=False) as file:
        return Official(file["X"], file["y"].astype(np.int64), int(file["n_train"]))


def held_out(problem: str, seed: int) -> Split:
    """Divide the training rows of a problem: the seed is the number of the fold, of the draw, or of the subject."""
    if problem in SIMULATED:
        rng = np.random.default_rng([seed, 2])
        return Split(
            *DRAW[problem](SIMULATED[problem], random_state=rng), *DRAW[problem](_N_HELD_OUT, random_state=rng)
        )
    if problem in MNIST:
        return _images(MNIST[problem], seed)
    if problem == trials.IMAGERY:
        return trials.splits(trials.ACROSS, problem, seed)[0]
    return _fold(*_training_rows(problem), seed)


def _training_rows(problem: str) -> tuple[Rows, Rows]:
    if problem == DIGITS:
        found = load_digits()
        return found.images.astype(np.uint8), found.target
    if problem == trials.FINGERS:
        split = trials.splits(trials.OFFICIAL, problem, 0)[0]
        return split.X, split.y
    X, y, n_train = series(problem)
    return X[:n_train], y[:n_train]


def _fold(X: Rows, y: Rows, seed: int) -> Split:
    folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=0)
    trained, tested = list(folds.split(np.zeros(len(y)), y))[seed]
    return Split(X[trained], y[trained], X[tested], y[tested])


def _images(n: int, seed: int) -> Split:
    X, y, _, _ = data.mnist_images()
    ids = np.random.default_rng([seed, 1]).permutation(len(y))
    trained, tested = ids[:n], ids[-_N_HELD_OUT:]
    return Split(X[trained], y[trained], X[tested], y[tested])
