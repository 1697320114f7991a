"""A fitted estimator, as plots, reports and scores see it."""

from __future__ import annotations

from typing import Protocol

from foliation.data.arrays import Array, Data, Floats, Longs
from foliation.data.grid import Shape
from foliation.model.model import Model


class FittedForest(Protocol):
    """An estimator with a model."""

    n_jobs: int | None

    @property
    def model_(self) -> Model: ...
    @property
    def n_outputs_(self) -> int: ...
    @property
    def grid_shape_(self) -> Shape: ...
    def _rows(self, X: Data) -> Array: ...
    def predict(self, X: Data) -> Array: ...
    def predict_proba(self, X: Data) -> Data: ...
    def kneighbors(self, X: Data = None, n_neighbors: int | None = None) -> tuple[Floats, Longs]: ...
    def get_params(self, deep: bool = True) -> dict[str, Data]: ...
