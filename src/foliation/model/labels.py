"""What atoms are called: features by their names, boxes by the ranges of their places."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from foliation import _core
from foliation.data.arrays import Array, Floats, Ints, Longs
from foliation.data.rows import Shape
from foliation.model.model import Model
from foliation.printable import printable
from foliation.projections.views import view_outline

# Names that could be read as numbers or as several terms
_MISTAKABLE = re.compile(r'^[-+.\d]|(^|\s)[-+](\s|$)|[<>="]')
Along = Sequence[int]  # places along an axis; on a circle a range may run past its end


class PlaceNames(Protocol):
    """What the places of a grid are called; see ``foliation.plotting.grid.Places``."""

    @property
    def named(self) -> bool: ...
    def of_view(self, view: str) -> PlaceNames: ...
    def written(self, axis: int, places: Along, ends: tuple[int, int] | None) -> str: ...


class Stored(NamedTuple):
    """An atom as a split stores it, or its negative."""

    words: Ints
    sign: int = 1


class _Box(NamedTuple):
    """A part of a grid, with the same weight everywhere."""

    weight: float
    axes: list[Along]

    @property
    def n_cells(self) -> int:
        return math.prod(map(len, self.axes))


@dataclass(frozen=True)
class Labels:
    """Names of the atoms of a model.

    A patch is written by the ranges of its places, whatever its size; it is never expanded to its cells, of which a
    file may claim billions. Other atoms are written term by term.

    Parameters
    ----------
    model : Model
    places : PlaceNames, optional
        Names of places along the axes.
    max_terms : int, optional
        An atom of more terms is summarized; None writes all of them.
    digits : int, optional
        Significant digits of weights; None writes as many as tell a weight from all others.
    rule : bool
        Whether labels are parts of a rule: each box has the name of its view as ``Patches(views=)`` has it.
    """

    model: Model
    places: PlaceNames | None = None
    max_terms: int | None = 3
    digits: int | None = 3
    rule: bool = False

    def of(self, atom: Stored) -> str:
        """Write an atom."""
        listed = self.model.dictionary.boxes(atom.words)
        view = self.model.view_of(atom.words)
        if not listed.boxes:
            return self._of_terms(view, *self._terms(atom))
        signs = (atom.sign, -atom.sign)
        boxes = [_Box(sign, [_along(axis) for axis in box]) for sign, box in zip(signs, listed.boxes, strict=False)]
        if not listed.weighted:
            return self._of_boxes(view, sorted(boxes, key=lambda box: box.weight < 0))
        n_cells = max(box.n_cells for box in boxes)
        if self.max_terms is None or n_cells <= self.max_terms:
            return self._of_terms(view, *self._terms(atom))
        return self._summary(view, n_cells, boxes)

    def _terms(self, atom: Stored) -> tuple[Longs, Floats]:
        ids, weights = self.model.dictionary.expand(atom.words)
        return ids.astype(np.int64), weights * atom.sign

    # ---- atoms that are written term by term ----

    def _of_terms(self, view: int, ids: Longs, weights: Floats) -> str:
        ids = ids - view * math.prod(self._shape)
        few = self.max_terms is None or len(ids) <= self.max_terms
        if not self._on_grid:
            first = zip(ids[: self.max_terms], weights[: self.max_terms], strict=True)
            text = self._sum([(weight, self._feature(at)) for at, weight in first])
            return text if few else f"{text} and {len(ids) - (self.max_terms or 0)} more"
        parts = [part for part in (weights > 0, weights < 0) if part.any()]
        boxes = [_Box(float(weights[part][0]), self._places_of(ids[part])) for part in parts]
        plain = not self.rule and (np.abs(weights) == 1).all()  # rules keep the order in which terms are summed
        if plain and all(box.n_cells == part.sum() for box, part in zip(boxes, parts, strict=True)):
            return self._of_boxes(view, boxes)
        if not few:
            return self._summary(view, len(ids), [_Box(1, self._places_of(ids))])
        cells = [_Box(weight, self._places_of(ids[k : k + 1])) for k, weight in enumerate(weights.tolist())]
        text = self._sum([(cell.weight, self._in_view(view, cell)) for cell in cells])
        return text if self.rule or not self._view_label(view) else f"{self._view_label(view)} ({text})"

    def _feature(self, number: int) -> str:
        names = self.model.feature_names
        return f"x{number}" if names is None else _unmistakable(printable(names[number]))

    def _sum(self, terms: list[tuple[float, str]]) -> str:
        """Write terms with their signs, and weights other than one."""
        written = []
        for weight, name in terms[: self.max_terms]:
            size = "" if abs(weight) == 1 else f"{number(abs(weight), self.digits)} "
            written.append(f"{'-' if weight < 0 else '+'} {size}{name}")
        return " ".join(written).removeprefix("+ ")

    def _places_of(self, ids: Longs) -> list[Along]:
        """Return the places of cells along each axis of a view."""
        return [np.unique(along).tolist() for along in np.unravel_index(ids, self._shape)]

    # ---- boxes ----

    def _of_boxes(self, view: int, boxes: list[_Box]) -> str:
        """Write a sum over boxes with their signs."""
        if self.rule:
            return self._sum([(box.weight, self._in_view(view, box)) for box in boxes])
        text = " less ".join(self._brackets(view, box) for box in boxes)
        sign = "- " if boxes[0].weight < 0 else ""
        return f"{sign}{self._view_label(view)} {text}" if self._view_label(view) else f"{sign}{text}"

    def _in_view(self, view: int, box: _Box) -> str:
        if not self.rule:
            return self._brackets(view, box)
        name = self._view_name(view) or ("x" if self._columns is None else "")
        return f"{'sum ' if box.n_cells > 1 else ''}{name}{self._brackets(view, box)}"

    def _summary(self, view: int, n_terms: int, boxes: list[_Box]) -> str:
        """Write how many weights an atom has, and where."""
        where = [self._view_label(view), " less ".join(self._brackets(view, box) for box in boxes)]
        return f"{n_terms:,} weights on {' '.join(filter(None, where))}"

    def _brackets(self, view: int, box: _Box) -> str:
        views, names = self.model.views, self.places
        length = self._shape[-1] if views is None else views.parts()[view].length
        sides = (*self._shape[:-1], length)
        circles = self._circles if views is None else [*self._circles[:-1], views.parts()[view].circle]
        names_of = names.of_view(self._view_name(view)) if names is not None and names.named else None
        if self._columns is not None and box.n_cells == 1:
            return str(self._columns[box.axes[0][0]])
        ranges = []
        for axis, along in enumerate(box.axes):
            ends = run_ends(along, sides[axis], circles[axis])
            written = names_of.written(axis, along, ends) if names_of is not None else ""
            ranges.append(written or self._range(along, ends))
        return f"[{', '.join(ranges)}]"

    def _range(self, places: Along, ends: tuple[int, int] | None) -> str:
        """Write places along an axis: from the first to the last if there is no gap."""
        names = self._columns
        if ends is None:
            named = [str(place) if names is None else str(names[place]) for place in places]
            return some(named, self.max_terms)
        first, last = (str(end) if names is None else str(names[end]) for end in ends)
        return first if len(places) == 1 else f"{first}-{last}" if names is None else f"{first} to {last}"

    # ---- the grid ----

    @property
    def _shape(self) -> Shape:
        """Shape of the grid, or of each view among the cells."""
        return self.model.grid_shape if self.model.views is None else self.model.cell_shape[1:]

    @cached_property
    def _circles(self) -> list[bool]:
        """Which axes of the grid are circles."""
        flags = [family.circles(self.model.grid_shape) for family in self.model.projections.parts()]
        return [any(own) for own in zip(*flags, strict=True)]

    @cached_property
    def _on_grid(self) -> bool:
        """Whether features are places of a grid, not columns without an order."""
        named = self.places is not None and self.places.named
        return self._columns is None and (named or not is_table(self.model))

    @cached_property
    def _columns(self) -> list[str] | None:
        """Names of the places of a line that is not seen through views: those of the columns of a data frame."""
        names = self.model.feature_names if self.model.views is None and len(self._shape) == 1 else None
        return None if names is None else [printable(name) for name in names]

    def _view_name(self, view: int) -> str:
        return "" if self.model.views is None else self.model.views.names[view]

    def _view_label(self, view: int) -> str:
        """Return the name of a view as pictures have it; as ``Patches(views=)`` has it in a rule."""
        name = self._view_name(view)
        return name if self.rule or not name else view_outline(name).label


def number(value: float, digits: int | None = None) -> str:
    """Write a number with so many significant digits; by default with the fewest that read back as the same number."""
    return repr(float(value)).removesuffix(".0") if digits is None else f"{value:.{digits}g}"


def is_table(model: Model) -> bool:
    """Return whether features are columns without an order, not places of a grid."""
    return len(model.grid_shape) == 1 and not any(family.on_grid for family in model.projections.parts())


def _along(axis: _core.BoxAxis) -> Along:
    chosen: Array = axis.chosen
    return chosen.tolist() if len(chosen) else range(axis.start, axis.start + axis.size)


def run_ends(places: Along, side: int, circle: bool) -> tuple[int, int] | None:
    """Return the first and the last of places without a gap, which on a circle may run past the end; else None."""
    if isinstance(places, range):
        return places[0], places[-1] % side
    gaps = np.flatnonzero(np.diff(places) > 1)
    if not len(gaps):
        return int(places[0]), int(places[-1])
    if circle and len(gaps) == 1 and places[0] == 0 and places[-1] == side - 1:
        return int(places[gaps[0] + 1]), int(places[gaps[0]])
    return None


def some(places: Sequence[object], most: int | None = 3) -> str:
    """Write the first of some places, or all."""
    more = most is not None and len(places) > most
    return "+".join(map(str, places[:most])) + ("+..." if more else "")


def _unmistakable(name: str) -> str:
    """Write a name in quotes if it could be read as a number or as several terms of a sum."""
    return '"' + name.replace('"', r"\"") + '"' if _MISTAKABLE.search(name) else name
