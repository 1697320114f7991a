"""A fitted estimator, as plots, reports and scores see it."""

from __future__ import annotations

from typing import Protocol

from sklearn.utils.validation import check_is_fitted

from foliation._core import Machine
from foliation.data.arrays import Array, Data, Floats, Longs
from foliation.data.rows import Shape
from foliation.model.model import Model
from foliation.model.settings import Composition


class FittedForest(Protocol):
    """An estimator with a model."""

    @property
    def model_(self) -> Model: ...
    @property
    def n_outputs_(self) -> int: ...
    @property
    def grid_shape_(self) -> Shape: ...
    def _machine(self, n_rows: int | None = None) -> Machine: ...
    def _rows(self, X: Data) -> Array: ...
    def predict(self, X: Data) -> Array: ...
    def predict_proba(self, X: Data) -> Data: ...
    def kneighbors(self, X: Data = None, n_neighbors: int | None = None) -> tuple[Floats, Longs]: ...
    def get_params(self, deep: bool = True) -> dict[str, Data]: ...


def fitted_model(forest: FittedForest) -> Model:
    """Return the model of a fitted forest; raise TypeError for other objects."""
    if isinstance(forest, type) or not isinstance(getattr(forest, "_composition", None), Composition):
        name = forest.__name__ if isinstance(forest, type) else type(forest).__name__
        raise TypeError(f"forest is of type {name}: expected a fitted ForestClassifier or other forest of Foliation")
    check_is_fitted(forest)
    return forest.model_
