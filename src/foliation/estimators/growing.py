"""Growth with a progress bar, or with scikit-learn's callbacks."""

from __future__ import annotations

from typing import Any, Protocol

from foliation._core import Machine
from foliation.data.rows import Rows
from foliation.estimators.progress import ProgressBar
from foliation.model.grow import grow, model_of, training_rows
from foliation.model.plan import FitPlan
from foliation.model.trees import Trees, concatenate


class CallbackForest(Protocol):
    """An estimator to which scikit-learn has attached callbacks."""

    def _init_callback_context(self, *, max_subtasks: int) -> Any: ...


def grow_with_progress(plan: FitPlan, rows: Rows, trees: range, machine: Machine) -> Trees:
    bar = ProgressBar(len(trees))
    try:
        return grow(plan, rows, trees, machine, bar)
    finally:
        bar.close()


def grow_with_callbacks(forest: CallbackForest, plan: FitPlan, rows: Rows, trees: range, machine: Machine) -> Trees:
    """Grow as many trees at a time as there are threads, telling scikit-learn's callbacks of each."""
    given = {"estimator": forest, "X": rows.values, "y": plan.targets.y}
    context = forest._init_callback_context(max_subtasks=len(trees))
    context.call_on_fit_task_begin(**given)
    step = machine.n_threads
    parts: list[Trees] = []
    stop = False
    for first in trees[::step]:
        some = range(first, min(first + step, trees.stop))
        tasks = [context.subcontext(task_name="tree") for _ in some]
        for task in tasks:
            task.call_on_fit_task_begin(**given)
        parts = [concatenate([*parts, grow(plan, rows, some, machine)])]
        state = {"model_": model_of(plan, parts[0], training_rows(plan, rows))}
        for task in tasks:
            stop |= task.call_on_fit_task_end(**given, reconstruction_attributes=state)
        if stop:
            break
    context.call_on_fit_task_end(**given)
    return parts[0]
