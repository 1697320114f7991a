"""The fields of a model file, and the checks that what is read makes a model."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from foliation import _core
from foliation.data.arrays import Array, Ints
from foliation.data.row_hash import CRC32, ROW_HASHES
from foliation.data.rows import Grid
from foliation.data.targets import Kind, Targets
from foliation.io.claims import check_claims
from foliation.model.model import Model, TrainingRows
from foliation.model.sampling import Sampling
from foliation.model.trees import DTYPES, Trees
from foliation.projections import Projections
from foliation.projections.family import MAX_AXES, dictionary_of
from foliation.projections.views import LARGEST_EXPONENT

_MOST = 2**31 - 1  # rows, features, draws
_MISSING = object()


@dataclass(frozen=True)
class Field:
    """The type of a field, and its value in files that were written before it was added."""

    kind: type | tuple[type, ...]
    default: Any = _MISSING


# A new field has a default, so that files without it can still be read.
FIELDS: dict[str, Field] = {
    "row_shape": Field(tuple),
    "seed": Field(int),
    "row_hash": Field(str, CRC32),
    "fingerprint": Field(int),
    "max_abs": Field(float),
    "projections": Field(Projections),
    "sampling": Field(dict),
    "targets": Field(np.ndarray),
    "classes": Field(list),
    "one_dimensional": Field(bool),
    "leaf_prior": Field(str),
    "view_exponents": Field(np.ndarray),
    "trees": Field(dict),
    "training": Field(dict),
    "criterion": Field(str),
    "feature_names": Field((np.ndarray, type(None)), None),
    "oob_score": Field((float, type(None)), None),
    "screened": Field((np.ndarray, type(None)), None),
}
_SAMPLING = {
    "n_rows": Field(int),
    "n_draws": Field(int),
    "bootstrap": Field(bool),
    "balanced_subsample": Field(bool),
    "structure_share": Field(float),
    "estimate_out_of_bag": Field(bool),
    "weights": Field(np.ndarray),
    "groups": Field(np.ndarray),
}
assert list(_SAMPLING) == [one.name for one in fields(Sampling)]


@dataclass(frozen=True)
class Stored:
    """The contents of a file: an estimator's name and parameters, and the fields of its model."""

    estimator: str
    parameters: dict[str, Any]
    state: dict[str, Any] = field(default_factory=dict)
    newer: bool = False  # the file is of a newer minor version
    n_bytes: int = 0  # of the file

    def model(self, learns: Kind) -> Model:
        """Return the model; raise ValueError for fields that do not fit each other or the size of the file."""
        model = _model(_complete("the model", self.state, FIELDS), learns)
        check_claims(model, self.n_bytes)
        return model


def state_of(model: Model) -> dict[str, Any]:
    """Return the fields that the rest of a model follows from."""
    return {
        "row_shape": model.grid.shape,
        "seed": model.seed,
        "row_hash": model.row_hash,
        "fingerprint": model.fingerprint,
        "max_abs": model.max_abs,
        "projections": model.projections,
        "sampling": dict(vars(model.sampling)),
        "targets": model.targets.y,
        "classes": model.targets.classes,
        "one_dimensional": model.targets.one_dimensional,
        "leaf_prior": model.leaf_prior,
        "view_exponents": model.view_exponents,
        "trees": model.trees.arrays(),
        "training": model.training.cached,
        "criterion": model.criterion,
        "feature_names": model.feature_names,
        "oob_score": model.oob_score,
        "screened": model.screened,
    }


def _require(holds: bool, error: str) -> None:
    if not holds:
        raise ValueError(error)


def _complete(owner: str, given: dict[str, Any], schema: dict[str, Field]) -> dict[str, Any]:
    """Return the known fields, with defaults for those that are missing; fields of newer versions are ignored."""
    _require(isinstance(given, dict), f"{owner} has no fields")
    complete = {name: given.get(name, one.default) for name, one in schema.items()}
    for name, value in complete.items():
        _require(value is not _MISSING, f"missing field {name!r} of {owner}")
        is_bool = isinstance(value, bool) and schema[name].kind is int
        _require(isinstance(value, schema[name].kind) and not is_bool, f"invalid type of the field {name!r}")
    return complete


def _model(state: dict[str, Any], learns: Kind) -> Model:
    grid = _grid(state["row_shape"])
    sampling = _sampling(state["sampling"], learns)
    targets = Targets(learns, _table(state["targets"]), state["one_dimensional"], state["classes"])
    _check_targets(targets, sampling.n_rows)
    _require(math.isfinite(state["max_abs"]) and state["max_abs"] >= 0, "invalid max_abs")
    _require(0 <= state["seed"] < 2**64 and 0 <= state["fingerprint"] < 2**64, "invalid seed or fingerprint")
    _require(state["row_hash"] in ROW_HASHES, _unknown_hash(state["row_hash"]))
    _require(state["leaf_prior"] in _core.HonestPrior.__members__, "unknown leaf_prior")
    views = state["projections"].views_on(grid)
    dictionary = dictionary_of(state["projections"], grid, views)
    trees = _trees(dictionary, targets, state["trees"])
    cached = _training(state["training"], trees, sampling.n_rows, targets.n_columns)
    _require(state["oob_score"] is None or "oob" in cached, "missing out-of-bag predictions")
    model = Model(
        grid=grid,
        feature_names=_names(state["feature_names"], grid.n_features),
        projections=state["projections"],
        targets=targets,
        sampling=sampling,
        seed=state["seed"],
        max_abs=state["max_abs"],
        view_exponents=_exponents(state["view_exponents"], 0 if views is None else len(views.names)),
        row_hash=state["row_hash"],
        fingerprint=state["fingerprint"],
        criterion=state["criterion"],
        leaf_prior=state["leaf_prior"],
        screened=_screened(state["screened"], grid.n_features),
        trees=trees,
        training=TrainingRows(None, cached),
        oob_score=state["oob_score"],
    )
    vars(model)["dictionary"] = dictionary  # made once: it was needed to check the trees
    return model


def _unknown_hash(name: str) -> str:
    return f"unknown row_hash {name[:40]!r}; expected one of {', '.join(ROW_HASHES)}"


def _grid(shape: tuple[Any, ...]) -> Grid:
    sides = all(type(side) is int and side >= 1 for side in shape) and 1 <= len(shape) <= MAX_AXES
    _require(sides and math.prod(shape) <= _MOST, "invalid row_shape")
    return Grid(shape, flat=len(shape) == 1)


def _check_array(name: str, array: Any, dtype: type, shape: tuple[int, ...]) -> None:
    fits = isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == shape
    _require(fits, f"invalid type or shape of {name}")


def _sampling(stored: dict[str, Any], learns: Kind) -> Sampling:
    sampling = Sampling(**_complete("the sampling", stored, _SAMPLING))
    _require(not sampling.balanced_subsample or learns == "classes", "balanced_subsample without classes")
    n, groups, weights = sampling.n_rows, sampling.groups, sampling.weights
    _require(1 <= n <= _MOST and 1 <= sampling.n_draws <= _MOST, "invalid n_rows or n_draws")
    _require(0 < sampling.structure_share <= 1, "invalid structure_share")
    _check_array("weights", weights, np.float64, (n if len(weights) else 0,))
    _check_array("groups", groups, np.int32, (n if len(groups) else 0,))
    with np.errstate(over="ignore"):
        _require(bool(np.isfinite(weights.sum()) and (weights >= 0).all()), "invalid weight of a row")
    _require(not len(weights) or bool(weights.any()), "all weights are zero")
    n_units = n
    if len(groups):
        n_units = int(groups.max()) + 1
        _require(groups.min() >= 0 and len(np.unique(groups)) == n_units, "groups are not numbered from 0")
    _require(sampling.bootstrap or sampling.n_draws <= n_units, "n_draws is larger than the number of rows")
    if sampling.is_honest:
        n_weighted = n_units
        if len(weights):
            n_weighted = len(np.unique(groups[weights > 0])) if len(groups) else int(np.count_nonzero(weights))
        _require(min(sampling.n_draws, n_weighted) >= 2, "honest trees with fewer than two rows")
    return sampling


def _table(targets: Array) -> Array:
    _require(targets.ndim == 2 and targets.shape[1] <= _MOST, "targets are not a table")
    return targets


def _check_targets(targets: Targets, n_rows: int) -> None:
    """Check that targets are such as this kind of forest learns from."""
    learns = targets.kind
    _require(bool(targets.classes) == (learns == "classes"), "classes do not fit the estimator")
    _require((targets.n_outputs > 0) == (learns != "nothing"), "targets do not fit the estimator")
    _require(targets.n_outputs == 1 or not targets.one_dimensional or learns == "nothing", "targets are not one column")
    shape = (n_rows if learns != "nothing" else 0, targets.n_outputs)
    _check_array("targets", targets.y, np.int32 if targets.classes else np.float64, shape)
    if not targets.classes:
        _require(bool(np.isfinite(targets.y).all()), "a target is not finite")
        return
    _require(len(targets.classes) == targets.n_outputs, "the number of outputs and of lists of classes differ")
    first = 0
    for labels, codes in zip(targets.classes, targets.y.T, strict=True):
        _require(isinstance(labels, np.ndarray) and labels.ndim == 1 and len(labels) > 0, "invalid list of classes")
        _require(len(np.unique(labels)) == len(labels), "two classes are the same")
        _require(bool(((codes >= first) & (codes < first + len(labels))).all()), "a target is not one of the classes")
        first += len(labels)


def _exponents(exponents: Array, n_views: int) -> Ints:
    _check_array("view_exponents", exponents, np.int32, (n_views,))
    most = int(np.abs(exponents.astype(np.int64)).max(initial=0))
    _require(most <= LARGEST_EXPONENT, "invalid scale of a view")
    return exponents


def _trees(dictionary: _core.Dictionary, targets: Targets, arrays: dict[str, Any]) -> Trees:
    _require(DTYPES.keys() <= arrays.keys(), "missing arrays of trees")
    for name, types in DTYPES.items():
        array = arrays[name]
        fits = isinstance(array, np.ndarray) and array.ndim == 1 and any(array.dtype == one for one in types)
        _require(fits, f"invalid type or shape of {name}")
    trees = Trees(**{name: arrays[name] for name in DTYPES})
    _core.check_trees(_core.Trees(**trees.arrays()), dictionary, targets.n_columns, targets.class_start)
    _require(trees.n_trees > 0, "there are no trees")
    return trees


def _training(stored: dict[str, Any], trees: Trees, n_rows: int, n_columns: int) -> dict[str, Array]:
    """Return what was computed from the training rows; what only newer versions know is left out."""
    expected: dict[str, tuple[type, tuple[int, ...]]] = {
        "leaves": (np.int32, (trees.n_trees, n_rows)),
        "hashes": (np.uint64, (n_rows,)),
        "oob": (np.float64, (n_rows, n_columns)),
    }
    cached = {name: array for name, array in stored.items() if name in expected}
    for name, array in cached.items():
        _check_array(name, array, *expected[name])
    if "leaves" in cached:
        leaves = cached["leaves"]
        _require(bool(((leaves >= 0) & (leaves < trees.n_leaves[:, None])).all()), "invalid leaf of a training row")
    return cached


def _names(names: Array | None, n_features: int) -> Array | None:
    if names is not None:
        _check_array("feature_names", names, object, (n_features,))
        _require(all(isinstance(name, str) for name in names), "a feature name is not text")
    return names


def _screened(screened: Array | None, n_features: int) -> Array | None:
    if screened is not None:
        _check_array("screened", screened, np.bool_, (n_features,))
    return screened
