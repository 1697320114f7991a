"""Enumerate the documented draws of patches: every atom of a small grid with its exact probability."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import NamedTuple

import numpy as np
from frequencies import Atom

from foliation import Patches
from foliation.projections.family import Border


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
