"""The atoms that a forest chose, each once: how often, for what gain, and where on the grid they lie."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from foliation import rows
from foliation.trees import atom_start


class Atlas(NamedTuple):
    """Distinct atoms as rows of a sparse matrix over the cells, and the number of each split's."""

    atoms: Any  # CSR, (atoms, cells)
    of_split: NDArray[np.int64]


class Chosen(NamedTuple):
    """One of the atoms that matter most."""

    ids: NDArray[np.int64]  # of cells
    weights: NDArray[np.float64]
    n_splits: int  # that use it
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
    """Return the n atoms with the most gain, or with the most splits."""
    found = atlas(forest)
    n_atoms = found.atoms.shape[0]
    counts = np.bincount(found.of_split, minlength=n_atoms)
    gains = np.bincount(found.of_split, split_gains(forest), minlength=n_atoms)
    order = np.argsort(-(gains if by == "gain" else counts), kind="stable")[:n]
    atoms = found.atoms
    return [
        Chosen(
            atoms.indices[atoms.indptr[k] : atoms.indptr[k + 1]].astype(np.int64),
            atoms.data[atoms.indptr[k] : atoms.indptr[k + 1]],
            int(counts[k]),
            float(gains[k]),
        )
        for k in order
    ]


def atom_label(forest: Any, atom: Chosen, places: Any = None) -> str:
    """Say where an atom lies: the name of its feature, or the ranges of its places along each axis.

    ``places`` are those of ``foliation.plotting.grid``, for axes whose places have names.
    """
    names = getattr(forest, "feature_names_in_", None)
    shape = forest._cell_shape
    views = forest._know()[2]
    named = places is not None and places.named
    if len(atom.ids) == 1 and views is None and not named:
        return rows.feature_label(int(atom.ids[0]), names, shape)
    if names is not None or (len(shape) == 1 and not named and "+" in _range(np.unique(atom.ids), shape[0])):
        own = [rows.feature_label(int(at), names, shape) for at in atom.ids[:3]]
        text = own[0] if atom.weights[0] > 0 else f"- {own[0]}"
        for name, weight in zip(own[1:], atom.weights[1:3], strict=True):
            text += f" {'+' if weight > 0 else '-'} {name}"
        return text + (f" and {len(atom.ids) - 3} more" if len(atom.ids) > 3 else "")
    first = int(np.unravel_index(atom.ids[0], shape)[0])
    view = views.names[first] if views is not None else ""
    grid = shape[1:] if views is not None else shape
    names_of = places.of_view(view) if named else None
    boxes = " less ".join(_box(atom.ids[part], grid, names_of) for part in _signs(atom.weights))
    return f"{view} {boxes}" if view else boxes


def _signs(weights: NDArray[np.float64]) -> list[NDArray[np.bool_]]:
    """Return where weights are positive and where they are negative, if there are any."""
    return [part for part in (weights > 0, weights < 0) if part.any()]


def _box(ids: NDArray[np.int64], shape: tuple[int, ...], places: Any) -> str:
    found = [np.unique(along) for along in np.unravel_index(ids % math.prod(shape), shape)]
    ranges = [
        (places.written(axis, along) if places is not None else "") or _range(along, shape[axis])
        for axis, along in enumerate(found)
    ]
    return f"[{', '.join(ranges)}]"


def is_run(places: NDArray[np.int64]) -> bool:
    return bool(places[-1] - places[0] == len(places) - 1)


def _range(places: NDArray[np.int64], side: int) -> str:
    """Write places along an axis: from the first to the last if there is no gap, also where it runs past the end."""
    if len(places) == 1:
        return str(places[0])
    if is_run(places):
        return f"{places[0]}-{places[-1]}"
    gaps = np.flatnonzero(np.diff(places) > 1)
    if len(gaps) == 1 and places[0] == 0 and places[-1] == side - 1:
        return f"{places[gaps[0] + 1]}-{places[gaps[0]]}"
    return some(places)


def some(places: Iterable[Any]) -> str:
    """Write the first three of some places."""
    names = [str(place) for place in places]
    return "+".join(names[:3]) + ("+..." if len(names) > 3 else "")
