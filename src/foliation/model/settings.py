"""The parameters of a forest as one value, whatever estimator they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foliation.data.arrays import Data
from foliation.data.row_hash import SIPHASH
from foliation.data.rows import Grid
from foliation.data.targets import Kind, Targets, class_targets, no_targets, number_targets
from foliation.data.weights import ClassWeight
from foliation.projections import Projections, Sparse
from foliation.projections.family import Given, resolve

MaxFeatures = float | str | None
MaxSamples = float | Callable[[int], int] | None


@dataclass(frozen=True)
class Composition:
    """What makes a forest a classifier, a regressor or a geodesic forest, besides its parameters."""

    learns: Kind
    read_targets: Callable[[Data], Targets]
    resolve_projections: Callable[[Given, Grid], Projections] = resolve


def _geodesic_projections(projections: Given, grid: Grid) -> Projections:
    return Sparse(density=1 / 20) if projections is None else resolve(projections, grid)


CLASSIFICATION = Composition("classes", class_targets)
REGRESSION = Composition("numbers", number_targets)
GEODESIC = Composition("nothing", no_targets, _geodesic_projections)


@dataclass(frozen=True)
class Settings:
    """Validated parameters. Those that an estimator does not have keep their defaults here."""

    composition: Composition
    n_estimators: int
    criterion: str
    projections: Given
    splitter: str
    max_features: MaxFeatures
    max_depth: int | None
    min_samples_split: float | None
    min_samples_leaf: float
    min_weight_fraction_leaf: float
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    min_balance: float
    bootstrap: bool | str
    max_samples: MaxSamples
    random_state: Data
    oob_score: bool | Callable[..., float] = False
    class_weight: ClassWeight = None
    honest: bool | float = False
    honest_fill: str = "sample"
    honest_prior: str = "ancestor"
    variance_floor: float = 0.0
    patience: float = 0.0
    screen: float = 0.0
    continued_seed: int | None = None  # that of the model whose trees are continued by warm_start
    row_hash: str = SIPHASH  # that of the model whose trees are continued by warm_start, if there is one
