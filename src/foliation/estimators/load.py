"""Model files back into estimators."""

from __future__ import annotations

import os

from foliation.estimators.classifier import ForestClassifier
from foliation.estimators.forest import Forest
from foliation.estimators.geodesic import GeodesicForest
from foliation.estimators.regressor import ForestRegressor
from foliation.io.model_file import read_file
from foliation.io.schema import Stored

_ESTIMATORS: dict[str, type[Forest]] = {
    estimator.__name__: estimator for estimator in (ForestClassifier, ForestRegressor, GeodesicForest)
}


def load(path: str | os.PathLike[str], *, mmap: bool = False) -> Forest:
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
    MemoryError
        If its forest does not fit into memory; ``mmap=True`` leaves the arrays in the file.
    """
    return read_file(path, mapped=mmap, make=_estimator)


def _estimator(stored: Stored) -> Forest:
    kind = _ESTIMATORS.get(stored.estimator)
    if kind is None:
        raise ValueError(f"unknown estimator {stored.estimator[:40]!r}; expected one of {', '.join(_ESTIMATORS)}")
    forest = kind()
    known = forest.get_params(deep=False).keys()
    unknown = stored.parameters.keys() - known
    if unknown and not stored.newer:
        raise ValueError(f"unknown parameter {min(unknown)[:40]!r} of {stored.estimator}")
    forest.set_params(**{name: value for name, value in stored.parameters.items() if name in known})
    forest._validate_params()
    forest.model_ = stored.model(kind._composition.learns)
    return forest
