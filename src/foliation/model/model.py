"""A fitted forest: everything that a prediction needs, and nothing of scikit-learn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from foliation import _core
from foliation.data.arrays import Array, Floats, Ints, Longs
from foliation.model.plan import ModelSpec
from foliation.model.trees import Trees


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The training rows while the estimator that was fitted on them lives, and what was computed from them.

    ``cached`` has ``"hashes"`` (n,), the digests of the rows, and ``"leaves"`` (trees, n) and ``"oob"`` (n, columns),
    each once it was needed.
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

    @cached_property
    def _view_of_member(self) -> Longs:
        """Number of the view that each member of the dictionary draws from."""
        return self.dictionary.first_features // math.prod(self.cell_shape[1:] if self.views else self.cell_shape)

    def view_of(self, words: Ints) -> int:
        """Return the number of the view that an atom lies in; 0 without views."""
        return int(self._view_of_member[words[0] if len(self._view_of_member) > 1 else 0])

    def thresholds(self, splits: slice) -> Floats:
        """Return thresholds in units of X, or of the views of X as they are."""
        scaled = self.trees.threshold[splits]
        if not self.view_exponents.any():
            return scaled
        start, words = self.trees.words_of(splits)
        several = len(self._view_of_member) > 1
        views = self._view_of_member[words[start[:-1]]] if several else np.zeros(len(scaled), np.int64)
        return np.ldexp(scaled, -self.view_exponents[views])
