"""Growth: a pure function of a plan, the rows and a range of trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import numpy as np

from foliation import _core
from foliation.data.arrays import Array
from foliation.data.rows import Rows
from foliation.model.model import Model, TrainingRows
from foliation.model.plan import FitPlan, ModelSpec
from foliation.model.trees import DTYPES, Trees, concatenate
from foliation.parameters import same
from foliation.warn import warn

Tick = Callable[[int], bool]  # told the number of trees done; returns whether to stop
GrowTrees = Callable[[FitPlan, Rows, range], Trees]


def grow(plan: FitPlan, rows: Rows, trees: range, machine: _core.Machine, tick: Tick | None = None) -> Trees:
    """Grow a range of trees; the same bits on any number of threads, processes and machines."""
    core_plan = _core.Plan(
        plan.dictionary,
        _core.Scale(plan.max_abs, plan.whole),
        plan.targets.core(),
        plan.core_sampling,
        plan.rules.core(),
    )
    grown = _core.grow(core_plan, _cells(plan, rows, machine), (trees.start, trees.stop), machine, tick)
    return Trees(**{name: getattr(grown, name) for name in DTYPES})


def _cells(plan: FitPlan, rows: Rows, machine: _core.Machine) -> Array:
    """Return the rows, or their views: those that ``prepare`` computed, or anew where only the plan was sent."""
    if plan.views is None:
        return rows.values
    cells = rows.views.get((plan.views, plan.view_exponents.tobytes()))
    return plan.views.cells(rows.values, plan.view_exponents, machine) if cells is None else cells


def training_rows(plan: FitPlan, rows: Rows) -> TrainingRows:
    """Return what is known of the training rows after a fit."""
    return TrainingRows(rows.values, {"hashes": plan.digests})


def model_of(spec: ModelSpec, trees: Trees, training: TrainingRows) -> Model:
    """Return the model of a plan, or of another model, with these trees."""
    shared = {shared.name: getattr(spec, shared.name) for shared in fields(ModelSpec)}
    model = Model(**shared, trees=trees, training=training)
    made = {name: value for name, value in vars(spec).items() if name in ("dictionary", "views", "core_sampling")}
    vars(model).update(made)  # which takes longer than a row to predict
    return model


def add_trees(plan: FitPlan, rows: Rows, n_trees: int, prior: Model | None, grow_trees: GrowTrees) -> Model:
    """Return a model of so many trees: all of them new, or those of a model that ``warm_start`` continues and more."""
    training = training_rows(plan, rows)
    if prior is None:
        model = model_of(plan, grow_trees(plan, rows, range(n_trees)), training)
        if plan.targets.kind == "nothing" and not len(model.trees.threshold):
            _warn_of_one_leaf(plan, n_trees)
        return model
    check_same(prior, plan)
    if prior.n_trees > n_trees:
        raise ValueError(f"n_estimators={n_trees} is below the {prior.n_trees} trees grown so far by warm_start")
    if prior.n_trees == n_trees:
        warn("warm_start without a larger n_estimators grows no new trees")
        return model_of(prior, prior.trees, training)
    more = grow_trees(plan, rows, range(prior.n_trees, n_trees))
    return model_of(prior, concatenate([prior.trees, more]), training)


def check_same(prior: Model, plan: FitPlan) -> None:
    """Raise ValueError unless trees of this plan are trees of the same forest."""
    described = {
        "rows of the same shape": (prior.grid.shape, plan.grid.shape),
        "the same projections": (prior.projections, plan.projections),
        "targets with the same classes and outputs": (prior.targets.schema, plan.targets.schema),
        "the same rows, weights, groups, bootstrap and max_samples": (vars(prior.sampling), vars(plan.sampling)),
        "the same rows": ((prior.fingerprint, prior.max_abs), (plan.fingerprint, plan.max_abs)),
        "the same targets": (prior.targets.y, plan.targets.y),
        "the same honest_prior": (prior.leaf_prior, plan.leaf_prior),
    }
    for what, (before, now) in described.items():
        if not same(before, now):
            raise ValueError(f"warm_start=True adds trees to a fitted forest and needs {what} as in the first fit")
    if not prior.targets.n_outputs and prior.criterion != plan.criterion:
        raise ValueError(f'warm_start=True needs criterion="{prior.criterion}" as in the first fit')


def _warn_of_one_leaf(plan: FitPlan, n_trees: int) -> None:
    least = max(plan.rules.min_samples_split, 2 * plan.rules.min_samples_leaf)
    n_drawn = max(len(np.unique(plan.core_sampling.rows(tree))) for tree in range(n_trees))
    few = f"nodes of fewer than {least} rows are not split" if n_drawn < least else "no legal cut parts its rows"
    warn(f"all {plan.sampling.n_rows} rows of X are in one leaf: {few}")
