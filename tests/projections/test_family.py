"""What all families share, single features, explicit dictionaries, mixtures, and names of families."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from frequencies import (
    assert_frequencies,
    atoms_of,
    dictionary_of,
    ids_of,
    node_of,
    uniform_on,
    weights_of,
    words_of,
)
from sklearn.base import clone

from foliation import Atoms, Axis, Kernels, Mixture, Neighborhoods, Patches, Sparse, gabor_bank
from foliation.data.rows import Grid
from foliation.projections import Projections
from foliation.projections.family import resolve

N = 20000
PATH = np.eye(12, k=1)
FAMILIES: dict[str, Projections] = {
    "axis": Axis(),
    "sparse": Sparse(weights="normal"),
    "patches": Patches(contrast=0.5, weights="uniform"),
    "channels": Patches(contiguous=(False, True)),
    "kernels": Kernels(gabor_bank(3)),
    "hops": Neighborhoods(PATH, hops=(0, 2)),
    "parts": Neighborhoods(PATH, size=(1, 5), weights="signs"),
    "atoms": Atoms(np.eye(12)),
    "mixture": Mixture([Axis(), Sparse(), Patches()]),
}


# ---- all families ----


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_a_candidate_depends_on_its_key_and_number_alone(family: Projections) -> None:
    many = node_of(family, (3, 4), key=7, count=10)
    assert node_of(family, (3, 4), key=7, count=4) == many[:4]
    assert node_of(family, (3, 4), key=8, count=10) != many
    assert node_of(clone(family), (3, 4), key=7, count=10) == many


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_features_of_an_atom_are_ascending_and_weights_not_zero(family: Projections) -> None:
    for atom in atoms_of(family, (3, 4), 500):
        assert all(a < b for a, b in pairwise(ids_of(atom)))
        assert 0.0 not in weights_of(atom)
        assert set(ids_of(atom)) <= set(range(12))


@pytest.mark.parametrize("family", [Sparse(nonzeros=1e-9), Patches(max_size=1), Atoms(np.eye(4))], ids=str)
def test_candidates_and_nodes_are_independent(family: Projections) -> None:
    dictionary = dictionary_of(family, (4,))
    nodes = (words_of(dictionary, key, 2) for key in range(N))
    drawn = [[int(dictionary.expand(words)[0][0]) for words in node] for node in nodes]
    pairs = uniform_on(product(range(4), repeat=2))
    assert_frequencies(map(tuple, drawn), pairs)
    assert_frequencies(((a[0], b[0]) for a, b in pairwise(drawn)), pairs)


# ---- single features ----


# ---- explicit dictionaries ----


# ---- mixtures ----


# ---- names ----

LINE, FLAT_IMAGE = Grid((9,), flat=True), Grid((36,), flat=True)


def test_a_family_stands_for_itself() -> None:
    family = Patches(shape=(6, 6))
    assert resolve(family, FLAT_IMAGE) is family
