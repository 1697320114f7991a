"""The rows that grow and that fill the trees of a fitted forest."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from foliation.model import training

Samples = tuple[NDArray[Any], NDArray[Any]]  # rows and their weights


def structure_samples(forest: Any, tree: int) -> Samples:
    """Return the rows by which a tree was grown."""
    found = training.structure_samples(forest.model_, tree)
    return found.rows, found.weights


def estimation_samples(forest: Any, tree: int) -> Samples:
    """Return the rows whose targets fill the leaves of a tree."""
    found = training.estimation_samples(forest.model_, tree)
    return found.rows, found.weights
