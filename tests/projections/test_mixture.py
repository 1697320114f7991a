"""Several families at once."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from frequencies import (
    assert_frequencies,
    atoms_of,
    feature,
    node_of,
    uniform_on,
)
from sklearn.base import clone

from foliation import Atoms, Axis, Mixture, Patches, Sparse

N = 20000


def one_feature(number: int) -> Atoms:
    return Atoms(np.eye(3)[[number]])


@pytest.mark.parametrize("p", [[0.5, 0.2, 0.3], [0.9, 0.0, 0.1], [0.0, 0.0, 1.0]], ids=str)
def test_members_have_the_shares_asked_for(p: list[float]) -> None:
    found = atoms_of(Mixture([one_feature(0), one_feature(1), one_feature(2)], p=p), (3,), N)
    assert_frequencies(found, {feature(number): share for number, share in enumerate(p)})


def test_members_have_equal_shares_by_default() -> None:
    found = atoms_of(Mixture([one_feature(0), one_feature(2)]), (3,), N)
    assert_frequencies(found, {feature(0): 0.5, feature(2): 0.5})


def test_atoms_of_a_member_keep_their_frequencies() -> None:
    pairs = Patches(min_size=2, max_size=2, wrap=True)
    found = atoms_of(Mixture([pairs, Atoms(-np.eye(3))], p=[0.6, 0.4]), (3,), N)
    boxes = [((0, 1.0), (1, 1.0)), ((1, 1.0), (2, 1.0)), ((0, 1.0), (2, 1.0))]
    negative = [feature(number, -1.0) for number in range(3)]
    assert_frequencies(found, dict.fromkeys(boxes, 0.2) | dict.fromkeys(negative, 0.4 / 3))


def test_a_mixture_of_one_is_that_family() -> None:
    assert atoms_of(Mixture([Sparse()]), (9,), 500) == atoms_of(Sparse(), (9,), 500)


def test_candidates_of_a_mixture_are_independent() -> None:
    """So that a node may have no other candidate than a given feature, as consistency asks."""
    family = Mixture([Axis(), Atoms(-np.eye(3))])
    pairs = [tuple(node_of(family, (3,), key, 2)) for key in range(N)]
    atoms = [feature(number, sign) for number in range(3) for sign in (1.0, -1.0)]
    assert_frequencies(pairs, uniform_on(product(atoms, repeat=2)))


def test_parameters_of_members_are_within_reach_of_a_search() -> None:
    family = Patches(max_size=3).set_params(max_size=5, contrast=0.25)
    assert (family.max_size, family.contrast) == (5, 0.25)
    assert clone(family).get_params() == family.get_params()
