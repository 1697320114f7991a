"""A state that is complete and consistent makes a model; any other is refused with what is wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import mutated
import numpy as np
import pytest
from identical import identical

from foliation.io.schema import FIELDS, Stored, state_of
from foliation.model.model import Model

State = dict[str, Any]
LEARNS = {"axis": "classes", "sparse": "classes", "free": "numbers", "views": "classes", "geodesic": "nothing"}


def state(name: str = "axis") -> State:
    forest = mutated.FORESTS[name]().remember()
    return copy.deepcopy(state_of(forest.model_))


def model_of(given: State, learns: Any = "classes") -> Model:
    return Stored("ForestClassifier", {}, given).model(learns)


@pytest.mark.filterwarnings("ignore:no feature departs")
@pytest.mark.parametrize("name", LEARNS)
def test_a_model_of_a_state_has_that_state(name: str) -> None:
    given = state(name)
    assert given.keys() == FIELDS.keys()
    found = state_of(model_of(given, LEARNS[name]))
    for field in FIELDS:
        assert identical(found[field], given[field]), field


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_has_its_default_or_is_named(name: str) -> None:
    given = state()
    del given[name]
    if name in ("row_hash", "feature_names", "oob_score", "screened"):
        assert state_of(model_of(given))[name] == ("crc32" if name == "row_hash" else None)
    else:
        with pytest.raises(ValueError, match=f"^missing field '{name}' of the model$"):
            model_of(given)


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_of_another_type_is_named(name: str) -> None:
    for value in (b"bytes", {1, 2}):
        with pytest.raises(ValueError, match=f"^invalid type of the field '{name}'$"):
            model_of(state() | {name: value})


@pytest.mark.parametrize("name", ["seed", "fingerprint"])
def test_a_flag_is_not_an_integer(name: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid type of the field '{name}'$"):
        model_of(state() | {name: True})


def test_unknown_fields_are_ignored() -> None:
    given = state()
    given["sampling"]["extra"] = given["extra"] = 7
    assert state_of(model_of(given)).keys() == FIELDS.keys()


# ---- fields that do not fit each other ----


def sampling(**values: Any) -> Callable[[State], object]:
    return lambda given: given["sampling"].update(values)


INVALID: dict[str, tuple[Callable[[State], object], str]] = {
    "no axes": (lambda s: s.update(row_shape=()), "invalid row_shape"),
    "an empty axis": (lambda s: s.update(row_shape=(30, 0)), "invalid row_shape"),
    "too many axes": (lambda s: s.update(row_shape=(1,) * 9), "invalid row_shape"),
    "too many features": (lambda s: s.update(row_shape=(2**20, 2**20)), "invalid row_shape"),
    "a negative seed": (lambda s: s.update(seed=-1), "invalid seed or fingerprint"),
    "another hash": (
        lambda s: s.update(row_hash="md5"),
        r"^unknown row_hash 'md5'; expected one of siphash-2-4, crc32$",
    ),
    "a large fingerprint": (lambda s: s.update(fingerprint=2**64), "invalid seed or fingerprint"),
    "an infinite feature": (lambda s: s.update(max_abs=np.inf), "invalid max_abs"),
    "an unknown prior": (lambda s: s.update(leaf_prior="oracle"), "unknown leaf_prior"),
    "no rows": (sampling(n_rows=0), "invalid n_rows or n_draws"),
    "no draws": (sampling(n_draws=0), "invalid n_rows or n_draws"),
    "no structure": (sampling(structure_share=0.0), "invalid structure_share"),
    "weights of other rows": (sampling(weights=np.ones(29)), "invalid type or shape of weights"),
    "a negative weight": (sampling(weights=np.linspace(-1, 1, 30)), "invalid weight of a row"),
    "an infinite weight": (sampling(weights=np.full(30, np.inf)), "invalid weight of a row"),
    "no weight": (sampling(weights=np.zeros(30)), "all weights are zero"),
    "wide groups": (sampling(groups=np.zeros(30, np.int64)), "invalid type or shape of groups"),
    "a gap in groups": (sampling(groups=np.array([0, 2] * 15, np.int32)), "groups are not numbered from 0"),
    "more draws than groups": (
        sampling(groups=np.array([0, 1] * 15, np.int32), bootstrap=False, n_draws=3),
        "n_draws is larger than the number of rows",
    ),
    "one honest row": (sampling(structure_share=0.5, n_draws=1), "honest trees with fewer than two rows"),
    "a missing field of the sampling": (lambda s: s["sampling"].pop("bootstrap"), "missing field 'bootstrap' of the"),
    "targets of other rows": (lambda s: s.update(targets=s["targets"][1:]), "invalid type or shape of targets"),
    "a list of targets": (lambda s: s.update(targets=s["targets"][:, 0]), "targets are not a table"),
    "an unknown class": (lambda s: s["targets"].__setitem__(3, 9), "a target is not one of the classes"),
    "a class twice": (lambda s: s.update(classes=[np.array([0, 1, 1])]), "two classes are the same"),
    "no classes": (lambda s: s.update(classes=[]), "classes do not fit the estimator"),
    "classes of two outputs": (lambda s: s.update(classes=s["classes"] * 2), "the number of outputs and of lists"),
    "exponents without views": (
        lambda s: s.update(view_exponents=np.array([1], np.int32)),
        "type or shape of view_exponents",
    ),
    "a missing array of trees": (lambda s: s["trees"].pop("gain"), "arrays of trees"),
    "a wide array of trees": (lambda s: s["trees"].update(gain=s["trees"]["gain"].astype(int)), "of gain"),
    "leaves of other trees": (
        lambda s: s["training"].update(leaves=s["training"]["leaves"][:1]),
        "invalid type or shape of leaves",
    ),
    "no such leaf": (lambda s: s["training"]["leaves"].__setitem__((1, 5), 99), "invalid leaf of a training row"),
    "a score without predictions": (
        lambda s: (s.update(oob_score=0.5), s["training"].pop("oob")),
        "missing out-of-bag predictions",
    ),
    "names of other features": (lambda s: s.update(feature_names=np.array(["a"], object)), "shape of feature_names"),
    "names that are numbers": (lambda s: s.update(feature_names=np.arange(30).astype(object)), "is not text"),
    "a screen of other features": (lambda s: s.update(screened=np.ones(29, bool)), "type or shape of screened"),
}


@pytest.mark.parametrize("name", INVALID)
def test_fields_that_do_not_fit_are_refused(name: str) -> None:
    change, message = INVALID[name]
    given = state()
    model_of(given)
    change(given)
    with pytest.raises(ValueError, match=message):
        model_of(given)


@pytest.mark.parametrize("n_weighted_groups", [1, 2, 3])
def test_honest_trees_have_two_groups_of_weighted_rows(n_weighted_groups: int) -> None:
    groups = np.arange(30, dtype=np.int32) % 5
    weights = (groups < n_weighted_groups).astype(float)
    given = state()
    given["sampling"] |= {"structure_share": 0.5, "n_draws": 5, "groups": groups, "weights": weights}
    if n_weighted_groups > 1:
        np.testing.assert_array_equal(model_of(given).sampling.groups, groups)
        return
    with pytest.raises(ValueError, match="honest trees with fewer than two rows"):
        model_of(given)


def test_numbers_without_classes_are_finite_and_not_balanced() -> None:
    given = state("free")
    with pytest.raises(ValueError, match="balanced_subsample without classes"):
        model_of(given | {"sampling": given["sampling"] | {"balanced_subsample": True}}, "numbers")
    given["targets"][0] = np.nan
    with pytest.raises(ValueError, match="a target is not finite"):
        model_of(given, "numbers")


@pytest.mark.parametrize(
    ("name", "at", "value", "message"),
    [
        ("children", 0, 0, "a child is not one of the later splits in tree 0"),
        ("children", 0, 10_000, "a child is not one of the later splits in tree 0"),
        ("children", 0, -10_000, "a child is no leaf in tree 0"),
        ("threshold", 1, np.nan, "a threshold is not finite in tree 0"),
        ("gain", 0, np.inf, "a gain is not finite in tree 0"),
        ("gain_unit", 1, 0.0, "the unit of gains is no positive number in tree 1"),
        ("atom_words", 0, 30, "an atom that the projections cannot draw in tree 0"),
        ("atom_words", 0, -1, "an atom that the projections cannot draw in tree 0"),
        ("split_start", 0, 1, "offsets of splits do not fit"),
        ("leaf_start", 1, 2**60, "offsets of leaves do not fit"),
        ("value_start", 1, -5, "offsets of values do not fit"),
        ("value_column", 0, 3, "a column of a leaf's values is out of range in tree 0"),
        ("value", 0, 0.5, "shares of a leaf do not add up to one in tree 0"),
        ("value", 0, -1.0, "a share of a leaf is negative in tree 0"),
        ("leaf_weight", 0, np.nan, "the weight of a leaf is not a finite number from 0 on in tree 0"),
    ],
)
def test_arrays_of_trees_that_no_fit_makes_are_refused(name: str, at: int, value: float, message: str) -> None:
    given = state()
    given["trees"][name][at] = value
    with pytest.raises(ValueError, match=message):
        model_of(given)
