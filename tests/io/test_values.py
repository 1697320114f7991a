"""Values become JSON and arrays, and come back the same; everything else is refused in both directions."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from identical import identical

import foliation as fo
from foliation.io.values import DamagedError, Reader, Writer
from foliation.parameters import Parameters, same


def round_trip(value: Any) -> Any:
    """Write a value, send it through JSON, and read it."""
    write = Writer()
    text = json.dumps(write(value), allow_nan=False)
    return Reader(write.arrays)(json.loads(text))


VALUES: dict[str, Any] = {
    "nothing": None,
    "flags": [True, False],
    "integers": [0, -1, 2**63, 2**64 - 1, -(2**64) + 1],
    "floats": [0.1, -0.0, 1e308, 5e-324, math.nan, math.inf, -math.inf],
    "text": ["", "Grün", "\x00", "\U0001f333"],
    "empty containers": [[], (), {}],
    "nested": [(1, [2, (3.0, None)]), {"a": {"b": (True,)}}],
    "dicts by numbers": {0: 1.0, 1: 2.0, -3: 0.5, 1.5: "x", "1": None, None: 1},
    "a dict like a kind of value": {"array": 0},
    "arrays": [
        np.arange(4),
        np.zeros((2, 0)),
        np.array([True]),
        np.array([1.5], np.float16),
        np.array([[7]], np.uint16),
    ],
    "labels": np.array(["a", 1, 2.5, None, True], dtype=object),
    "a table of labels": np.array([["a", 1], ["b", 2]], dtype=object),
    "texts": np.array(["ash", "", "Grün"]),
    "a table of texts": np.array([["a", "bc"], ["d", "e"]]),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_come_back_with_their_types(name: str) -> None:
    found = round_trip(VALUES[name])
    assert identical(found, VALUES[name]), found


def test_the_sign_of_zero_comes_back() -> None:
    assert math.copysign(1, round_trip(-0.0)) == -1


@pytest.mark.parametrize("scalar", [np.int8(-3), np.uint64(2**64 - 1), np.float32(0.1), np.bool_(True), np.str_("a")])
def test_numpy_scalars_become_python_values(scalar: Any) -> None:
    found = round_trip(scalar)
    assert found == scalar.item() and type(found) in (int, float, bool, str)


def test_keys_that_are_numpy_scalars_become_python_values() -> None:
    weights = dict(zip(np.unique([3, 5]), [1.0, 2.0], strict=True))  # as class weights are often written
    assert identical(round_trip(weights), {3: 1.0, 5: 2.0})
    assert identical(round_trip({np.bool_(True): 1, np.float32(0.5): 2}), {True: 1, 0.5: 2})


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix])
def test_sparse_matrices_of_all_forms_come_back(form: str, kind: Any) -> None:
    matrix = kind(np.array([[0, 1.5, 0], [0, 0, 0], [-2, 0, 3]])).asformat(form)
    found = round_trip(matrix)
    assert found.shape == (3, 3) and (found != sp.csr_array(matrix)).nnz == 0


def test_a_generator_continues_where_it_was() -> None:
    generator = np.random.RandomState(3)
    generator.standard_normal(7)  # leaves one normal deviate in store
    found = round_trip(generator)
    np.testing.assert_array_equal(found.standard_normal(1000), generator.standard_normal(1000))


OBJECTS: dict[str, Any] = {
    "Atoms": fo.Atoms(sp.csr_array(np.eye(4)), p=[0.1, 0.2, 0.3, 0.4]),
    "Axis": fo.Axis(),
    "Kernels": fo.Kernels(fo.gabor_bank(3), wrap=(True, False)),
    "Mixture": fo.Mixture([fo.Axis(), fo.Mixture([fo.Sparse(), fo.Patches()])], p=[0.25, 0.75]),
    "Neighborhoods": fo.Neighborhoods(np.eye(4, k=1), size=(1, 3)),
    "Patches": fo.Patches(max_size=(2, 3), views=("raw", "spectrum")),
    "Sparse": fo.Sparse(features=np.array([1, 3])),
    "subsample_exponent": fo.subsample_exponent(0.7),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_parameter_objects_come_back(name: str) -> None:
    found = round_trip(OBJECTS[name])
    assert type(found) is type(OBJECTS[name]) and same(found, OBJECTS[name])


def test_no_parameter_object_is_left_out() -> None:
    own = {name for name, kind in Parameters.registry.items() if kind.__module__.startswith("foliation.")}
    assert {type(value).__name__ for value in OBJECTS.values()} | {"Projections"} >= own


# ---- values that are refused ----


class Unknown:
    pass


@pytest.mark.parametrize(
    "value",
    [Unknown(), print, 1j, b"bytes", {1, 2}, np.array([1j]), np.array(["2020-01-01"], "M8[D]"), np.dtype("f8")],
    ids=lambda value: type(value).__name__,
)
def test_values_without_a_form_are_not_written(value: Any) -> None:
    for given in (value, [value], {"a": (value,)}):
        with pytest.raises(TypeError, match="it holds a"):
            Writer()(given)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({(1, 2): 3}, id="a tuple as a key"),
        pytest.param(np.full((1, 1, 1), "a", dtype=object), id="labels of three axes"),
        pytest.param(np.full((1, 1, 1), "a"), id="texts of three axes"),
        pytest.param(np.longdouble(0.5), id="an extended float"),
    ],
)
def test_nothing_is_written_that_cannot_be_read(value: Any) -> None:
    with pytest.raises(TypeError, match="it holds"):
        Writer()(value)


@pytest.mark.parametrize("number", [2**64, -(2**64), 10**30])
def test_integers_beyond_64_bits_are_refused_in_both_directions(number: int) -> None:
    with pytest.raises(ValueError, match="integer out of range"):
        Writer()(number)
    with pytest.raises(DamagedError, match="integer out of range"):
        Reader([])(number)


def test_a_class_that_only_shares_a_name_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Parameters, "registry", dict(Parameters.registry))
    known = Parameters.registry["Axis"]
    own = type("Axis", (Parameters,), {})
    Parameters.registry["Axis"] = known
    with pytest.raises(TypeError, match="it holds a value of type Axis"):
        Writer()(own())


DAMAGED: dict[str, tuple[Any, str]] = {
    "two keys": ({"tuple": [], "dict": []}, "expected a scalar, a list or an object with one key"),
    "no key": ({}, "expected a scalar, a list or an object with one key"),
    "an unknown kind": ({"code": "print()"}, "unknown kind of value 'code'"),
    "a float": ({"float": "x"}, "invalid float literal 'x'; expected nan, inf or -inf"),
    "a tuple": ({"tuple": 3}, "invalid list"),
    "a pair": ({"dict": [[1, 2, 3]]}, "invalid list"),
    "a key": ({"dict": [[{"tuple": []}, 0]]}, "invalid key; expected a number or text"),
    "no such array": ({"array": 2}, "reference to an array that is not there"),
    "an array before the first": ({"array": -1}, "reference to an array that is not there"),
    "an array by a flag": ({"array": True}, "reference to an array that is not there"),
    "an array twice": ([{"array": 0}, {"array": 0}], "two references to one array"),
    "a label": ({"labels": [[1], [[1]]]}, "invalid label; expected a number or text"),
    "a shape of labels": ({"labels": [[2], ["a"]]}, "invalid shape of an array"),
    "text of floats": ({"text": [[2], {"array": 0}]}, "invalid text; expected a table of code points"),
    "text of no Unicode": ({"text": [[1], {"array": 1}]}, "invalid code point"),
    "a sparse matrix": ({"sparse": [{"array": 0}, [0], [0, 1], [1, 1]]}, "invalid sparse matrix"),
    "a generator": ({"random": {"dict": [["bit_generator", "MT19937"]]}}, "random number generator"),
    "a class": ({"object": ["Popen", {"dict": []}]}, "unknown class 'Popen'"),
    "a parameter": ({"object": ["Axis", {"dict": [["x", 1]]}]}, "unexpected parameters of Axis"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_never_written_is_refused(name: str) -> None:
    node, message = DAMAGED[name]
    with pytest.raises(DamagedError, match=message):
        Reader([np.arange(2.0), np.array([[0x110000]], np.uint32)])(node)


@pytest.mark.parametrize("wrap", [lambda value: [value], lambda value: (value,), lambda value: {0: value}])
def test_deep_nests_are_refused_in_both_directions(wrap: Callable[[Any], Any]) -> None:
    value: Any = 1
    while True:
        try:
            node = Writer()(value)
        except TypeError as error:
            assert str(error) == "it is nested more than 64 levels deep"
            break
        assert Reader([])(node) == value
        value = wrap(value)


def test_deep_nests_are_not_read() -> None:
    node: Any = 1
    for _ in range(200):
        node = [node]
    with pytest.raises(DamagedError, match="expected at most 128 levels"):
        Reader([])(node)
