"""Two sets of rows compared by a model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from foliation._core import Machine
from foliation.analysis.depth_affinity import DepthAffinity
from foliation.analysis.leaf_cooccurrence import LeafCooccurrence, LeafIds
from foliation.data.arrays import Array, Floats, Longs, Matrix
from foliation.model.model import Model
from foliation.model.predict import leaf_ids
from foliation.model.training import RowSet, membership, training_leaves


class Affinity(Protocol):
    """Affinities of rows to others, between 0 and 1."""

    shape: tuple[int, int]

    def warn_of_pairs(self) -> None: ...
    def check_size(self, least: float) -> None: ...
    def blocks(self, least: float = 0.0) -> Iterator[tuple[slice, Matrix]]: ...
    def nearest(self, k: int, own: Longs) -> tuple[Floats, Longs]: ...


@dataclass(frozen=True)
class Comparison:
    """How rows are compared: by which model and affinity, and on which machine."""

    model: Model
    machine: Machine
    affinity: Literal["leaf", "depth"] = "leaf"

    @property
    def n_training_rows(self) -> int:
        return self.model.sampling.n_rows

    def of_training_rows(self, kind: RowSet = "all") -> LeafIds:
        return LeafIds(training_leaves(self.model, self.machine), membership(self.model, kind, self.machine))

    def of_rows(self, rows: Array) -> LeafIds:
        return LeafIds(leaf_ids(self.model, rows, self.machine), np.empty(0, np.uint64))

    def between(self, rows: LeafIds, others: LeafIds) -> Affinity:
        if self.affinity == "depth":
            return DepthAffinity(rows, others, self.model, self.machine)
        return LeafCooccurrence(rows, others, self.model, self.machine)
