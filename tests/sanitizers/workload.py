"""What is run from Python with a sanitizer in the module (see the script `run` beside this file).

Every family and kind of forest on one thread and on three, trees that threads share, forests that grow, model files as
they are and damaged, read and mapped, and all that a forest can be asked. With ``leaks`` as an argument, memory that
nothing refers to any longer ends it; with ``threads``, only what threads share is run, and longer.
"""

from __future__ import annotations

import ctypes
import re
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
from foliation.data.arrays import Array

CORE = Path(__file__).resolve().parents[2] / "core"
N_DAMAGED = 600


def every_kind(n_jobs: int) -> None:
    """Fit every family with every kind of forest on one thread and on several, which must give the same bits."""
    for name in fits.NAMES:
        assert fits.fingerprint(fits.fit(name)) == fits.fingerprint(fits.fit(name, n_jobs)), name


def shared_trees(n_fits: int) -> None:
    """Fit one tree or two with four threads, which steal parts of them from each other, and predict with as many."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(16_000, 4)).astype(np.float32)
    targets = rows[:, 0] + rng.normal(size=len(rows))
    clusters = rows[:6000] + 3 * np.sign(rows[:6000])  # so that the first cut of a geodesic tree is in the middle
    for seed in range(n_fits):
        classifier = fo.ForestClassifier(1, random_state=seed, n_jobs=4, honest=seed % 2 == 1)
        regressor = fo.ForestRegressor(2, projections="axis", random_state=seed, n_jobs=4)
        geodesic = fo.GeodesicForest(1, random_state=seed, n_jobs=4)
        classifier.fit(rows, targets > 0).predict(rows)
        regressor.fit(rows[:6000], targets[:6000]).predict(rows)
        geodesic.fit(clusters).kneighbors(n_neighbors=3)
        assert_offloads(classifier, rows)
        assert_offloads(regressor, rows[:6000])
        assert_offloads(geodesic, clusters)


def assert_offloads(forest: Any, rows: Array) -> None:
    """Assert that the first tree was so large that the worker that grew it offloaded a part to an idle one.

    It does so once two siblings that are both split wait for it, each with ``least_part`` structure samples or more. Of
    four workers two at least are idle from the start: there are more workers than trees.
    """
    header = (CORE / "growth" / "grower.h").read_text()
    (least_part,) = re.findall(r"least_part = (\d+);", header)
    drawn = np.unique(forest.estimators_samples_[0])
    n_structure = len(drawn) * forest.model_.sampling.structure_share
    n_in_pair = largest_pair(forest, rows[drawn]) * n_structure
    assert n_in_pair > 1.1 * int(least_part), f"{forest}: {n_in_pair:.0f} samples"


def largest_pair(forest: Any, rows: Array) -> float:
    """Return the share of the rows in the smaller of two siblings that are both split: the most in the first tree."""
    arrays = forest.model_.trees.arrays()
    n_splits = arrays["split_start"][1]
    children = arrays["children"].reshape(-1, 2)[:n_splits]
    in_leaf = np.bincount(forest.apply(rows)[:, 0], minlength=n_splits + 1) / len(rows)
    in_split = np.zeros(n_splits)
    for split in reversed(range(n_splits)):  # children come after their parents
        in_split[split] = sum(in_split[child] if child >= 0 else in_leaf[~child] for child in children[split])
    pairs = in_split[children[(children >= 0).all(axis=1)]]
    return float(pairs.min(axis=1).max(initial=0.0))


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
