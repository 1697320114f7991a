"""Boxes of a grid: every atom turns up as often as an enumeration of the documented draws says."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from frequencies import assert_frequencies, atoms_of, ids_of, uniform_on, weights_of
from patch_draws import Line, exact, patches, shape_of

from foliation import Patches
from foliation.data.rows import Grid
from foliation.projections.family import Border, dictionary_of

N = 30000


def inside(*sizes: tuple[int, int, int]) -> list[Line]:
    return [Line(*size, border="inside") for size in sizes]


GRIDS = {
    "line": [Line(7, 1, 3)],
    "line, one size": [Line(7, 2, 2)],
    "line, up to all of it": [Line(4, 1, 4)],
    "one cell": [Line(1, 1, 1)],
    "plane": [Line(3, 1, 2), Line(4, 2, 3)],
    "flat plane": [Line(1, 1, 1), Line(5, 1, 2)],
    "space": [Line(2, 1, 2), Line(2, 1, 1), Line(3, 1, 2)],
    "inside a line": inside((7, 2, 4)),
    "inside a line, all of it": inside((5, 5, 5)),
    "inside a line, up to all of it": inside((4, 1, 4)),
    "inside a plane": inside((3, 1, 3), (4, 2, 3)),
    "circle": [Line(6, 1, 3, wrap=True)],
    "circle, up to all of it": [Line(5, 4, 5, wrap=True)],
    "cylinder": [Line(3, 1, 2), Line(4, 1, 3, wrap=True)],
    "cylinder, inside": [Line(3, 1, 2, border="inside"), Line(4, 2, 3, wrap=True, border="inside")],
    "torus": [Line(3, 1, 2, wrap=True), Line(4, 2, 4, wrap=True)],
    "set": [Line(5, 1, 4, contiguous=False)],
    "channels": [Line(4, 1, 3, contiguous=False), Line(4, 1, 2)],
    "channels in space": [Line(3, 1, 2, contiguous=False), Line(2, 1, 2), Line(3, 2, 2, contiguous=False)],
}


@pytest.mark.parametrize("lines", GRIDS.values(), ids=GRIDS)
def test_boxes_have_their_exact_frequencies(lines: list[Line]) -> None:
    assert_frequencies(atoms_of(patches(lines), shape_of(lines), N), exact(lines, Fraction(0)))


@pytest.mark.parametrize("contrast", [Fraction(1, 2), Fraction(1)], ids=str)
@pytest.mark.parametrize("lines", GRIDS.values(), ids=GRIDS)
def test_contrasts_have_their_exact_frequencies(lines: list[Line], contrast: Fraction) -> None:
    found = atoms_of(patches(lines, float(contrast)), shape_of(lines), N)
    assert () not in found
    assert_frequencies(found, exact(lines, contrast))


@pytest.mark.parametrize("lines", [GRIDS["line"], GRIDS["plane"], GRIDS["space"]], ids=str)
def test_padding_makes_all_features_equally_likely(lines: list[Line]) -> None:
    per_axis = [
        Fraction(sum(Fraction(size, line.side + size - 1) for size in range(line.low, line.high + 1)))
        / (line.high - line.low + 1)
        for line in lines
    ]
    enumerated: defaultdict[int, Fraction] = defaultdict(Fraction)
    for atom, p in exact(lines, Fraction(0)).items():
        for feature in ids_of(atom):
            enumerated[feature] += p
    assert set(enumerated.values()) == {prod(per_axis)}
    atoms = atoms_of(patches(lines), shape_of(lines), N)
    drawn = Counter(feature for atom in atoms for feature in ids_of(atom))
    mean, deviation = N * prod(per_axis), float(N * prod(per_axis) * (1 - prod(per_axis))) ** 0.5
    assert len(drawn) == prod(shape_of(lines))
    assert all(abs(count - mean) < 4.5 * deviation for count in drawn.values())


def test_a_box_across_the_seam_is_as_likely_as_any_other() -> None:
    found = [ids_of(atom) for atom in atoms_of(Patches(min_size=3, max_size=3, wrap=True), (6,), N)]
    boxes = [(0, 1, 2), (1, 2, 3), (2, 3, 4), (3, 4, 5), (0, 4, 5), (0, 1, 5)]
    assert_frequencies(found, uniform_on(boxes))


def test_sizes_on_a_circle_are_uniform() -> None:
    found = [len(atom) for atom in atoms_of(Patches(min_size=2, max_size=5, wrap=True), (9,), N)]
    assert_frequencies(found, uniform_on([2, 3, 4, 5]))


@pytest.mark.parametrize("border", ["pad", "inside"])
def test_a_box_never_runs_into_the_next_row(border: Border) -> None:
    for atom in atoms_of(Patches(max_size=(4, 5), border=border), (9, 11), 5000):
        rows, columns = np.unravel_index(ids_of(atom), (9, 11))
        assert len(atom) == (np.ptp(rows) + 1) * (np.ptp(columns) + 1) > 0


def test_a_flat_row_is_read_in_the_shape_given() -> None:
    flat = dictionary_of(Patches(shape=(3, 4), contrast=0.5), Grid((12,), flat=True), None)
    grid = dictionary_of(Patches(contrast=0.5), Grid((3, 4), flat=False), None)
    assert [a.tolist() for a in flat.draw(1, 50)] == [a.tolist() for a in grid.draw(1, 50)]


def test_the_share_of_contrasts_is_as_asked_for() -> None:
    found = atoms_of(Patches(contrast=0.3, wrap=True), (50,), N)
    assert_frequencies((min(weights_of(atom)) < 0 for atom in found), {True: 0.3, False: 0.7})
    assert {w for atom in found for w in weights_of(atom)} == {-1.0, 1.0}


def test_displacements_are_uniform_up_to_three_cells() -> None:
    moves = []
    for atom in atoms_of(Patches(max_size=1, contrast=1.0, border="inside"), (30,), N):
        cell = {weight: feature for feature, weight in atom}
        if 3 <= cell[1.0] <= 26:
            moves.append(cell[-1.0] - cell[1.0])
    assert_frequencies(moves, uniform_on([-3, -2, -1, 1, 2, 3]))


def test_a_box_without_room_to_move_is_plain() -> None:
    whole = Patches(min_size=4, max_size=4, contrast=1.0, border="inside")
    circle = Patches(min_size=4, max_size=4, contrast=1.0, wrap=True)
    for family in (whole, circle):
        assert set(atoms_of(family, (4,), 1000)) == {tuple((feature, 1.0) for feature in range(4))}
