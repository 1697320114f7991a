"""How a long fit shows itself: a progress bar without dependencies, and scikit-learn's callbacks."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from foliation import rows
from foliation.trees import Arrays, joined


class ProgressBar:
    """Shows trees done and time left on standard error; call it with the number of trees done.

    Where that is no terminal, only the last line is written.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.width = max(3, min(30, shutil.get_terminal_size().columns - 40))
        self.moving = sys.stderr.isatty()
        self.begin = time.monotonic()
        self.done = 0

    def __call__(self, done: int) -> bool:
        self.done = done
        if self.moving:
            sys.stderr.write(f"\r{self}")
            sys.stderr.flush()
        return False

    def __str__(self) -> str:
        elapsed = time.monotonic() - self.begin
        time_left = f"{elapsed * (self.total - self.done) / self.done:.0f} s left" if self.done else ""
        note = f"{elapsed:.1f} s" if self.done >= self.total else time_left
        filled = self.width * self.done // max(1, self.total)
        return f"[{'#' * filled}{'.' * (self.width - filled)}] {self.done}/{self.total} trees {note:<12}"

    def close(self) -> None:
        sys.stderr.write("\n" if self.moving else f"{self}\n")
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
