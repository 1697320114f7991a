"""What is computed from the training rows, such as their leaves: found when something needs it, and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

import numpy as np

from foliation._core import Machine, Samples
from foliation.data.arrays import Array, Floats, Hashes, Ints
from foliation.data.row_hash import ROW_HASHES
from foliation.model.model import Model, TrainingRows
from foliation.model.predict import cells_of, leaf_ids
from foliation.printable import quoted
from foliation.validation import is_one_of

RowSet = Literal["all", "in_bag", "oob"]

_LOST = (
    "this needs the training rows, which pickles and copies of large forests leave out; forest.remember(X) with the "
    "training rows finds what is needed of them, and keeps it"
)
_LIGHT = 16e6  # bytes that a file may always take for the training rows
_LIGHT_SHARE = 0.25  # of the bytes of the trees, which it may take, too


def training_leaves(model: Model, machine: Machine) -> Ints:
    """Return the leaves of the training rows, (trees, n)."""
    return _known(model, ["leaves"], machine)["leaves"]


def training_digests(model: Model, machine: Machine) -> Hashes:
    """Return a number for each training row, by which it is recognized."""
    return _known(model, ["hashes"], machine)["hashes"]


def oob_means(model: Model, machine: Machine) -> Floats:
    """Return the training rows' leaf values, averaged over the trees that did not draw them; NaN if all did."""
    if model.sampling.estimate_out_of_bag:
        raise ValueError('honest_fill="oob" fills leaves with the rows out of the bag: none are left to predict')
    return _known(model, ["oob"], machine)["oob"]


def digests_of(model: Model, rows: Array, machine: Machine) -> Hashes:
    """Return the digests of any rows, as those of the training rows were made."""
    return ROW_HASHES[model.row_hash].digests(rows, machine)


def count_training_rows(model: Model, rows: Array, machine: Machine) -> int:
    """Return how many rows equal training rows; 0 if nothing is known of these."""
    known = model.training.cached.get("hashes")
    return 0 if known is None else int(np.isin(digests_of(model, rows, machine), known).sum())


def _oob_means(model: Model, rows: Array, machine: Machine) -> Floats:
    cells = cells_of(model, rows, machine)
    return model.router.predict_oob(cells, model.core_sampling, model.targets.n_columns, machine)


_FIND: dict[str, Callable[[Model, Array, Machine], Array]] = {
    "leaves": leaf_ids,
    "hashes": digests_of,
    "oob": _oob_means,
}


def _known(model: Model, names: Iterable[str], machine: Machine) -> dict[str, Array]:
    """Return what is known of the training rows; find in them what is missing, and keep it."""
    cached = model.training.cached
    if not cached.keys() >= set(names):
        find(model, _unchanged_rows(model, machine), names, machine)
    return cached


def find(model: Model, rows: Array, names: Iterable[str], machine: Machine) -> None:
    """Find what is not known of the training rows in the rows themselves, which are unchanged."""
    cached = model.training.cached
    cached.update({name: _FIND[name](model, rows, machine) for name in names if name not in cached})


def _unchanged_rows(model: Model, machine: Machine) -> Array:
    rows = model.training.rows
    if rows is None:
        raise ValueError(_LOST)
    if not _are_training_rows(model, rows, machine):
        raise ValueError("the training rows were changed in place since the fit; forest.remember(X) takes a copy")
    return rows


def _are_training_rows(model: Model, rows: Array, machine: Machine) -> bool:
    return ROW_HASHES[model.row_hash].fingerprint(rows, machine) == model.fingerprint


def remember(model: Model, rows: Array | None, machine: Machine) -> Model:
    """Return the model with all that is ever needed of its training rows."""
    names = _names(model, with_oob=True)
    if rows is None:
        _known(model, names, machine)
        return model
    if len(rows) != (n := model.sampling.n_rows):
        raise ValueError(f"X has {len(rows)} rows; this forest was fitted on {n}")
    if not _are_training_rows(model, rows, machine):
        raise ValueError("X are not the rows that this forest was fitted on, or not in the same order")
    model = replace(model, training=TrainingRows(rows, dict(model.training.cached)))
    find(model, rows, names, machine)
    return model


def stored(model: Model, machine: Machine) -> Model:
    """Return the model as files and pickles hold it: without rows, with what is known of them or cheap to find."""
    copy = replace(model, training=TrainingRows(None, dict(model.training.cached)))
    rows, names = model.training.rows, _cheap(model)
    is_missing = not copy.training.cached.keys() >= set(names)
    if rows is not None and is_missing and _are_training_rows(model, rows, machine):
        find(copy, rows, names, machine)
    return copy


def _cheap(model: Model) -> list[str]:
    """Return what files hold of the training rows even if nothing has needed it yet."""
    return _names(model, with_oob=_is_light(model, with_oob=True)) if _is_light(model) else []


def _names(model: Model, *, with_oob: bool) -> list[str]:
    """Return what can be computed from the training rows, with the out-of-bag predictions or without them."""
    has_oob = bool(model.targets.n_columns) and not model.sampling.estimate_out_of_bag
    return ["leaves", "hashes", *(["oob"] if with_oob and has_oob else [])]


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
    if not is_one_of(kind, ("all", "in_bag", "oob")):
        raise ValueError(f'rows={quoted(kind)} is unknown; it must be "all", "in_bag" or "oob"')
    if kind == "all":
        return np.empty(0, np.uint64)
    bits = model.core_sampling.membership(model.n_trees, kind == "oob", machine.n_threads)
    if not bits.any():
        raise ValueError("no row is out of the bag: fit with bootstrap=True, or max_samples below n")
    return bits
