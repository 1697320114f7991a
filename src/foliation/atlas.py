"""The atoms that a forest chose, each once: how often, for what gain, and where on the grid they lie."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation.checks import per_axis_flags
from foliation.projections import Kernels, Patches, Projections
from foliation.trees import atom_start

VIEW_WORDS = {
    "east": "edges to the east",
    "west": "edges to the west",
    "south": "edges to the south",
    "north": "edges to the north",
    "relative": "values less the channels' mean",
    "relative_spectrum": "spectrum less the channels' mean",
}
_MOST_TERMS = 3  # of a sum that is written out


class Atlas(NamedTuple):
    """Distinct atoms as rows of a sparse matrix over the cells, and the number of each split's."""

    atoms: Any  # CSR, (atoms, cells)
    of_split: NDArray[np.int64]


class Chosen(NamedTuple):
    """One of the atoms that matter most."""

    ids: NDArray[np.int64]  # of cells
    weights: NDArray[np.float64]
    n_splits: int  # that use it, or its negative
    gain: float  # share of the forest's gain; 0 where scores are no gains


def atlas(forest: Any) -> Atlas:
    """Return all atoms of a fitted forest."""
    trees = forest.trees_
    n_splits = len(trees["threshold"])
    start = atom_start(trees, slice(0, n_splits)).tolist()
    words = np.asarray(trees["atom_words"], dtype=np.int32)
    known: dict[bytes, int] = {}
    of_split = np.empty(n_splits, np.int64)
    for split, (begin, end) in enumerate(pairwise(start)):
        of_split[split] = known.setdefault(words[begin:end].tobytes(), len(known))
    dictionary = forest._dictionary()
    terms = [dictionary.expand(np.frombuffer(key, np.int32)) for key in known]
    shape = len(terms), math.prod(forest._cell_shape)
    if not terms:
        return Atlas(sp.csr_array(shape), of_split)
    ids, weights = (np.concatenate(part) for part in zip(*terms, strict=True))
    offsets = np.cumsum([0, *(len(own) for own, _ in terms)])
    return Atlas(sp.csr_array((weights, ids, offsets), shape=shape), of_split)


def split_gains(forest: Any) -> NDArray[np.float64]:
    """Return the gain of each split as a share of its tree's, over the number of trees that split at all."""
    trees = forest.trees_
    n_splits = np.diff(trees["split_start"])
    tree = np.repeat(np.arange(len(n_splits)), n_splits)
    gains = np.maximum(trees["gain"].astype(np.float64), 0.0)
    totals = np.bincount(tree, gains, minlength=len(n_splits))
    shares = np.divide(gains, totals[tree], out=np.zeros_like(gains), where=totals[tree] > 0)
    return np.asarray(shares / max(1, int((totals > 0).sum())))


def chosen_atoms(forest: Any, n: int, by: str = "gain") -> list[Chosen]:
    """Return the n atoms with the most gain, or with the most splits; the first weight of each is positive.

    An atom and its negative cut rows in the same two parts, so they count as one.
    """
    found = atlas(forest)
    atoms, of_atom = _unsigned(found.atoms)
    of_split = of_atom[found.of_split]
    counts = np.bincount(of_split, minlength=len(atoms))
    gains = np.bincount(of_split, split_gains(forest), minlength=len(atoms))
    order = np.argsort(-(gains if by == "gain" else counts), kind="stable")[:n]
    return [Chosen(atoms[k][0], atoms[k][1], int(counts[k]), float(gains[k])) for k in order]


def _unsigned(atoms: Any) -> tuple[list[tuple[NDArray[np.int64], NDArray[np.float64]]], NDArray[np.int64]]:
    """Return ids and weights of the atoms that differ in more than their sign, and the number of each one's."""
    known: dict[tuple[bytes, bytes], int] = {}
    kept: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
    of_atom = np.empty(atoms.shape[0], np.int64)
    for k, (begin, end) in enumerate(pairwise(atoms.indptr.tolist())):
        ids, weights = atoms.indices[begin:end].astype(np.int64), atoms.data[begin:end]
        weights = weights if weights[0] > 0 else -weights
        of_atom[k] = known.setdefault((ids.tobytes(), weights.tobytes()), len(known))
        if of_atom[k] == len(kept):
            kept.append((ids, weights))
    return kept, of_atom


def families(forest: Any) -> list[Projections]:
    """Return the families that a forest draws from: one, or those of a mixture."""
    return list(getattr(forest.projections_, "projections", [forest.projections_]))


def is_table(forest: Any) -> bool:
    """Return whether features are columns without an order, not places of a grid."""
    return len(forest.grid_shape_) == 1 and not any(isinstance(one, Patches | Kernels) for one in families(forest))


def _circles(forest: Any, view: int) -> list[bool]:
    """Return which axes of the grid, or of one of its views, are circles."""
    shape, views = forest.grid_shape_, forest._know()[2]
    flags = [per_axis_flags("", "wrap", one.wrap, shape) for one in families(forest) if hasattr(one, "wrap")]
    found = [any(own) for own in zip(*flags, strict=True)] if flags else [False] * len(shape)
    return found if views is None else [*found[:-1], views.parts()[view].circle]


def atom_label(forest: Any, atom: Chosen, places: Any = None) -> str:
    """Say what an atom sums: features by their names, or the ranges of its places along each axis.

    ``places`` are those of ``foliation.plotting.grid``, for axes whose places have names.
    """
    shape, views = forest.grid_shape_, forest._know()[2]
    names = getattr(forest, "feature_names_in_", None) if views is None and len(shape) == 1 else None
    named = places is not None and places.named
    if names is not None or (is_table(forest) and not named):
        return _sum(atom, lambda at: str(names[at]) if names is not None else f"x{at}")
    view = int(atom.ids[0]) // math.prod(shape)
    name = "" if views is None else views.names[view]
    circles, names_of = _circles(forest, view), places.of_view(name) if named else None

    def box(ids: Any) -> str:
        return _box(np.atleast_1d(ids), shape, circles, names_of)

    parts = [part for part in (atom.weights > 0, atom.weights < 0) if part.any()]
    if len(atom.ids) <= _MOST_TERMS and not all(_is_box(atom.ids[part], shape) for part in parts):
        text = _sum(atom, box)
    else:
        text = " less ".join(box(atom.ids[part]) for part in parts)
        text = text if (atom.weights > 0).any() else f"- {text}"
    if not name:
        return text
    sign = "- " if text.startswith("- ") else ""
    return f"{sign}{VIEW_WORDS.get(name, name)} {text.removeprefix(sign)}"


def _sum(atom: Chosen, name: Callable[[Any], str]) -> str:
    """Write the first terms of a sum with their signs, and weights other than one."""
    terms = []
    for at, weight in zip(atom.ids[:_MOST_TERMS], atom.weights, strict=False):
        size = "" if abs(weight) == 1 else f"{abs(weight):.3g} "
        terms.append(f"{'-' if weight < 0 else '+'} {size}{name(at)}")
    more = f" and {len(atom.ids) - _MOST_TERMS} more" if len(atom.ids) > _MOST_TERMS else ""
    return " ".join(terms).removeprefix("+ ") + more


def _along(ids: NDArray[np.int64], shape: tuple[int, ...]) -> list[NDArray[Any]]:
    """Return the places of cells along each axis."""
    return [np.unique(along) for along in np.unravel_index(ids % math.prod(shape), shape)]


def _is_box(ids: NDArray[np.int64], shape: tuple[int, ...]) -> bool:
    return math.prod(len(along) for along in _along(ids, shape)) == len(ids)


def _box(ids: NDArray[np.int64], shape: tuple[int, ...], circles: list[bool], places: Any) -> str:
    found = []
    for axis, along in enumerate(_along(ids, shape)):
        ends = run_ends(along, shape[axis], circles[axis])
        found.append((places.written(axis, along, ends) if places is not None else "") or _range(along, ends))
    return f"[{', '.join(found)}]"


def run_ends(places: NDArray[np.int64], side: int, circle: bool) -> tuple[int, int] | None:
    """Return the first and the last of places without a gap, which on a circle may run past the end; else None."""
    gaps = np.flatnonzero(np.diff(places) > 1)
    if not len(gaps):
        return int(places[0]), int(places[-1])
    if circle and len(gaps) == 1 and places[0] == 0 and places[-1] == side - 1:
        return int(places[gaps[0] + 1]), int(places[gaps[0]])
    return None


def _range(places: NDArray[np.int64], ends: tuple[int, int] | None) -> str:
    """Write places along an axis: from the first to the last if there is no gap."""
    if ends is None:
        return some(places)
    return str(ends[0]) if len(places) == 1 else f"{ends[0]}-{ends[1]}"


def some(places: Iterable[Any]) -> str:
    """Write the first three of some places."""
    names = [str(place) for place in places]
    return "+".join(names[:3]) + ("+..." if len(names) > 3 else "")
