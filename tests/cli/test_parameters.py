"""Options of the forests: read from text, shown with choices and defaults, refused by name."""

from __future__ import annotations

import pytest

import foliation as fo
from foliation.cli.errors import CommandError
from foliation.cli.parameters import DEFAULTS, FORESTS, Kind, family, forest_of, parameter_help, shape_of, value
from foliation.parameters import Parameters
from foliation.projections.family import NAMED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("none", None),
        ("True", True),
        ("false", False),
        ("2x5", (2, 5)),
        ("(True,False)", (True, False)),
        ("{0: 2.0}", {0: 2.0}),
        ("sqrt", "sqrt"),
        ("a b", "a b"),
    ],
)
def test_values_are_read_as_python_would(text: str, expected: object) -> None:
    assert value(text) == expected and type(value(text)) is type(expected)


def test_families_have_options() -> None:
    text = "patches:max_size=2x3,contrast=0.5,wrap=(True,False)"
    assert repr(family(text)) == repr(fo.Patches(max_size=(2, 3), contrast=0.5, wrap=(True, False)))
    assert family("image") == "image"
    kernels = family("kernels:size=3,border=inside")
    assert isinstance(kernels, fo.Kernels) and kernels.bank.shape[1:] == (3, 3) and kernels.border == "inside"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boxes", "'boxes' is unknown; expected one of axis, channels, image, kernels, patches, series, sparse"),
        ("image:max_size=3", "'image' takes no options; expected one of axis, kernels, patches, sparse"),
        ("patches:size=3", "unexpected keyword argument 'size'"),
        ("patches:3", "expected options such as patches:name=value"),
    ],
)
def test_projections_that_cannot_be_read_are_refused(text: str, message: str) -> None:
    with pytest.raises(CommandError, match=f"invalid --projections {text}: .*{message}"):
        family(text)


def test_families_that_register_a_name_are_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Parameters, "registry", {**Parameters.registry})
    monkeypatch.setitem(NAMED, "rings", NAMED["sparse"])  # so that the name is taken back after the test

    class Rings(fo.Sparse):
        name = "rings"

    assert family("rings") == "rings"
    rings = family("rings:density=0.5")
    assert isinstance(rings, Rings) and rings.density == 0.5


@pytest.mark.parametrize("kind", FORESTS)
def test_every_parameter_of_a_forest_can_be_given(kind: Kind) -> None:
    for name, default in (FORESTS[kind]().get_params(deep=False) | {"projections": "axis"}).items():
        assert getattr(forest_of(kind, {name: str(default)}), name) == default


def test_options_of_other_forests_are_refused() -> None:
    with pytest.raises(CommandError, match="--patience is not a parameter of a classifier forest"):
        forest_of("classifier", {"patience": "3", "max_depth": None})


def test_help_has_choices_and_defaults_of_each_kind() -> None:
    texts = parameter_help()
    assert texts["max_depth"].endswith(" Default: None.")
    assert "Classifier: one of entropy, gini; default: gini." in texts["criterion"]
    assert "Geodesic: default: 300." in texts["n_estimators"]
    assert all(texts[name].endswith(f" Default: {text}.") for name, text in DEFAULTS.items())


def test_shapes_are_sizes() -> None:
    assert shape_of(None) is None and shape_of("7") == (7,) and shape_of("28x28x3") == (28, 28, 3)
    for text in ("28by28", "0x3", "x"):
        with pytest.raises(CommandError, match=f"invalid --shape '{text}': expected sizes such as 28x28"):
            shape_of(text)
