"""How a long fit shows itself: a progress bar without dependencies, and scikit-learn's callbacks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from foliation import rows
from foliation.trees import Arrays, joined


class ProgressBar:
    """Shows trees done and time left; call it with the number of trees done."""

    def __init__(self, total: int, width: int = 30) -> None:
        self.total = total
        self.width = width
        self.begin = time.monotonic()

    def __call__(self, done: int) -> bool:
        elapsed = time.monotonic() - self.begin
        left = f"{elapsed * (self.total - done) / done:.0f} s left" if 0 < done < self.total else ""
        if done >= self.total:
            left = f"{elapsed:.1f} s"
        filled = self.width * done // max(1, self.total)
        bar = "#" * filled + "." * (self.width - filled)
        sys.stderr.write(f"\r[{bar}] {done}/{self.total} trees {left:<14}")
        sys.stderr.flush()
        return False

    def close(self) -> None:
        sys.stderr.write("\n")
        sys.stderr.flush()


def grow_with_callbacks(
    forest: Any, grow: Callable[..., Arrays], trees: range, X: NDArray[Any], y: NDArray[Any]
) -> Arrays:
    """Grow as many trees at a time as there are threads, telling scikit-learn's callbacks of each."""
    context = forest._init_callback_context(max_subtasks=len(trees))
    context.call_on_fit_task_begin(estimator=forest, X=X, y=y)
    step = rows.n_threads(forest.n_jobs)
    parts: list[Arrays] = []
    stop = False
    for first in trees[::step]:
        tasks = [context.subcontext(task_name="tree") for _ in range(min(step, trees.stop - first))]
        for task in tasks:
            task.call_on_fit_task_begin(estimator=forest, X=X, y=y)
        parts = [joined([*parts, grow(first, len(tasks), None)])]
        state = {k: v for k, v in vars(forest).items() if k.endswith("_")} | {"trees_": parts[0]}
        for task in tasks:
            stop |= task.call_on_fit_task_end(estimator=forest, X=X, y=y, reconstruction_attributes=state)
        if stop:
            break
    context.call_on_fit_task_end(estimator=forest, X=X, y=y)
    return parts[0]
