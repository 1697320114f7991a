"""What is run from Python with a sanitizer in the module (see the script `run` beside this file).

Every family and kind of forest on one thread and on three, trees that threads share, forests that grow, model files as
they are and damaged, read and mapped, and all that a forest can be asked. With ``leaks`` as an argument, memory that
nothing refers to any longer ends it; with ``threads``, only what threads share is run, and longer.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import fits
import golden
import mutated
import numpy as np

import foliation as fo
from foliation import _core

N_DAMAGED = 600


def every_kind(n_jobs: int) -> None:
    """Fit every family with every kind of forest on one thread and on several, which must give the same bits."""
    for name in fits.NAMES:
        assert fits.fingerprint(fits.fit(name)) == fits.fingerprint(fits.fit(name, n_jobs)), name


def shared_trees(n_fits: int) -> None:
    """Fit one tree with several threads, which steal parts of it from each other, and predict with as many."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(6000, 4)).astype(np.float32)
    targets = rows[:, 0] + rng.normal(size=len(rows))
    for seed in range(n_fits):
        for forest in (
            fo.ForestClassifier(1, random_state=seed, n_jobs=4, honest=seed % 2 == 1),
            fo.ForestRegressor(2, projections="axis", random_state=seed, n_jobs=4),
        ):
            forest.fit(rows, targets > 0 if isinstance(forest, fo.ForestClassifier) else targets).predict(rows)
        fo.GeodesicForest(1, random_state=seed, n_jobs=4).fit(rows[:1500]).kneighbors(n_neighbors=3)


def growing() -> None:
    """Add trees to a fitted forest twice."""
    forest = fo.ForestClassifier(2, projections="image", warm_start=True, oob_score=True, random_state=0, n_jobs=2)
    for n_trees in (2, 3, 9):
        forest.set_params(n_estimators=n_trees).fit(fits.ROWS, fits.CLASSES)
    assert forest.model_.trees.n_trees == 9


def files(folder: Path) -> None:
    """Load files of releases and of new forests, as they are and damaged, and ask the forests all they can be asked."""
    path, rng = folder / "model.fol", np.random.default_rng(0)
    for released in golden.FILES:
        golden.assert_predicts_as_written(released, fo.load(released))
    contents = []
    for make in mutated.FORESTS.values():
        make().save(path)
        contents.append(path.read_bytes())
        for mmap in (False, True):
            assert mutated.attempt(path, contents[-1], mmap=mmap).end == "loaded"
    for number in range(N_DAMAGED):
        damaged = mutated.mutant(contents[number % len(contents)], rng)
        mutated.attempt(path, damaged, mmap=number % 2 == 1)


def interrupted() -> None:
    """Stop a fit in the middle, as Ctrl-C does, and refuse rows that cannot be read."""
    forest = fo.ForestClassifier(100_000, random_state=0, n_jobs=2)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    with suppress(KeyboardInterrupt):
        forest.fit(fits.ROWS, fits.CLASSES)
        raise AssertionError("the fit ended by itself")
    for rows in (np.full((9, 3), np.nan), np.empty((0, 3)), np.zeros((9, 0))):
        with suppress(ValueError):
            forest.fit(rows, np.zeros(len(rows)))
            raise AssertionError(f"rows of shape {rows.shape} were accepted")


def lost_memory() -> None:
    """End the process with a report of memory that nothing refers to, if there is some."""
    check: Callable[[], Any] = ctypes.CDLL(None).__lsan_do_leak_check
    check()


def main(what: list[str]) -> None:
    assert "build/" in (_core.__file__ or ""), f"{_core.__file__} has no sanitizer"
    if "threads" in what:
        every_kind(n_jobs=4)
        shared_trees(n_fits=20)
        return
    with tempfile.TemporaryDirectory() as folder:
        files(Path(folder))
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    every_kind(n_jobs=3)
    shared_trees(n_fits=2)
    growing()
    interrupted()
    if "leaks" in what:
        lost_memory()


if __name__ == "__main__":
    main(sys.argv[1:])
