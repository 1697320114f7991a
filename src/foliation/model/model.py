"""A fitted forest: everything that a prediction needs, and nothing of scikit-learn."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from functools import cached_property

from foliation import _core
from foliation.data.arrays import Array, Bools, Floats, Ints
from foliation.data.grid import Grid, Shape
from foliation.data.targets import Targets
from foliation.model.known import KnownOfTraining
from foliation.model.sampling import Sampling
from foliation.model.trees import Trees
from foliation.projections import Projections
from foliation.projections.views import Views


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelSpec:
    """What a plan and the model that is grown from it share."""

    grid: Grid  # of the rows as they were given
    feature_names: Array | None
    projections: Projections
    targets: Targets
    sampling: Sampling
    seed: int
    max_abs: float  # largest absolute value of the training rows, or of their views; sets the scale of box sums
    view_exponents: Ints  # of the powers of two that views are multiplied by; empty without views
    fingerprint: int  # of the training rows
    criterion: str
    leaf_prior: str  # what an honest leaf without estimation samples predicts
    screened: Bools | None = None  # features that the screen of a geodesic forest let pass

    @cached_property
    def views(self) -> Views | None:
        return self.projections.views_on(self.grid)

    @cached_property
    def dictionary(self) -> _core.Dictionary:
        return self.projections.dictionary(self.grid)

    @cached_property
    def grid_shape(self) -> Shape:
        """Shape of the grid that the projections live on."""
        return self.projections.shape_on(self.grid)

    @property
    def cell_shape(self) -> Shape:
        """Shape of what atoms are sums over: the grid, after an axis of views if there are any."""
        return self.grid_shape if self.views is None else self.views.cell_shape

    @property
    def n_cells(self) -> int:
        return math.prod(self.cell_shape)

    @cached_property
    def prior(self) -> Floats:
        """What rows get for which no tree has a prediction: class shares, or means, of all training rows."""
        return self.targets.prior(self.sampling.row_weights)

    @cached_property
    def core_sampling(self) -> _core.Sampling:
        return self.sampling.core(self.seed)

    def __getstate__(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, eq=False, kw_only=True)
class Model(ModelSpec):
    """A fitted forest."""

    trees: Trees
    training: KnownOfTraining = field(default_factory=KnownOfTraining)
    oob_score: float | None = None

    @classmethod
    def of(cls, spec: ModelSpec, trees: Trees, rows: Array | None = None) -> Model:
        """Return the model of a plan, or of another model, with these trees."""
        shared = {one.name: getattr(spec, one.name) for one in fields(ModelSpec)}
        return cls(**shared, trees=trees, training=KnownOfTraining(rows))

    @cached_property
    def router(self) -> _core.Router:
        return _core.Router(self.dictionary, self.trees.core, self.max_abs)

    @property
    def n_trees(self) -> int:
        return self.trees.n_trees
