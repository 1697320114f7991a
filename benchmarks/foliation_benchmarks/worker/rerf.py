"""rerf's patch forest (S-RerF). It prints the number of its leaves on its standard output only."""

from __future__ import annotations

import os
import re
import tempfile
from functools import partial
from typing import Any

import numpy as np

from .contract import Array, Candidates, Counts, Runner, Task

_LEAVES = re.compile(r"num leaf nodes:\s*(\d+)")


def _grid(task: Task) -> dict[str, int]:
    patch, shape = task.patch_sizes(), task.shape
    lead = [1] * (2 - len(shape))
    names = ("image_{}", "patch_{}_min", "patch_{}_max")
    sizes = ([*lead, *sides] for sides in (shape, patch.low, patch.high))
    return {
        name.format(side): int(size)
        for name, pair in zip(names, sizes, strict=True)
        for side, size in zip(("height", "width"), pair, strict=True)
    }


def _fit(task: Task, X: Array, y: Array) -> Any:
    from rerf.rerfClassifier import rerfClassifier

    forest = rerfClassifier(
        "S-RerF",
        n_estimators=task.trees,
        max_features=task.candidates,
        n_jobs=task.threads,
        random_state=task.seed + 1,
        **_grid(task),
    )
    with tempfile.TemporaryFile() as said:
        kept = os.dup(1)
        os.dup2(said.fileno(), 1)
        try:
            forest.fit(X, y)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        said.seek(0)
        forest.said = said.read().decode(errors="replace")
    return forest


def leaves_said(text: str) -> int | None:
    match = _LEAVES.search(text)
    return int(match.group(1)) if match else None


def _count(forest: Any, train: Array, test: Array) -> Counts:
    leaves = leaves_said(forest.said)
    return Counts(forest.n_estimators, leaves and leaves - forest.n_estimators, leaves)


def runner() -> Runner:
    return Runner(
        "rerf",
        prepare=lambda X: np.ascontiguousarray(X.reshape(len(X), -1), dtype=np.float64),  # else copied at each call
        fit=_fit,
        predict=lambda forest, X: np.asarray(forest.predict(X)),
        count=_count,
        candidates=lambda task, X: Candidates(task.candidates, 0.0, "derived"),
        one_row=lambda forest, X: partial(forest.predict, X[:1]),
    )
