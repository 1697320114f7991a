"""Boxes of a grid: every atom turns up as often as an enumeration of the documented draws says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np
import pytest
from frequencies import Atom, assert_frequencies, atoms_of, ids_of, uniform_on, weights_of

from foliation import Patches
from foliation.data.grid import Border, Grid

N = 30000


class Place(NamedTuple):
    p: Fraction
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """One axis of a grid, and what a box may be along it."""

    side: int
    low: int
    high: int
    wrap: bool = False
    contiguous: bool = True
    border: Border = "pad"

    def starts(self, size: int) -> range:
        """Where the border lets a box of this size begin."""
        if self.wrap:
            return range(self.side)
        return range(1 - size, self.side) if self.border == "pad" else range(self.side - size + 1)

    def places(self) -> Iterator[Place]:
        sizes = range(self.low, self.high + 1)
        if not self.contiguous:
            for size in sizes:
                for chosen in combinations(range(self.side), size):
                    yield Place(Fraction(1, len(sizes) * comb(self.side, size)), chosen)
        elif self.wrap or self.border == "pad":
            for size in sizes:
                for start in self.starts(size):
                    p = Fraction(1, len(sizes) * len(self.starts(size)))
                    yield Place(p, tuple(range(start, start + size)))
        else:
            for start in range(self.side - self.low + 1):
                fitting = range(self.low, min(self.high, self.side - start) + 1)
                for size in fitting:
                    p = Fraction(1, (self.side - self.low + 1) * len(fitting))
                    yield Place(p, tuple(range(start, start + size)))

    def moves(self, cells: tuple[int, ...]) -> list[int]:
        """How far the second box of a contrast may lie from the first."""
        if not self.contiguous or (self.wrap and len(cells) == self.side):
            return [0]
        reach = min(3, self.side // 2)
        near = range(-reach, reach + 1)
        return [move for move in near if self.wrap or cells[0] + move in self.starts(len(cells))]

    def inside(self, cells: Sequence[int]) -> list[int]:
        if self.wrap:
            return [cell % self.side for cell in cells]
        return [cell for cell in cells if 0 <= cell < self.side]


def patches(lines: Sequence[Line], contrast: float = 0.0, weights: str = "ones") -> Patches:
    return Patches(
        min_size=[line.low for line in lines],
        max_size=[line.high for line in lines],
        wrap=[line.wrap for line in lines],
        contiguous=[line.contiguous for line in lines],
        border=lines[0].border,
        weights=weights,
        contrast=contrast,
    )


def shape_of(lines: Sequence[Line]) -> tuple[int, ...]:
    return tuple(line.side for line in lines)


def features(lines: Sequence[Line], cells: Sequence[Sequence[int]]) -> list[int]:
    """Return the features of a box: what is left of it on the grid."""
    inside = [line.inside(along) for line, along in zip(lines, cells, strict=True)]
    return [int(np.ravel_multi_index(cell, shape_of(lines))) for cell in product(*inside)]


def difference(plus: list[int], minus: list[int]) -> Atom:
    weight = Counter(plus)
    weight.subtract(minus)
    return tuple(sorted((feature, w) for feature, w in weight.items() if w != 0))


def exact(lines: Sequence[Line], contrast: Fraction) -> dict[Atom, Fraction]:
    """Return the probability of every atom of weights one."""
    found: defaultdict[Atom, Fraction] = defaultdict(Fraction)
    for places in product(*(line.places() for line in lines)):
        p = prod((place.p for place in places), start=Fraction(1))
        cells = [place.cells for place in places]
        box = features(lines, cells)
        all_moves = product(*(line.moves(along) for line, along in zip(lines, cells, strict=True)))
        moves = [move for move in all_moves if any(move)]
        found[difference(box, [])] += p * (1 - contrast) if moves else p
        for move in moves:
            moved = [[cell + m for cell in along] for along, m in zip(cells, move, strict=True)]
            found[difference(box, features(lines, moved))] += p * contrast / len(moves)
    return found


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
    flat = Patches(shape=(3, 4), contrast=0.5).dictionary(Grid((12,), flat=True))
    grid = Patches(contrast=0.5).dictionary(Grid((3, 4), flat=False))
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
