"""Leaves, hashes and out-of-bag predictions of the training rows: found when something needs them, and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from foliation._core import Machine, Samples
from foliation.data.arrays import Array, Data, Floats, Hashes, Ints
from foliation.data.rows import fingerprint, row_hashes
from foliation.model.model import Model, TrainingRows
from foliation.model.predict import cells_of, leaf_ids
from foliation.warn import warn

RowSet = Literal["all", "in_bag", "oob"]
Metric = Callable[..., float]  # of (truth, prediction)

_LOST = (
    "this needs the training rows, which pickles and copies of large forests leave out; forest.remember(X) with the "
    "training rows finds what is needed of them, and keeps it"
)
_LIGHT = 16e6  # bytes that a file may always take for the training rows
_LIGHT_SHARE = 0.25  # of the bytes of the trees, which it may take, too


def training_leaves(model: Model, machine: Machine) -> Ints:
    """Return the leaves of the training rows, (trees, n)."""
    return _cached(model, "leaves", lambda rows: leaf_ids(model, rows, machine))


def training_hashes(model: Model) -> Hashes:
    """Return a number for each training row, by which it is recognized."""
    return _cached(model, "hashes", row_hashes)


def oob_means(model: Model, machine: Machine) -> Floats:
    """Return the training rows' leaf values, averaged over the trees that did not draw them; NaN if all did."""
    if model.sampling.estimate_out_of_bag:
        raise ValueError('honest_fill="oob" fills leaves with the rows out of the bag: none are left to predict')
    return _cached(model, "oob", lambda rows: _oob_means(model, rows, machine))


def _oob_means(model: Model, rows: Array, machine: Machine) -> Floats:
    cells = cells_of(model, rows, machine)
    return model.router.predict_oob(cells, model.core_sampling, model.targets.n_columns, machine)


def with_oob_score(model: Model, y: Data, metric: Metric | bool, machine: Machine) -> Model:
    """Return the model with its score out of the bag: accuracy, R squared, or what a metric says."""
    mean = oob_means(model, machine)
    seen = np.asarray(np.isfinite(mean).all(axis=1))
    if not seen.all():
        warn(f"{int((~seen).sum())} rows have no out-of-bag prediction; more trees would give them one")
    if not seen.any():
        return replace(model, oob_score=float("nan"))
    targets = model.targets
    predicted = targets.labels(mean[seen]) if targets.classes else targets.outputs(mean[seen])
    truth = np.asarray(y).reshape(len(seen), *predicted.shape[1:])[seen]
    score = metric if callable(metric) else (_all_right if targets.classes else _r2)
    return replace(model, oob_score=float(score(truth, predicted)))


def _all_right(truth: Array, predicted: Array) -> float:
    """Return the share of rows of which all outputs are right."""
    return float((truth == predicted).reshape(len(truth), -1).all(axis=1).mean())


def _r2(truth: Array, predicted: Floats) -> float:
    from sklearn.metrics import r2_score  # takes long to import

    return float(r2_score(truth.astype(np.float64), predicted))


def _cached(model: Model, name: str, find: Callable[[Array], Array]) -> Array:
    """Return what is known, or find it in the training rows and keep it."""
    known = model.training
    if name not in known.cached:
        known.cached[name] = find(_unchanged_rows(model))
    return known.cached[name]


def _unchanged_rows(model: Model) -> Array:
    rows = model.training.rows
    if rows is None:
        raise ValueError(_LOST)
    if fingerprint(rows) != model.fingerprint:
        raise ValueError("the training rows were changed in place since the fit; forest.remember(X) takes a copy")
    return rows


def remember(model: Model, rows: Array | None, machine: Machine) -> Model:
    """Return the model with all that is ever needed of its training rows."""
    if rows is not None:
        if len(rows) != (n := model.sampling.n_rows):
            raise ValueError(f"X has {len(rows)} rows; this forest was fitted on {n}")
        if fingerprint(rows) != model.fingerprint:
            raise ValueError("X are not the rows that this forest was fitted on, or not in the same order")
        model = replace(model, training=TrainingRows(rows, dict(model.training.cached)))
    training_leaves(model, machine)
    training_hashes(model)
    if _has_oob(model):
        oob_means(model, machine)
    return model


def stored(model: Model, machine: Machine) -> Model:
    """Return the model as files and pickles hold it: without rows, with what is known of them or cheap to find."""
    known = model.training
    if _is_light(model) and known.rows is not None and fingerprint(known.rows) == model.fingerprint:
        copy = replace(model, training=TrainingRows(known.rows, dict(known.cached)))
        training_leaves(copy, machine)
        training_hashes(copy)
        if _has_oob(model) and _is_light(model, with_oob=True):
            oob_means(copy, machine)
        known = copy.training
    return replace(model, training=TrainingRows(None, dict(known.cached)))


def _has_oob(model: Model) -> bool:
    return bool(model.targets.n_columns) and not model.sampling.estimate_out_of_bag


def _is_light(model: Model, *, with_oob: bool = False) -> bool:
    """Return whether the leaves of the training rows are small, by themselves or beside the trees."""
    size = (4 * model.n_trees + (8 * model.targets.n_columns if with_oob else 0)) * model.sampling.n_rows
    return size <= max(_LIGHT, _LIGHT_SHARE * model.trees.n_bytes)


def structure_samples(model: Model, tree: int) -> Samples:
    """Return the rows by which a tree was grown, and their weights."""
    return model.core_sampling.structure_samples(tree, model.targets.core())


def estimation_samples(model: Model, tree: int) -> Samples:
    """Return the rows whose targets fill the leaves of a tree, and their weights."""
    return model.core_sampling.estimation_samples(tree, model.targets.core())


def membership(model: Model, kind: RowSet, machine: Machine) -> Hashes:
    """Return a bit per tree for each training row: whether it counts there. Empty if all rows count in all trees."""
    if kind not in ("all", "in_bag", "oob"):
        raise ValueError(f'rows={kind!r} is unknown; it must be "all", "in_bag" or "oob"')
    if kind == "all":
        return np.empty(0, np.uint64)
    bits = model.core_sampling.membership(model.n_trees, kind == "oob", machine.n_threads)
    if not bits.any():
        raise ValueError("no row is out of the bag: fit with bootstrap=True, or max_samples below n")
    return bits
