"""The atoms that a forest chose, each once: how often, for what gain, and where on the grid they lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp

from foliation import _core
from foliation.data.arrays import Array, Floats, Longs, Matrix
from foliation.data.rows import Shape
from foliation.model.model import Model
from foliation.projections.views import view_outline

_MOST_TERMS = 3  # of a sum that is written out


class Atlas(NamedTuple):
    """Distinct atoms as rows of a sparse matrix over the cells, and the number of each split's."""

    atoms: Matrix  # CSR, (atoms, cells)
    of_split: Longs


class Chosen(NamedTuple):
    """One of the atoms that matter most."""

    ids: Longs  # of cells
    weights: Floats
    n_splits: int  # that use it, or its negative
    gain: float  # share of the forest's gain; 0 where scores are no gains


class PlaceNames(Protocol):
    """What the places of a grid are called; see ``foliation.plotting.grid.Places``."""

    @property
    def named(self) -> bool: ...
    def of_view(self, view: str) -> PlaceNames: ...
    def written(self, axis: int, places: Longs, ends: tuple[int, int] | None) -> str: ...


def atlas(model: Model) -> Atlas:
    """Return all atoms of a model."""
    of_split, start, words = _core.distinct_atoms(model.core_trees)
    start, ids, weights = model.dictionary.expand_all(start, words)
    return Atlas(sp.csr_array((weights, ids, start), shape=(len(start) - 1, model.n_cells)), of_split)


def split_gains(model: Model) -> Floats:
    """Return the gain of each split as a share of its tree's, over the number of trees that split at all."""
    n_splits = model.trees.n_splits
    tree = np.repeat(np.arange(len(n_splits)), n_splits)
    gains = np.maximum(model.trees.gain.astype(np.float64), 0.0)
    totals = np.bincount(tree, gains, minlength=len(n_splits))
    shares = np.divide(gains, totals[tree], out=np.zeros_like(gains), where=totals[tree] > 0)
    return np.asarray(shares / max(1, int((totals > 0).sum())))


def chosen_atoms(model: Model, n: int, by: str = "gain") -> list[Chosen]:
    """Return the n atoms with the most gain, or with the most splits; the first weight of each is positive.

    An atom and its negative cut rows in the same two parts, so they count as one.
    """
    atoms, of_split = atlas(model)
    of_atom, first = _core.unsigned_atoms(atoms.indptr.astype(np.int64), atoms.indices.astype(np.int32), atoms.data)
    counts = np.bincount(of_atom[of_split], minlength=len(first))
    gains = np.bincount(of_atom[of_split], split_gains(model), minlength=len(first))
    order = np.argsort(-(gains if by == "gain" else counts), kind="stable")[:n]
    return [Chosen(*_positive(atoms, first[k]), int(counts[k]), float(gains[k])) for k in order]


def _positive(atoms: Matrix, number: int) -> tuple[Longs, Floats]:
    """Return ids and weights of an atom, or of its negative if its first weight is negative."""
    own = slice(*atoms.indptr[number : number + 2])
    weights = atoms.data[own]
    return atoms.indices[own].astype(np.int64), weights if weights[0] > 0 else -weights


def is_table(model: Model) -> bool:
    """Return whether features are columns without an order, not places of a grid."""
    return len(model.grid_shape) == 1 and not any(family.on_grid for family in model.projections.parts())


def _circles(model: Model, view: int) -> list[bool]:
    """Return which axes of the grid, or of one of its views, are circles."""
    flags = [family.circles(model.grid_shape) for family in model.projections.parts()]
    circles = [any(own) for own in zip(*flags, strict=True)]
    return circles if model.views is None else [*circles[:-1], model.views.parts()[view].circle]


def atom_label(model: Model, atom: Chosen, places: PlaceNames | None = None) -> str:
    """Say what an atom sums: features by their names, or the ranges of its places along each axis.

    ``places`` are those of ``foliation.plotting.grid``, for axes whose places have names.
    """
    views = model.views
    shape = model.grid_shape if views is None else views.cell_shape[1:]
    names = model.feature_names if views is None and len(shape) == 1 else None
    named = places is not None and places.named
    if names is not None or (is_table(model) and not named):
        return _sum(atom, lambda at: str(names[at]) if names is not None else f"x{at}")
    view = int(atom.ids[0]) // math.prod(shape)
    name = "" if views is None else views.names[view]
    sides = shape if views is None else (*shape[:-1], views.parts()[view].length)
    circles, names_of = _circles(model, view), places.of_view(name) if places is not None and named else None

    def box(ids: Longs) -> str:
        return _box(_along(np.atleast_1d(ids), shape), sides, circles, names_of)

    parts = [part for part in (atom.weights > 0, atom.weights < 0) if part.any()]
    if len(atom.ids) <= _MOST_TERMS and not all(_is_box(atom.ids[part], shape) for part in parts):
        text = _sum(atom, box)
    else:
        text = " less ".join(box(atom.ids[part]) for part in parts)
        text = text if (atom.weights > 0).any() else f"- {text}"
    if not name:
        return text
    sign = "- " if text.startswith("- ") else ""
    return f"{sign}{view_outline(name).label} {text.removeprefix(sign)}"


def _sum(atom: Chosen, name: Callable[[Longs], str]) -> str:
    """Write the first terms of a sum with their signs, and weights other than one."""
    terms = []
    for at, weight in zip(atom.ids[:_MOST_TERMS], atom.weights, strict=False):
        size = "" if abs(weight) == 1 else f"{abs(weight):.3g} "
        terms.append(f"{'-' if weight < 0 else '+'} {size}{name(at)}")
    more = f" and {len(atom.ids) - _MOST_TERMS} more" if len(atom.ids) > _MOST_TERMS else ""
    return " ".join(terms).removeprefix("+ ") + more


def _along(ids: Longs, shape: Shape) -> list[Array]:
    """Return the places of cells along each axis."""
    return [np.unique(along) for along in np.unravel_index(ids % math.prod(shape), shape)]


def _is_box(ids: Longs, shape: Shape) -> bool:
    return math.prod(len(along) for along in _along(ids, shape)) == len(ids)


def _box(along_axes: list[Array], sides: Shape, circles: list[bool], places: PlaceNames | None) -> str:
    ranges = []
    for axis, along in enumerate(along_axes):
        ends = run_ends(along, sides[axis], circles[axis])
        ranges.append((places.written(axis, along, ends) if places is not None else "") or _range(along, ends))
    return f"[{', '.join(ranges)}]"


def run_ends(places: Longs, side: int, circle: bool) -> tuple[int, int] | None:
    """Return the first and the last of places without a gap, which on a circle may run past the end; else None."""
    gaps = np.flatnonzero(np.diff(places) > 1)
    if not len(gaps):
        return int(places[0]), int(places[-1])
    if circle and len(gaps) == 1 and places[0] == 0 and places[-1] == side - 1:
        return int(places[gaps[0] + 1]), int(places[gaps[0]])
    return None


def _range(places: Longs, ends: tuple[int, int] | None) -> str:
    """Write places along an axis: from the first to the last if there is no gap."""
    if ends is None:
        return some(places)
    return str(ends[0]) if len(places) == 1 else f"{ends[0]}-{ends[1]}"


def some(places: Iterable[object]) -> str:
    """Write the first three of some places."""
    names = [str(place) for place in places]
    return "+".join(names[:3]) + ("+..." if len(names) > 3 else "")
