"""Atoms are written out if memory holds them, and what shows some of their terms does without."""

from __future__ import annotations

import numpy as np
import pytest
from long_calls import patches

import foliation as fo
from foliation.data.rows import Grid
from foliation.model.atoms import MANY_TERMS, expand_atoms
from foliation.model.model import Model
from foliation.projections.family import dictionary_of

SIDE = 10_000_000


def test_the_terms_of_atoms_follow_each_other() -> None:
    family = fo.Atoms(np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 0.0]]))
    dictionary = dictionary_of(family, Grid((3,), flat=True), None)
    start, ids, weights = expand_atoms(dictionary, np.arange(4), np.array([1, 0, 1], np.int32), "three atoms")
    assert (start.tolist(), ids.tolist(), weights.tolist()) == ([0, 1, 3, 4], [1, 0, 2, 1], [-1.0, 1.0, 2.0, -1.0])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Model:
    """Return a model of three splits by millions of cells, and little memory."""
    model = patches().model_
    assert SIDE > MANY_TERMS
    monkeypatch.setattr("foliation.memory.available_bytes", lambda: 1e8)
    return model


def test_what_does_not_fit_is_refused_with_its_size(model: Model) -> None:
    sizes = "of 10,000,000 terms would take 320 MB, but 100 MB are free"
    with pytest.raises(MemoryError, match=f"leaf_polytope {sizes}"):
        patches().leaf_polytope(0, 0)
    with pytest.raises(MemoryError, match=f"an atom {sizes}"):
        patches().tree(0).atom(0)
    with pytest.raises(MemoryError, match=f"the distinct atoms of the forest {sizes}"):
        fo.export.to_onnx(patches())


def test_a_tree_is_shown_without_its_terms(model: Model) -> None:
    assert "10,000,000 weights on [0, 0-9999999] <= " in patches().tree(0).text()
    assert "10,000,000 weights on [0, 0-9999999]" in patches().tree(0).label(0)
