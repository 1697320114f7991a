"""A fitted forest: everything that a prediction needs, and nothing of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from foliation import _core
from foliation.data.arrays import Array
from foliation.model.plan import ModelSpec
from foliation.model.trees import Trees


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The training rows while the estimator that was fitted on them lives, and what was computed from them.

    ``cached`` has ``"leaves"`` (trees, n), ``"hashes"`` (n,) and ``"oob"`` (n, columns), each once it was needed.
    """

    rows: Array | None = None
    cached: dict[str, Array] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[TrainingRows], tuple[None, Mapping[str, Array]]]:
        return TrainingRows, (None, self.cached)  # pickles have no rows


@dataclass(frozen=True, eq=False, kw_only=True)
class Model(ModelSpec):
    """A fitted forest."""

    trees: Trees
    training: TrainingRows = field(default_factory=TrainingRows)
    oob_score: float | None = None

    @cached_property
    def core_trees(self) -> _core.Trees:
        return _core.Trees(**self.trees.arrays())

    @cached_property
    def router(self) -> _core.Router:
        return _core.Router(self.dictionary, self.core_trees, self.max_abs)

    @property
    def n_trees(self) -> int:
        return self.trees.n_trees
