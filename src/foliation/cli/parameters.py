"""Every parameter of the forests as an option of a command, with the words of its documentation."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import typer

import foliation as fo
from foliation.cli.errors import DataError

Kind = Literal["classifier", "regressor", "geodesic"]
FORESTS: dict[Kind, Any] = {
    "classifier": fo.ForestClassifier,
    "regressor": fo.ForestRegressor,
    "geodesic": fo.GeodesicForest,
}
USUAL = {"n_jobs": "-1", "random_state": "0", "verbose": "1"}  # of the command; other parameters have the forests'
_DEFAULTS = {**USUAL, "oob_score": "true if some rows are out of the bag"}
_PANEL = "Parameters of the forest"
_NAMED = ("axis", "sparse", "patches", "image", "series", "channels")
_FAMILIES: dict[str, Callable[..., Any]] = {
    "axis": fo.Axis,
    "sparse": fo.Sparse,
    "patches": fo.Patches,
    "kernels": lambda **more: fo.Kernels(fo.gabor_bank(more.pop("size", 5)), **more),
}
Command = TypeVar("Command", bound=Callable[..., Any])


def with_parameters(command: Command) -> Command:
    """Let a command whose last argument is ``**parameters`` have an option for each parameter of a forest."""
    signature = inspect.signature(command, eval_str=True)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[str | None, typer.Option(help=text, rich_help_panel=_PANEL, show_default=False)],
        )
        for name, text in documented().items()
        if name not in signature.parameters
    ]

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        return command(*args, **kwargs)

    run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in [*own, *added]}
    return run  # type: ignore[return-value]


def documented() -> dict[str, str]:
    """Return the parameters of all forests: the first sentence that is said of each, its choices and its default."""
    sentences: dict[str, str] = {}
    kinds: dict[str, dict[str, str]] = {}
    for kind, forest in FORESTS.items():
        section = inspect.cleandoc(forest.__doc__).split("Parameters\n----------\n")[1].split("\n\nAttributes")[0]
        for name, form, text in re.findall(r"^(\w+) : (.*)\n((?:    .*\n?)+)", section, flags=re.MULTILINE):
            sentence = re.split(r"(?<=[.:;])\s", " ".join(text.split()))[0].rstrip(".:;").replace("``", "")
            sentences.setdefault(name, sentence)
            kinds.setdefault(name, {})[kind] = _choices_and_default(name, form)
    return {name: f"{sentence}.{_of_kinds(kinds[name])}" for name, sentence in sentences.items()}


def _choices_and_default(name: str, form: str) -> str:
    choices = re.findall(r"^\{(.*)\}", form)
    default = _DEFAULTS.get(name) or "".join(re.findall(r"default=(.*)$", form))
    parts = [*(f"one of {one}" for one in choices), *([f"default: {default}"] if default else [])]
    return "; ".join(parts).replace('"', "")


def _of_kinds(said: dict[str, str]) -> str:
    """Write what is said of a parameter once, or for each kind of forest if they differ."""
    if len(set(said.values())) == 1:
        text = next(iter(said.values()))
        return f" {text[:1].upper()}{text[1:]}." if text else ""
    return "".join(f" {kind.capitalize()}: {text}." for kind, text in said.items() if text)


def forest_of(kind: Kind, parameters: dict[str, str | None]) -> Any:
    """Return the forest that options describe; complain about options that it does not have."""
    forest = FORESTS[kind]()
    known = forest.get_params(deep=False)
    given = {name: text for name, text in parameters.items() if text is not None}
    for name in given:
        if name not in known:
            raise DataError(f"--{name.replace('_', '-')} does not go with a {kind}.")
    values = {name: family(text) if name == "projections" else value(text) for name, text in given.items()}
    return forest.set_params(**values)


def value(text: str) -> Any:
    """Read a number, a word, or None, True and False."""
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    if re.fullmatch(r"\d+(x\d+)+", text):
        return tuple(int(side) for side in text.split("x"))
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text


def family(text: str) -> Any:
    """Read projections: a name, or a family with options such as ``patches:max_size=2x5,contrast=0.5``."""
    name, _, options = text.partition(":")
    if not options and name in _NAMED:
        return name
    if options and name in _NAMED and name not in _FAMILIES:
        raise DataError(f"--projections {text}: {name} takes no options; patches does.")
    if name not in _FAMILIES:
        raise DataError(f"--projections {text}: {name!r} is none of {', '.join(dict.fromkeys((*_NAMED, *_FAMILIES)))}.")
    pairs = re.findall(r"(\w+)=((?:\([^)]*\)|\[[^\]]*\]|[^,])*)(?:,|$)", options)
    if ",".join(f"{key}={given}" for key, given in pairs) != options:
        raise DataError(f"--projections {text}: options are written {name}:name=value,name=value.")
    try:
        return _FAMILIES[name](**{key: value(given) for key, given in pairs})
    except TypeError as error:
        raise DataError(f"--projections {text}: {name} has no such option ({error}).") from error


def shape_of(text: str | None) -> tuple[int, ...] | None:
    """Read a shape such as 28x28."""
    if text is None:
        return None
    if not re.fullmatch(r"[1-9]\d*(x[1-9]\d*)*", text):
        raise DataError(f"--shape {text} is none; it is written like 28x28.")
    return tuple(int(side) for side in text.split("x"))
