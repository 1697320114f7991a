"""Every argument of every estimator, family, function and picture is checked by name, whatever it is given.

The tables follow from signatures, so that a new parameter is tested without being added here.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt

import foliation as fo
from foliation import plotting, simulations
from foliation.data.arrays import Floats
from foliation.parameters import Parameters
from foliation.printable import quoted
from foliation.validation import (
    LARGEST,
    check_flag,
    check_seed,
    check_sequence,
    check_text,
    file_path,
    is_integer,
    is_one_of,
    named,
    real_numbers,
)

ODD: list[Any] = [
    np.nan, np.inf, -np.inf, 1e308, -0.0, 0, -1, 2**63, 2**100, np.float32(0.5), np.int64(3), 1j, complex(np.nan, 1),
    "1", "", "a\0b", "\x1b[31m", b"x", True, np.True_, None, [], [np.nan], {}, object(), np.ones(3), np.ones((2, 2)),
    np.array(1.5), "x" * 10_000, list(range(10_000)), print, Fraction(1, 3), Decimal("sNaN"), 10**400, 10**5000,
    [10**5000] * 6,
]  # fmt: skip
X: Floats = np.random.default_rng(0).normal(size=(20, 6))
Y = np.arange(20) % 2
RING = np.roll(np.eye(6), 1, axis=0)
DATA = {"X", "Y", "y", "sample_weight", "groups", "forest", "other"}  # have tests of their own: test_bad_input

FORESTS: list[Any] = [fo.ForestClassifier, fo.ForestRegressor, fo.GeodesicForest]
FAMILIES: dict[Any, dict[str, Any]] = {
    fo.Axis: {},
    fo.Sparse: {},
    fo.Patches: {},
    fo.Kernels: {"bank": np.ones((1, 2))},
    fo.Neighborhoods: {"graph": RING + RING.T},
    fo.Atoms: {"matrix": np.eye(6)},
    fo.Mixture: {"projections": [fo.Axis()]},
}

pytestmark = pytest.mark.filterwarnings("ignore")


def parameters_of(function: Callable[..., object]) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in inspect.signature(function).parameters.values() if p.kind in kinds and p.name != "self"]


def attempt(name: str, value: object, call: Callable[[], object], *more: type[Exception]) -> None:
    """Call; an error has to be one line that names the argument."""
    expected: tuple[type[Exception], ...] = (ValueError, TypeError, *more)
    try:
        call()
    except expected as error:
        text = str(error)
        shown = f"{name}={quoted(value)} gives {type(error).__name__}: {text:.300}"
        assert name in text or (more and isinstance(error, more)), shown
        assert "\n" not in text and "incompatible function" not in text and "ambiguous" not in text, shown
        assert len(text) < 600 or isinstance(error, OSError), shown  # a path is shown in full
        assert "\x1b" not in text and "\0" not in text, shown


def attempt_all(function: Callable[..., object], name: str, given: dict[str, Any], *more: type[Exception]) -> int:
    for value in ODD:
        attempt(name, value, lambda value=value: function(**{**given, name: value}), *more)  # type: ignore[misc]
    return len(ODD)


@pytest.mark.parametrize("forest", FORESTS)
def test_parameters_of_forests(forest: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def fit(**parameters: object) -> None:
        forest(**{"n_estimators": 2, "random_state": 0, **parameters}).fit(X, Y)

    n_calls = sum(attempt_all(fit, name, {}) for name in parameters_of(forest))
    assert n_calls >= 20 * len(ODD)


@pytest.mark.parametrize("family", FAMILIES)
def test_parameters_of_families(family: Any) -> None:
    def fit(**parameters: object) -> None:
        fo.ForestClassifier(2, projections=family(**parameters), random_state=0).fit(X, Y)

    for name in parameters_of(family):
        attempt_all(fit, name, FAMILIES[family])


def test_more_candidates_than_can_be_drawn_are_refused() -> None:
    for value in (2**63, 1e308):
        with pytest.raises(ValueError, match=r"^max_features=.*: a node would draw more than"):
            fo.ForestClassifier(2, projections="sparse", max_features=value).fit(X, Y)


def test_every_family_is_tried() -> None:
    ours = {kind for kind in Parameters.registry.values() if kind.__module__.startswith("foliation.projections")}
    assert {kind for kind in ours if kind.__name__ in fo.__all__} == set(FAMILIES)


@pytest.mark.parametrize("function", [fo.gabor_bank, fo.load])
def test_arguments_of_functions(function: Callable[..., object]) -> None:
    for name in parameters_of(function):
        attempt_all(function, name, {"path": "missing.fol"} if function is fo.load else {}, OSError)


def test_consistent() -> None:
    attempt_all(fo.consistent, "forest", {"X": X})
    attempt_all(fo.consistent, "X", {"forest": fo.ForestClassifier()})
    with pytest.raises(ValueError, match="projections="):
        fo.consistent(fo.ForestClassifier(projections=fo.Mixture([])), X)
    attempt_all(lambda alpha: fo.subsample_exponent(alpha)(100), "alpha", {})


@pytest.mark.parametrize("name", [name for name in simulations.__all__ if name[0].islower()])
def test_arguments_of_simulations(name: str) -> None:
    function = getattr(simulations, name)
    required = {
        parameter.name: X if parameter.name == "X" else 20
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
    }
    for argument in parameters_of(function):
        attempt_all(function, argument, required)


# ---- fitted forests ----


@pytest.fixture(scope="module")
def fitted() -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            fo.ForestClassifier(3, random_state=0).fit(X, Y),
            fo.ForestRegressor(3, random_state=0).fit(X, Y * 1.0),
            fo.GeodesicForest(3, random_state=0).fit(X),
        ]


def methods_of(forest: Any) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the methods that we define and that ask a fitted forest."""
    for name in dir(type(forest)):
        method = getattr(forest, name, None) if not name.startswith("_") else None
        if inspect.ismethod(method) and method.__func__.__module__.startswith("foliation.") and name not in CHANGING:
            yield name, method


CHANGING = {"fit", "fit_transform", "report"}  # have tests of their own


@pytest.mark.parametrize("number", [0, 1, 2])
def test_arguments_of_methods(number: int, fitted: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some values are names of files
    forest, n_calls = fitted[number], 0
    for _, method in methods_of(forest):
        required = {
            parameter.name: {"X": X, "y": Y, "path": "/missing/m.fol"}.get(parameter.name, 0)
            for parameter in inspect.signature(method).parameters.values()
            if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
        }
        for argument in parameters_of(method):
            if argument not in DATA:
                # Places in a sequence raise IndexError, as those of a list; a path may be one that cannot be written.
                more = {"number": IndexError, "tree": IndexError, "leaf": IndexError, "path": OSError}.get(argument)
                n_calls += attempt_all(method, argument, required, *([more] if more else []))
    assert n_calls >= 10 * len(ODD)


PICTURES = {
    name: display.from_estimator for name, display in vars(plotting).items() if hasattr(display, "from_estimator")
}


@pytest.mark.parametrize("name", PICTURES)
def test_arguments_of_pictures(name: str, fitted: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    draw = PICTURES[name]
    monkeypatch.setattr(plotting.ProximityMap, "plot", lambda self, ax: self)
    monkeypatch.setattr("foliation.plotting.proximity._embed", lambda *_: np.zeros((20, 2)))
    given = {"forest": fitted[0]} | ({"X": X, "resolution": 3} if name == "DecisionBoundary" else {})
    try:
        for argument in parameters_of(draw):
            if argument not in DATA:
                attempt_all(draw, argument, given, *([IndexError] if argument == "tree" else []))
                plt.close("all")
    finally:
        plt.close("all")


# ---- the checks themselves ----


def test_integers() -> None:
    assert is_integer(3, 1) and is_integer(np.int8(3), 1, 3) and is_integer(LARGEST, 0)
    assert not any(is_integer(value, 0) for value in (True, 1.0, "1", None, 2**31, -1, np.ones(1)))


def test_words() -> None:
    assert is_one_of("a", ("a", "b"))
    refused: list[Any] = ["c", ["a"], np.array(["a"]), None, {}]
    assert not any(is_one_of(value, ("a", "b")) for value in refused)


def assert_refused(check: Callable[[Any], object], values: list[Any], pattern: str) -> None:
    for value in values:
        with pytest.raises((TypeError, ValueError), match=pattern):
            check(value)


def test_flags() -> None:
    accepted: list[Any] = [True, False, np.True_]
    for value in accepted:
        check_flag("flag", value)
    refused = [1, None, "True", np.ones(2)]
    assert_refused(lambda value: check_flag("flag", value), refused, "^flag=.*: expected True or False$")


def test_sequences() -> None:
    accepted: list[Any] = [[1], (1, 2), np.ones(2), []]
    for value in accepted:
        check_sequence("names", value)
    refused = [1, "ab", None, {1: 2}, iter([]), np.array(1.5)]
    assert_refused(lambda value: check_sequence("names", value), refused, "^names=.*: expected a sequence$")


def test_numbers() -> None:
    np.testing.assert_array_equal(real_numbers("x", [1, 2.5]), [1, 2.5])
    refused = [1j, ["a"], object(), {}, [[1], [2, 3]], b"x", 10**400, [10**5000]]
    assert_refused(lambda value: real_numbers("x", value), refused, "^x=.*: expected real numbers$")


def test_texts() -> None:
    check_text("title", "")
    assert_refused(lambda value: check_text("title", value), [5, None, b"x", ["a"]], "^title=.*: expected text$")


def test_errors_can_name_another_argument() -> None:
    for error in (TypeError, ValueError, UnicodeError):
        with pytest.raises(TypeError if error is TypeError else ValueError, match=r"^Y has X$"), named("Y"):
            raise error("X has X")


def test_paths() -> None:
    accepted: list[Any] = [b"a/b", "a/b", Path("a/b")]
    assert {file_path(path) for path in accepted} == {Path("a/b")}
    assert_refused(file_path, [5, None, 1.5, [], "a\0b", "half \ud800"], "^path=")


def test_seeds() -> None:
    accepted: list[Any] = [None, 0, np.int64(3), 2**32 - 1, np.random.RandomState(0)]
    for seed in accepted:
        check_seed(seed)
    assert_refused(check_seed, [-1, 2**32, 1.0, "0", True, np.ones(1), np.random.default_rng(0)], "^random_state=")
