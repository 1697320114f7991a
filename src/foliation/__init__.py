"""Decision forests for data that lives on something: a line, a circle, an image, a grid, a graph."""

from importlib import import_module
from types import ModuleType

from foliation import metrics, simulations
from foliation._version import __version__
from foliation.estimators.classifier import ForestClassifier
from foliation.estimators.consistent import consistent
from foliation.estimators.geodesic import GeodesicForest
from foliation.estimators.load import load
from foliation.estimators.regressor import ForestRegressor
from foliation.model.sampling import subsample_exponent
from foliation.projections import Atoms, Axis, Kernels, Mixture, Neighborhoods, Patches, Sparse, gabor_bank

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

_ON_DEMAND = ("evaluation", "export", "plotting")  # kept off the import path


def __getattr__(name: str) -> ModuleType:
    if name in _ON_DEMAND:
        return import_module(f"foliation.{name}")
    raise AttributeError(f"module 'foliation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_ON_DEMAND])
