"""Model files: a model, and the name and parameters of its estimator, as a header and raw arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from foliation._version import __version__
from foliation.io import container
from foliation.io.claims import bytes_to_justify
from foliation.io.migrations import OLD_FIELDS, migrated
from foliation.io.schema import FIELDS, Stored, state_of
from foliation.io.values import Reader, Writer
from foliation.model.model import Model
from foliation.printable import printable, quoted

_MOST_LETTERS = 300  # of an error that quotes a file
_ESTIMATORS = ("ForestClassifier", "ForestRegressor", "GeodesicForest")
Estimator = TypeVar("Estimator")


def save(path: str | os.PathLike[str], estimator: str, parameters: Mapping[str, Any], model: Model) -> None:
    """Write a model; ``path`` then holds all of it, or what it held before."""
    if estimator not in _ESTIMATORS:
        raise TypeError(f"{estimator} cannot be saved: expected one of {', '.join(_ESTIMATORS)}")
    write = Writer()
    header = {
        "forest": estimator,
        "foliation": __version__,
        "parameters": {name: _written(write, name, value) for name, value in parameters.items()},
        "state": {name: _written(write, name, value) for name, value in state_of(model).items()},
    }
    container.write(path, container.Content(header, write.arrays, size=bytes_to_justify(model)))


def _written(write: Writer, name: str, value: Any) -> Any:
    try:
        return write(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{name}={quoted(value)} cannot be saved ({error}): a model file holds numbers and text, no code"
        ) from error


def read_file(path: str | os.PathLike[str], *, mapped: bool, make: Callable[[Stored], Estimator]) -> Estimator:
    """Read a file and make an estimator of it; raise ValueError for a file that is damaged."""
    content = container.read(path, mapped=mapped)
    try:
        return make(_stored(content))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{printable(path)} is damaged: {printable(error)[:_MOST_LETTERS]}") from error
    except MemoryError as error:
        raise MemoryError(f"{printable(path)} holds a forest that does not fit into memory") from error


def _stored(content: container.Content) -> Stored:
    header = content.model
    if not isinstance(header, dict) or not {"forest", "parameters", "state"} <= header.keys():
        raise ValueError("missing fields of the header")
    if not isinstance(header["forest"], str):
        raise ValueError("invalid name of the estimator")
    if not isinstance(header["parameters"], dict) or not isinstance(header["state"], dict):
        raise ValueError("invalid parameters or state")
    newer = content.version > (container.MAJOR, container.MINOR)
    read = Reader(content.arrays, newer=newer)
    parameters = {name: read(node) for name, node in header["parameters"].items()}
    known = FIELDS.keys() | OLD_FIELDS  # what only newer versions know is left out, unread
    state = {name: read(node) for name, node in header["state"].items() if name in known}
    state, parameters = migrated(state, parameters, content.version)
    return Stored(header["forest"], parameters, state, newer=newer, n_bytes=content.size)
