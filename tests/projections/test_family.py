"""What all families share, single features, explicit dictionaries, mixtures, and names of families."""

from __future__ import annotations

from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from frequencies import (
    Atom,
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


def feature(number: int, weight: float = 1.0) -> Atom:
    return ((number, weight),)


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


def test_features_are_equally_likely() -> None:
    found = (node_of(Axis(), (7,), key, 1)[0] for key in range(N))
    assert_frequencies(found, uniform_on(map(feature, range(7))))


@pytest.mark.parametrize("count", [2, 3, 4])
def test_all_orders_of_features_in_a_node_are_equally_likely(count: int) -> None:
    found = (tuple(node_of(Axis(), (4,), key, count)) for key in range(N))
    assert_frequencies(found, uniform_on(permutations(map(feature, range(4)), count)))


def test_a_node_runs_out_of_features() -> None:
    assert sorted(node_of(Axis(), (5,), key=1, count=9)) == [feature(number) for number in range(5)]


# ---- explicit dictionaries ----

MATRIX = np.array([[1.0, 0, 0, 2], [0, -0.5, 0, 0], [0, 0, 3, 4], [1, 1, 1, 1]])
ROWS: list[Atom] = [
    ((0, 1.0), (3, 2.0)),
    ((1, -0.5),),
    ((2, 3.0), (3, 4.0)),
    ((0, 1.0), (1, 1.0), (2, 1.0), (3, 1.0)),
]


@pytest.mark.parametrize("p", [[0.1, 0.2, 0.3, 0.4], [0, 0.7, 0.3, 0], [0.05, 0, 0, 0.95]], ids=str)
def test_rows_have_the_frequencies_asked_for(p: list[float]) -> None:
    assert_frequencies(atoms_of(Atoms(MATRIX, p=p), (4,), N), dict(zip(ROWS, p, strict=True)))


@pytest.mark.parametrize("form", [np.array, sp.csr_array, sp.coo_array, sp.csc_matrix, np.ndarray.tolist])
def test_rows_are_equally_likely_by_default_in_any_form(form: Any) -> None:
    assert_frequencies(atoms_of(Atoms(form(MATRIX)), (4,), N), uniform_on(ROWS))


def test_repeated_entries_of_a_row_are_summed_and_the_matrix_is_left_alone() -> None:
    values, columns = np.array([1.0, 2.0, 5.0, -5.0]), np.array([1, 1, 0, 0])
    matrix = sp.csr_array((values, columns, np.array([0, 4])), shape=(1, 3))
    assert set(atoms_of(Atoms(matrix), (3,), 100)) == {feature(1, 3.0)}
    assert matrix.nnz == 4


# ---- mixtures ----


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


# ---- names ----

LINE, FLAT_IMAGE = Grid((9,), flat=True), Grid((36,), flat=True)
VIEWS, EDGES = ("raw", "difference", "spectrum"), ("raw", "east", "west", "south", "north")
RELATIVE = (*VIEWS, "relative", "relative_spectrum")
IMAGE, SERIES, VIDEO = (Grid(shape, flat=False) for shape in [(6, 8), (3, 100), (2, 4, 50)])


@pytest.mark.parametrize(
    ("name", "grid", "expected"),
    [
        (None, LINE, Sparse()),
        (None, IMAGE, Patches()),
        (None, VIDEO, Patches()),
        ("axis", LINE, Axis()),
        ("axis", IMAGE, Axis()),
        ("sparse", LINE, Sparse()),
        ("sparse", IMAGE, Sparse()),
        ("patches", LINE, Patches()),
        ("patches", IMAGE, Patches()),
        ("image", IMAGE, Patches(max_size=[2, 3], views=EDGES)),
        ("image", VIDEO, Patches(max_size=[1, 2, 17])),
        ("image", Grid((2, 5, 50), flat=False), Patches(max_size=[1, 2, 17], views=EDGES)),
        ("series", LINE, Patches(max_size=[3], contiguous=[True], contrast=0.5, views=VIEWS)),
        ("series", SERIES, Patches(max_size=[2, 10], contiguous=[False, True], contrast=0.5, views=VIEWS)),
        ("series", Grid((3, 1), flat=False), Patches(max_size=[2, 1], contiguous=[False, True], contrast=0.5)),
        ("channels", SERIES, Patches(max_size=[2, 10], contiguous=[False, True], contrast=0.25, views=RELATIVE)),
        (
            "channels",
            Grid((1, 100), flat=False),
            Patches(max_size=[1, 10], contiguous=[False, True], contrast=0.25, views=VIEWS),
        ),
        (
            "channels",
            VIDEO,
            Patches(max_size=[2, 2, 7], contiguous=[False, False, True], contrast=0.25, views=RELATIVE),
        ),
    ],
    ids=str,
)
def test_names_stand_for_families(name: str | None, grid: Grid, expected: Projections) -> None:
    found = resolve(name, grid)
    assert type(found) is type(expected)
    assert found.get_params() == expected.get_params()
    assert atoms_of(found, grid.shape, 200) == atoms_of(expected, grid.shape, 200)


def test_a_family_stands_for_itself() -> None:
    family = Patches(shape=(6, 6))
    assert resolve(family, FLAT_IMAGE) is family


@pytest.mark.parametrize("name", ["image", "channels"])
def test_names_of_grids_need_a_grid(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^projections='{name}' needs .* rows have shape \(36,\)$"):
        resolve(name, FLAT_IMAGE)


def test_parameters_of_members_are_within_reach_of_a_search() -> None:
    family = Patches(max_size=3).set_params(max_size=5, contrast=0.25)
    assert (family.max_size, family.contrast) == (5, 0.25)
    assert clone(family).get_params() == family.get_params()
