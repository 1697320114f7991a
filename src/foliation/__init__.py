"""Decision forests for data that lives on something: a line, a circle, an image, a grid, a graph."""

from importlib import import_module
from typing import Any

from foliation import metrics, simulations
from foliation._version import __version__
from foliation.banks import gabor_bank
from foliation.classifier import ForestClassifier
from foliation.files.model import load
from foliation.geodesic import GeodesicForest
from foliation.honesty import consistent, subsample_exponent
from foliation.projections import (
    Atoms,
    Axis,
    Kernels,
    Mixture,
    Neighborhoods,
    Patches,
    Sparse,
)
from foliation.regressor import ForestRegressor

__all__ = [
    "Atoms",
    "Axis",
    "ForestClassifier",
    "ForestRegressor",
    "GeodesicForest",
    "Kernels",
    "Mixture",
    "Neighborhoods",
    "Patches",
    "Sparse",
    "__version__",
    "consistent",
    "gabor_bank",
    "load",
    "metrics",
    "simulations",
    "subsample_exponent",
]

_WHEN_ASKED_FOR = ("evaluation", "export", "plotting")  # kept off the import path


def __getattr__(name: str) -> Any:
    if name in _WHEN_ASKED_FOR:
        return import_module(f"foliation.{name}")
    raise AttributeError(f"module 'foliation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_WHEN_ASKED_FOR])
