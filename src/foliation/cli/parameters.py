"""Every parameter of the forests as an option of a command."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypeVar

import typer
from sklearn.utils._param_validation import StrOptions

from foliation.cli.errors import CommandError
from foliation.cli.help import PARAMETERS
from foliation.estimators.classifier import ForestClassifier
from foliation.estimators.forest import Forest
from foliation.estimators.geodesic import GeodesicForest
from foliation.estimators.regressor import ForestRegressor
from foliation.printable import quoted
from foliation.projections import Kernels, Projections, gabor_bank
from foliation.projections.family import NAMED

Kind = Literal["classifier", "regressor", "geodesic"]
FORESTS: dict[Kind, type[Forest]] = {
    "classifier": ForestClassifier,
    "regressor": ForestRegressor,
    "geodesic": GeodesicForest,
}
DEFAULTS = {"n_jobs": "-1", "random_state": "0", "verbose": "1"}  # of the command, where they differ from the forests'
_SHOWN_DEFAULTS = {**DEFAULTS, "oob_score": "true if there are out-of-bag rows"}
_PANEL = "Parameters of the forest"
_SHAPE = re.compile(r"[1-9]\d*(x[1-9]\d*)*")
_OPTION = re.compile(r"(\w+)=((?:\([^)]*\)|\[[^\]]*\]|[^,])*)(?:,|$)")
Command = TypeVar("Command", bound=Callable[..., None])


def with_parameters(command: Command) -> Command:
    """Give a command whose last argument is ``**parameters`` an option for each parameter of a forest."""
    signature = inspect.signature(command, eval_str=True)
    own = [option for option in signature.parameters.values() if option.kind is not inspect.Parameter.VAR_KEYWORD]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[str | None, typer.Option(help=text, rich_help_panel=_PANEL, show_default=False)],
        )
        for name, text in parameter_help().items()
        if name not in signature.parameters
    ]

    @functools.wraps(command)
    def run(*args: object, **kwargs: object) -> None:
        command(*args, **kwargs)

    run.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in [*own, *added]}
    return run  # type: ignore[return-value]


def parameter_help() -> dict[str, str]:
    """Return a help text for each parameter of the forests, with its choices and its default."""
    details: dict[str, dict[str, str]] = {}
    for kind, forest in FORESTS.items():
        for name, parameter in inspect.signature(forest).parameters.items():
            details.setdefault(name, {})[kind] = _choices_and_default(forest, name, parameter.default)
    return {name: PARAMETERS.get(name, "") + _per_kind(texts) for name, texts in details.items()}


def _choices_and_default(forest: type[Forest], name: str, default: object) -> str:
    constraints = forest._parameter_constraints[name]
    choices = [", ".join(sorted(rule.options)) for rule in constraints if isinstance(rule, StrOptions)]
    one_of = f"one of {choices[0]}; " if choices and len(constraints) == 1 else ""
    return f"{one_of}default: {_SHOWN_DEFAULTS.get(name, default)}"


def _per_kind(texts: Mapping[str, str]) -> str:
    """Write choices and default once, or for each kind of forest if they differ."""
    if len(set(texts.values())) == 1:
        text = next(iter(texts.values()))
        return f" {text[:1].upper()}{text[1:]}."
    return "".join(f" {kind.capitalize()}: {text}." for kind, text in texts.items())


def forest_of(kind: Kind, options: Mapping[str, str | None]) -> Forest:
    """Return the forest that options describe; raise CommandError for options that it does not have."""
    forest = FORESTS[kind]()
    known = forest.get_params(deep=False)
    given = {name: text for name, text in options.items() if text is not None}
    for name in given:
        if name not in known:
            raise CommandError(f"--{name.replace('_', '-')} is not a parameter of a {kind} forest")
    forest.set_params(**{name: family(text) if name == "projections" else value(text) for name, text in given.items()})
    return forest


def value(text: str) -> object:
    """Read a number, a shape, a word, a Python literal, or none, true and false."""
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    if re.fullmatch(r"\d+(x\d+)+", text):
        return tuple(int(side) for side in text.split("x"))
    try:
        literal: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text
    return literal


def families() -> dict[str, Callable[..., Projections]]:
    """Return the families that can be written with options, by name."""
    registered = (family for family in Projections.registry.values() if issubclass(family, Projections))
    named: dict[str, Callable[..., Projections]] = {family.name: family for family in registered if family.name}
    return named | {"kernels": _gabor_kernels}


def _gabor_kernels(size: int = 5, **options: object) -> Projections:
    return Kernels(gabor_bank(size), **options)  # type: ignore[arg-type]


def family(text: str) -> Projections | str:
    """Read projections: a name, or a family with options such as ``patches:max_size=2x5,contrast=0.5``."""
    name, _, options = text.partition(":")
    known = families()
    if not options and name in NAMED:
        return name
    if name not in known:
        expected = ", ".join(sorted(known if name in NAMED else {*NAMED, *known}))
        problem = "takes no options" if name in NAMED else "is unknown"
        raise CommandError(f"invalid --projections {text}: {quoted(name)} {problem}; expected one of {expected}")
    pairs = _OPTION.findall(options)
    if ",".join(f"{key}={literal}" for key, literal in pairs) != options:
        raise CommandError(f"invalid --projections {text}: expected options such as {name}:name=value,name=value")
    try:
        return known[name](**{key: value(literal) for key, literal in pairs})
    except TypeError as error:
        raise CommandError(f"invalid --projections {text}: {error}") from error


def shape_of(text: str | None) -> tuple[int, ...] | None:
    """Read a shape such as 28x28."""
    if text is None:
        return None
    if not _SHAPE.fullmatch(text):
        raise CommandError(f"invalid --shape {quoted(text)}: expected sizes such as 28x28")
    return tuple(int(side) for side in text.split("x"))
