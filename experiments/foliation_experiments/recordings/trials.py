"""EEG of hands that move or are thought to, and how its trials are divided."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from foliation_experiments.harness.data import Rows, Split, data_file

FINGERS, IMAGERY = "finger movements", "motor imagery"
FILES = {FINGERS: "eeg/FingerMovements.npz", IMAGERY: "eeg/physionet_mi_lr_64ch_S001_S010.npz"}
RATES = {FINGERS: 100.0, IMAGERY: 80.0}  # samples per second
OFFICIAL, ACROSS, WITHIN = "official split", "across subjects", "within subjects"
FOLDS = 5


class Trials(NamedTuple):
    """Channels by times of each trial, its class, and the group that it is in."""

    X: Rows
    y: Rows
    groups: NDArray[np.int64]  # subjects, or 0 for rows to train on and 1 for those to test on


@cache
def trials(problem: str) -> Trials:
    with np.load(data_file(FILES[problem]), allow_pickle=False) as file:
        X, y = file["X"], file["y"].astype(np.int64)
        if problem == IMAGERY:
            return Trials(X, y, file["subject"].astype(np.int64))
        return Trials(unrolled(X), y, (np.arange(len(y)) >= int(file["n_train"])).astype(np.int64))


def unrolled(X: Rows) -> Rows:
    """Return the channels that a row of windows holds, if that is what rows are.

    The archive's finger movements have 28 channels of 50 samples by their shape, but row c of a trial is a window of 50
    values that begins 28 c values into the trial: the end of each is the beginning of the next. Of the 806 values that
    are there, the first 800 are 16 whole channels.
    """
    n, channels, side = X.shape
    if not (channels < side and np.array_equal(X[:, :-1, channels:], X[:, 1:, : side - channels])):
        return X
    values = np.concatenate([X[:, :, :channels].reshape(n, -1), X[:, -1, channels:]], axis=1)
    whole = values.shape[1] // side
    return np.ascontiguousarray(values[:, : whole * side].reshape(n, whole, side))


def splits(part: str, problem: str, seed: int) -> list[Split]:
    """Return what is trained and tested on: the seed is the number of the subject, but with an official split."""
    found = trials(problem)
    if part == OFFICIAL:
        return [_split(found, found.groups == 0, found.groups == 1)]
    own = found.groups == np.unique(found.groups)[seed]
    if part == ACROSS:
        return [_split(found, ~own, own)]
    mine = np.flatnonzero(own)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(mine, found.y[mine])
    return [_split(found, mine[trained], mine[tested]) for trained, tested in folds]


def _split(found: Trials, trained: Rows, tested: Rows) -> Split:
    return Split(found.X[trained], found.y[trained], found.X[tested], found.y[tested])
