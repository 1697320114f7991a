"""Parameter objects: what scikit-learn asks of them, how files find them, and when two are the same."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone

import foliation as fo
from foliation.data.rows import Grid
from foliation.parameters import Parameters, same
from foliation.projections.family import resolve


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the classes that a test makes."""
    monkeypatch.setattr(Parameters, "registry", dict(Parameters.registry))


def test_a_subclass_registers_itself_by_its_name() -> None:
    class Shiny(Parameters):
        pass

    class Shinier(Shiny):
        pass

    assert Parameters.registry["Shiny"] is Shiny and Parameters.registry["Shinier"] is Shinier
    assert Parameters.registry["Patches"] is fo.Patches


def test_names_of_parameters_are_those_of_the_signature() -> None:
    class Box(Parameters):
        def __init__(self, width: int = 1, height: int = 2) -> None:
            self.width, self.height = width, height

    class Cube(Box):
        def __init__(self, depth: int = 3) -> None:
            super().__init__()
            self.depth = depth

    assert Box(5).get_params() == {"height": 2, "width": 5}
    assert Cube().get_params() == {"depth": 3}  # not those of the class it inherits from
    assert clone(Box(4, 6)).get_params() == {"height": 6, "width": 4}
    assert Box().set_params(height=9).height == 9


@pytest.mark.parametrize("kind", [*Parameters.registry.values(), fo.ForestClassifier, fo.GeodesicForest])
def test_names_are_those_that_scikit_learn_reads_anew(kind: Any) -> None:
    assert kind._get_param_names() == BaseEstimator._get_param_names.__func__(kind)


EYE = sp.csr_array(np.eye(3))
EQUAL: dict[str, tuple[Any, Any]] = {
    "numbers": (1, 1.0),
    "text": ("sqrt", "sqrt"),
    "nothing": (None, None),
    "arrays": (np.arange(3), np.arange(3.0)),
    "a list and a tuple": ([1, (2, 3)], (1, [2, 3])),
    "lists of arrays": ([np.eye(2), "a"], [np.eye(2), "a"]),
    "dicts in another order": ({"a": np.eye(2), "b": 1}, {"b": 1, "a": np.eye(2)}),
    "sparse forms": (EYE, EYE.tocoo()),
    "sparse with stored zeros": (EYE, sp.csr_array(([1.0, 0, 1, 1], [0, 2, 1, 2], [0, 2, 3, 4]), shape=(3, 3))),
    "objects": (fo.Patches(max_size=(2, 3)), fo.Patches(max_size=[2, 3])),
    "objects of arrays": (fo.Atoms(EYE), fo.Atoms(EYE.copy())),
    "nested objects": (fo.Mixture([fo.Axis(), fo.Sparse()]), fo.Mixture((fo.Axis(), fo.Sparse()))),
}
DIFFERENT: dict[str, tuple[Any, Any]] = {
    "numbers": (1, 2),
    "text": ("sqrt", "log2"),
    "nothing": (None, 0),
    "shapes": (np.zeros(3), np.zeros((1, 3))),
    "lengths": ([1, 2], [1, 2, 3]),
    "keys": ({"a": 1}, {"b": 1}),
    "a dict and a list": ({"a": 1}, ["a"]),
    "a value in a dict": ({"a": np.eye(2)}, {"a": -np.eye(2)}),
    "sparse values": (EYE, 2 * EYE),
    "sparse shapes": (EYE, sp.csr_array((3, 4))),
    "sparse and dense": (EYE, np.eye(3)),
    "a parameter": (fo.Patches(max_size=2), fo.Patches(max_size=3)),
    "a class": (fo.Axis(), fo.Sparse()),
    "an object and its name": (fo.Axis(), "axis"),
    "a member": (fo.Mixture([fo.Axis(), fo.Sparse()]), fo.Mixture([fo.Sparse(), fo.Axis()])),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_values_are_the_same(name: str) -> None:
    a, b = EQUAL[name]
    assert same(a, b) is True and same(b, a) is True
    assert same(a, copy.deepcopy(a)) is True


def test_an_array_and_a_list_of_its_values_are_the_same_in_both_orders() -> None:
    assert same(np.arange(3), [0, 1, 2]) and same([0, 1, 2], np.arange(3))


@pytest.mark.parametrize("name", DIFFERENT)
def test_different_values_are_not_the_same(name: str) -> None:
    a, b = DIFFERENT[name]
    assert same(a, b) is False and same(b, a) is False


def test_not_a_number_is_the_same_as_itself_alone() -> None:
    assert same(float("nan"), np.nan) and same([1.0, float("nan")], [1.0, float("nan")])
    assert not same(float("nan"), 1.0) and not same(float("nan"), [float("nan")])


def test_classes_of_users_do_not_take_the_names_of_ours() -> None:
    own = type("Sparse", (fo.Sparse,), {"__module__": "somewhere"})
    assert Parameters.registry["Sparse"] is fo.Sparse is not own
    derived = type("MyPatches", (fo.Patches,), {"__module__": "somewhere"})
    try:
        assert Parameters.registry["MyPatches"] is derived
        assert type(resolve("patches", Grid((4, 4), flat=False))) is fo.Patches
    finally:
        del Parameters.registry["MyPatches"]
