"""The task of a worker, its outcome, and what a contender must be able to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Outcome = dict[str, Any]


@dataclass(frozen=True)
class Patch:
    """Sizes of patches on a grid, lowest and highest along each axis."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    wrap: bool = False


@dataclass(frozen=True)
class Serving:
    """Processes that load one stored model, and threads of each that predict one row after the other."""

    processes: int
    threads: int  # of each process
    calls: int  # of all threads together, at most
    seconds: float  # at most


@dataclass(frozen=True)
class Task:
    """One measurement: which contender on which data, and how."""

    runner: str
    folder: str  # with X_train, y_train, X_test, y_test as .npy
    trees: int
    candidates: int
    threads: int = 2
    seed: int = 0
    measure: str = "fit"  # or "small_fits", "mapped", "neighbors", "serving"
    repeats: int = 1  # fits in a row, for "small_fits"
    latency: bool = False  # whether to time one row as well
    shape: tuple[int, ...] = ()  # of a row
    patch: Patch | None = None
    serving: Serving | None = None
    options: dict[str, Any] = field(default_factory=dict)  # further arguments of the forests, by scikit-learn's names
    neighbors: int = 50  # of each row, for "neighbors"
    nonzeros: float = 1.5  # features of a sparse candidate, before empty ones are made up for

    @staticmethod
    def from_json(fields: dict[str, Any]) -> Task:
        patch = fields.pop("patch", None)
        sizes = patch and Patch(tuple(patch["low"]), tuple(patch["high"]), patch["wrap"])
        serving = fields.pop("serving", None)
        shape = tuple(fields.pop("shape", ()))
        return Task(**fields, shape=shape, patch=sizes, serving=serving and Serving(**serving))

    def patch_sizes(self) -> Patch:
        """Return the sizes of patches; raise ValueError if the workload has none."""
        if self.patch is None:
            raise ValueError(f"{self.runner} needs patch sizes, but the workload has patch=None")
        return self.patch


@dataclass(frozen=True)
class Counts:
    """What a fitted forest looks like; None where it cannot be known."""

    trees: int
    splits: int | None = None
    leaves: int | None = None
    row_splits: float | None = None  # sum over splits of the distinct in-bag rows that pass them
    visits: float | None = None  # sum over test rows and trees of the splits passed
    node_bytes: float | None = None  # bytes stored for a split
    model_bytes: float | None = None


@dataclass(frozen=True)
class Candidates:
    """Candidates that a node tries, and the share of them that is empty and cannot split anything."""

    asked: int
    empty: float
    how: str  # "counted" from draws, or "derived" from the documented rule
    at_least: bool = False  # whether candidates that are constant in a node come on top

    @property
    def effective(self) -> float:
        return self.asked * (1.0 - self.empty)


def highest(model: Any, predicted: Array) -> Array:
    """Return the label of the highest score, or the predictions if they are labels."""
    labels: Array = predicted.argmax(axis=1) if predicted.ndim == 2 else predicted
    return labels


def _dump(model: Any, path: str) -> None:
    import joblib

    joblib.dump(model, path)


def _load_mapped(path: str) -> Any:
    import joblib

    return joblib.load(path, mmap_mode="r")


@dataclass(frozen=True)
class Runner:
    """How one contender is given data, fitted, used for predictions and inspected."""

    package: str
    prepare: Callable[[Array], Any]  # X in the form it likes best; not timed
    fit: Callable[[Task, Any, Array], Any]
    predict: Callable[[Any, Any], Array]  # class scores, labels, or leaves; timed
    count: Callable[[Any, Any, Any], Counts]  # model, training rows, test rows
    candidates: Callable[[Task, Array], Candidates]
    labels: Callable[[Any, Array], Array] | None = highest  # from what was predicted; None: it knows of none
    for_test: Callable[[Any, Any], Any] = lambda model, rows: rows  # a last preparation that needs the model
    one_row: Callable[[Any, Any], Callable[[], Any]] | None = None  # a call that predicts the first row
    neighbors: Callable[[Any, Any, int], Array] | None = None  # model, its training rows, how many of each
    save: Callable[[Any, str], object] = _dump
    load: Callable[[str], Any] = _load_mapped  # shares memory with other processes where the package can


def flat32(X: Array) -> NDArray[np.float32]:
    """Rows as contiguous float32, which most peers would make of them anyway."""
    return np.ascontiguousarray(X.reshape(len(X), -1), dtype=np.float32)
