"""Saving a fitted forest, and loading it: what is written, and what must hold of what is read."""

from __future__ import annotations

import os
from typing import Any

from foliation._sklearn import check_is_fitted
from foliation._version import __version__
from foliation.classifier import ForestClassifier
from foliation.files import container
from foliation.files.state import restore, state_of
from foliation.files.values import Reader, Writer
from foliation.geodesic import GeodesicForest
from foliation.regressor import ForestRegressor

_MOST_LETTERS = 300  # of a complaint that quotes a file
FORESTS: dict[str, Any] = {one.__name__: one for one in (ForestClassifier, ForestRegressor, GeodesicForest)}


def save(forest: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted forest; see ``ForestClassifier.save``."""
    check_is_fitted(forest)
    kind = type(forest)
    if FORESTS.get(kind.__name__) is not kind:
        raise TypeError(f"{kind.__name__} is none of {', '.join(FORESTS)}; only these have model files")
    forest._remember_if_light()
    write = Writer()
    model = {
        "forest": kind.__name__,
        "foliation": __version__,
        "parameters": {name: _written(write, name, value) for name, value in forest.get_params(deep=False).items()},
        "state": {name: _written(write, name, value) for name, value in state_of(forest).items()},
    }
    container.write(path, container.Content(model, write.arrays))


def _written(write: Writer, name: str, value: Any) -> Any:
    try:
        return write(value)
    except (TypeError, ValueError) as error:
        text = f"{name}={value!r}"[:_MOST_LETTERS]
        raise TypeError(f"{text} cannot be saved ({error}): a model file holds numbers and text, no code") from error


def load(path: str | os.PathLike[str], *, mmap: bool = False) -> Any:
    """Read a forest that ``save`` wrote.

    Nothing in a file is executed, and all of it is checked: a file that was damaged, cut short or made to do harm
    is refused.

    Parameters
    ----------
    path : str or path
    mmap : bool, default=False
        Whether the arrays stay in the file and are mapped into memory, so that several processes share them. They are
        then read-only, and the file must stay as it is.

    Returns
    -------
    ForestClassifier, ForestRegressor or GeodesicForest

    Raises
    ------
    ValueError
        If it is no model file, or damaged.
    OSError
        If it cannot be read.
    """
    content = container.read(path, mapped=mmap)
    try:
        return _forest(content)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: {str(error)[:_MOST_LETTERS]}") from error
    except MemoryError as error:
        raise OSError(f"{path} holds a forest that does not fit into memory") from error


def _forest(content: container.Content) -> Any:
    model = content.model
    if not isinstance(model, dict) or model.keys() != {"forest", "foliation", "parameters", "state"}:
        raise ValueError("the header has other parts than it should")
    kind = FORESTS.get(model["forest"]) if isinstance(model["forest"], str) else None
    if kind is None or not isinstance(model["parameters"], dict) or not isinstance(model["state"], dict):
        raise ValueError("it holds no forest")
    read = Reader(content.arrays)
    forest = kind()
    parameters = {name: read(node) for name, node in model["parameters"].items()}
    if not parameters.keys() <= forest.get_params(deep=False).keys():
        raise ValueError("it has parameters that are unknown")
    forest.set_params(**parameters)
    forest._validate_params()
    restore(forest, {name: read(node) for name, node in model["state"].items()})
    return forest
