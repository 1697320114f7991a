"""Growth with a progress bar, or with scikit-learn's callbacks."""

from __future__ import annotations

from typing import Any

from foliation.data.rows import Rows
from foliation.estimators.progress import ProgressBar
from foliation.machine import n_threads
from foliation.model.grow import grow
from foliation.model.model import Model
from foliation.model.plan import FitPlan
from foliation.model.trees import Trees, concatenate


def grow_with_progress(plan: FitPlan, rows: Rows, trees: range) -> Trees:
    bar = ProgressBar(len(trees))
    try:
        return grow(plan, rows, trees, bar)
    finally:
        bar.close()


def grow_with_callbacks(forest: Any, plan: FitPlan, rows: Rows, trees: range) -> Trees:
    """Grow as many trees at a time as there are threads, telling scikit-learn's callbacks of each."""
    given = {"estimator": forest, "X": rows.values, "y": plan.targets.y}
    context = forest._init_callback_context(max_subtasks=len(trees))
    context.call_on_fit_task_begin(**given)
    step = n_threads(plan.n_jobs)
    parts: list[Trees] = []
    stop = False
    for first in trees[::step]:
        some = range(first, min(first + step, trees.stop))
        tasks = [context.subcontext(task_name="tree") for _ in some]
        for task in tasks:
            task.call_on_fit_task_begin(**given)
        parts = [concatenate([*parts, grow(plan, rows, some)])]
        state = {"model_": Model.of(plan, parts[0], rows.values)}
        for task in tasks:
            stop |= task.call_on_fit_task_end(**given, reconstruction_attributes=state)
        if stop:
            break
    context.call_on_fit_task_end(**given)
    return parts[0]
