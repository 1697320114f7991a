"""What a file says of a fitted forest, and how a forest is put together again, once all of it fits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foliation import _core, spec
from foliation.forest import Given
from foliation.grid import MAX_AXES, Grid
from foliation.projections import Projections
from foliation.targets import Targets
from foliation.trees import Arrays
from foliation.views import LARGEST_EXPONENT

_MOST = 2**31 - 1  # rows, features, draws
_TREES: dict[str, tuple[type, ...]] = {
    "split_start": (np.int64,),
    "leaf_start": (np.int64,),
    "children": (np.int32,),
    "threshold": (np.float64,),
    "gain": (np.float32,),
    "gain_unit": (np.float64,),
    "atom_start": (np.int32, np.int64),
    "atom_words": (np.int16, np.int32),
    "value_start": (np.int64,),
    "value_column": (np.int32,),
    "value": (np.float64,),
    "leaf_weight": (np.float64,),
}
_SAMPLING = {
    "n_rows": int,
    "n_draws": int,
    "bootstrap": bool,
    "balanced_subsample": bool,
    "grow_share": float,
    "fill_out_of_bag": bool,
    "weights": np.ndarray,
    "groups": np.ndarray,
}
_ALWAYS = {
    "row_shape": tuple,
    "seed": int,
    "fingerprint": int,
    "max_abs": float,
    "projections": Projections,
    "sampling": dict,
    "targets": np.ndarray,
    "classes": list,
    "one_dimensional": bool,
    "leaf_prior": str,
    "view_exponents": np.ndarray,
    "trees": dict,
    "training": dict,
    "more": dict,
}
_MORE = {"feature_names_in_": np.ndarray, "oob_score_": float, "criterion_": str, "screened_": np.ndarray}


def state_of(forest: Any) -> dict[str, Any]:
    """Return what the rest of a fitted forest follows from."""
    return {
        "row_shape": forest.row_shape_,
        "seed": forest.seed_,
        "fingerprint": forest.fingerprint_,
        "max_abs": forest.max_abs_,
        "projections": forest.projections_,
        "sampling": forest.sampling_,
        "targets": forest.targets_,
        "classes": forest.target_kind_[2],
        "one_dimensional": forest.one_dimensional_,
        "leaf_prior": forest.leaf_prior_,
        "view_exponents": forest.view_exponents_,
        "trees": forest.trees_,
        "training": forest.training_,
        "more": {name: getattr(forest, name) for name in _MORE if hasattr(forest, name)},
    }


def restore(forest: Any, state: dict[str, Any]) -> None:
    """Make a forest with parameters a fitted one."""
    _check_kinds("the forest", state, _ALWAYS)
    grid = _grid(state["row_shape"])
    sampling = state["sampling"]
    targets = Targets(state["targets"], _n_outputs(state["targets"]), state["one_dimensional"], state["classes"])
    _check_sampling(sampling, forest._learns)
    _check_targets(forest, targets, sampling["n_rows"])
    _require(math.isfinite(state["max_abs"]) and state["max_abs"] >= 0, "the largest value is no size")
    _require(0 <= state["seed"] < 2**64 and 0 <= state["fingerprint"] < 2**64, "the seed or the fingerprint is none")
    _require(state["leaf_prior"] in spec.PRIORS, "the prior of leaves is unknown")
    projections = state["projections"]
    forest.seed_ = state["seed"]
    forest._record(Given(grid, projections, targets, sampling, (state["fingerprint"], state["max_abs"])))
    forest.leaf_prior_ = state["leaf_prior"]
    forest.n_features_in_ = grid.n_features
    forest._known_dictionary = projections, projections.dictionary(grid), projections.views_on(grid)
    forest.view_exponents_ = _exponents(forest, state["view_exponents"])
    forest.trees_ = _trees(forest, targets, state["trees"])
    forest._fit_rows, forest._derived = None, {}
    forest.training_ = _training(forest, state["training"])
    for name, value in _more(forest, grid, state["more"]).items():
        setattr(forest, name, value)
    if "oob_score_" in state["more"]:
        _require("oob" in forest.training_, "predictions out of the bag are missing")
        forest._keep_oob(forest.training_["oob"])


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def _check_kinds(owner: str, given: dict[str, Any], kinds: dict[str, type]) -> None:
    _require(isinstance(given, dict) and given.keys() == kinds.keys(), f"{owner} has other parts than it should")
    for name, kind in kinds.items():
        _require(isinstance(given[name], kind), f"{name} is of another kind")
        _require(kind is not int or not isinstance(given[name], bool), f"{name} is of another kind")


def _grid(shape: tuple[Any, ...]) -> Grid:
    sides = all(type(side) is int and side >= 1 for side in shape) and 1 <= len(shape) <= MAX_AXES
    _require(sides and math.prod(shape) <= _MOST, "the shape of rows is none")
    return Grid(shape, flat=len(shape) == 1)


def _check_array(name: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> None:
    fits = isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == shape
    _require(fits, f"{name} has another type or shape")


def _check_sampling(sampling: dict[str, Any], learns: str) -> None:
    _check_kinds("the draws of rows", sampling, _SAMPLING)
    _require(not sampling["balanced_subsample"] or learns == "classes", "there are no classes to balance")
    n, groups, weights = sampling["n_rows"], sampling["groups"], sampling["weights"]
    _require(1 <= n <= _MOST and 1 <= sampling["n_draws"] <= _MOST, "the number of rows or of draws is none")
    _require(0 < sampling["grow_share"] <= 1, "the share of rows that grow a tree is none")
    _check_array("weights", weights, np.float64, (n if len(weights) else 0,))
    _check_array("groups", groups, np.int32, (n if len(groups) else 0,))
    with np.errstate(over="ignore"):
        _require(bool(np.isfinite(weights.sum()) and (weights >= 0).all()), "a weight of a row is none")
    _require(not len(weights) or bool(weights.any()), "no row has a weight")
    n_units = n
    if len(groups):
        n_units = int(groups.max()) + 1
        _require(groups.min() >= 0 and len(np.unique(groups)) == n_units, "groups of rows are not numbered")
    _require(sampling["bootstrap"] or sampling["n_draws"] <= n_units, "more rows are drawn than there are")
    if sampling["grow_share"] < 1 or sampling["fill_out_of_bag"]:
        n_weighted = n_units
        if len(weights):
            n_weighted = len(np.unique(groups[weights > 0])) if len(groups) else np.count_nonzero(weights)
        _require(min(sampling["n_draws"], n_weighted) >= 2, "honest trees have fewer than two rows")


def _n_outputs(targets: NDArray[Any]) -> int:
    _require(targets.ndim == 2 and targets.shape[1] <= _MOST, "targets are no table")
    return int(targets.shape[1])


def _check_targets(forest: Any, targets: Targets, n_rows: int) -> None:
    """Check that targets are such as this kind of forest learns from."""
    learns = forest._learns
    _require(bool(targets.classes) == (learns == "classes"), "there are classes where there should be none, or none")
    _require((targets.n_outputs > 0) == (learns != "nothing"), "there are targets where there should be none, or none")
    _require(targets.n_outputs == 1 or not targets.one_dimensional or learns == "nothing", "targets are no column")
    shape = (n_rows if learns != "nothing" else 0, targets.n_outputs)
    _check_array("targets", targets.y, np.int32 if targets.classes else np.float64, shape)
    if not targets.classes:
        _require(bool(np.isfinite(targets.y).all()), "a target is not finite")
        return
    _require(len(targets.classes) == targets.n_outputs, "there are not classes for each output")
    first = 0
    for labels, codes in zip(targets.classes, targets.y.T, strict=True):
        _require(isinstance(labels, np.ndarray) and labels.ndim == 1 and len(labels) > 0, "classes are no list")
        _require(len(np.unique(labels)) == len(labels), "two classes are the same")
        _require(bool(((codes >= first) & (codes < first + len(labels))).all()), "a target is no class")
        first += len(labels)


def _exponents(forest: Any, exponents: NDArray[Any]) -> NDArray[np.int32]:
    views = forest._know()[2]
    _check_array("the scale of views", exponents, np.int32, (0 if views is None else len(views.names),))
    _require(
        not len(exponents) or int(np.abs(exponents.astype(np.int64)).max()) <= LARGEST_EXPONENT, "a view has no scale"
    )
    return exponents


def _trees(forest: Any, targets: Targets, trees: dict[str, Any]) -> Arrays:
    _require(trees.keys() == _TREES.keys(), "trees have other parts than they should")
    for name, types in _TREES.items():
        array = trees[name]
        fits = isinstance(array, np.ndarray) and array.ndim == 1 and any(array.dtype == one for one in types)
        _require(fits, f"{name} has another type or shape")
    class_start = targets.core()["class_start"] if targets.classes else np.empty(0, np.int32)
    _core.check_forest(forest._dictionary(), trees, targets.n_columns, class_start)
    _require(len(trees["split_start"]) > 1, "there are no trees")
    return trees


def _training(forest: Any, training: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """Check what is known of the training rows."""
    n, n_trees = forest.sampling_["n_rows"], forest._n_trees
    expected = {
        "leaves": (np.int32, (n_trees, n)),
        "hashes": (np.uint64, (n,)),
        "oob": (np.float64, (n, forest.n_columns_)),
    }
    _require(training.keys() <= expected.keys(), "there is something unknown of the training rows")
    for name, array in training.items():
        _check_array(name, array, *expected[name])
    if "leaves" in training:
        n_leaves = np.diff(forest.trees_["leaf_start"])[:, None]
        _require(bool(((training["leaves"] >= 0) & (training["leaves"] < n_leaves)).all()), "a row is in no leaf")
    return training


def _more(forest: Any, grid: Grid, more: dict[str, Any]) -> dict[str, Any]:
    """Check what only some forests have."""
    _require(more.keys() <= _MORE.keys(), "the forest has other parts than it should")
    _check_kinds("the forest", more, {name: _MORE[name] for name in more})
    if "feature_names_in_" in more:
        _check_array("feature_names_in_", more["feature_names_in_"], object, (grid.n_features,))
        _require(all(isinstance(name, str) for name in more["feature_names_in_"]), "a feature has no name")
    if "screened_" in more:
        _check_array("screened_", more["screened_"], bool, (grid.n_features,))
    return more
