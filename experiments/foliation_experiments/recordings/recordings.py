"""Recordings of subjects with one of two outcomes: simulated, or read from a user's file, and split by subject."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from foliation.simulations import surgical_outcome

_ARRAYS = ("X", "y", "subject")
_FEWEST = 5  # subjects of each outcome
_TRAINED = 0.6  # share of the subjects that are trained on


class Recordings(NamedTuple):
    """Rows by times of each recording, its outcome as 0 or 1, and the number of its subject."""

    X: NDArray[Any]
    y: NDArray[np.int64]
    subject: NDArray[np.int64]

    def outcomes(self) -> NDArray[np.int64]:
        """Return the outcome of each subject."""
        return self.y[np.unique(self.subject, return_index=True)[1]]


def recordings(path: Path | None) -> Recordings:
    """Return what a file holds, or without one the simulated cohort, which is always the same."""
    return Recordings(*surgical_outcome(random_state=0)) if path is None else read(path)


def checksum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()[:12]


def split(found: Recordings, seed: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which recordings are trained on and which are tested on: no subject is in both."""
    outcomes = found.outcomes()
    divide = StratifiedShuffleSplit(1, train_size=_TRAINED, random_state=seed)
    trained, tested = next(divide.split(outcomes, outcomes))
    return np.isin(found.subject, trained), np.isin(found.subject, tested)


def read(path: Path) -> Recordings:
    """Read X (n, rows, times), y (n,) and subject (n,) from an .npz; raise ValueError for other files."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in _ARRAYS if name in file}
    except FileNotFoundError:
        raise ValueError(f"cannot read {path}: no such file") from None
    except (OSError, ValueError, BadZipFile, TypeError, AttributeError):
        raise ValueError(f"cannot read {path}: expected an .npz file of plain arrays") from None
    _check_arrays(path, arrays)
    classes, y = np.unique(arrays["y"], return_inverse=True)
    recordings = Recordings(arrays["X"], y, np.unique(arrays["subject"], return_inverse=True)[1])
    _check_outcomes(path, recordings, len(classes), arrays["subject"])
    return recordings


def _check_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> None:
    for name in _ARRAYS:
        if name not in arrays:
            raise ValueError(f"{path} has no array {name}: expected X (n, rows, times), y (n,) and subject (n,)")
    X, y, subject = (arrays[name] for name in _ARRAYS)
    if X.ndim != 3 or X.size == 0 or X.dtype.kind not in "fiu":
        raise ValueError(f"{path}: X is {X.dtype} of shape {X.shape}: expected numbers of shape (n, rows, times)")
    for name, array in (("y", y), ("subject", subject)):
        if array.shape != (len(X),):
            raise ValueError(f"{path}: {name} has shape {array.shape}: expected ({len(X)},), one for each recording")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{path}: {name} contains NaN or infinity")


def _check_outcomes(path: Path, recordings: Recordings, n_classes: int, names: NDArray[Any]) -> None:
    if n_classes != 2:
        raise ValueError(f"{path}: y has {n_classes} classes: expected two outcomes")
    mixed = recordings.y != recordings.outcomes()[recordings.subject]
    if mixed.any():
        raise ValueError(f"{path}: the subject {names[mixed][0]} has recordings with both outcomes: expected one")
    fewest = int(np.bincount(recordings.outcomes(), minlength=2).min())
    if fewest < _FEWEST:
        raise ValueError(f"{path} has {fewest} subjects of one outcome: expected at least {_FEWEST} of each")
