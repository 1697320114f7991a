"""The atoms that a forest chose, each once: how often, for what gain, and where on the grid they lie."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from foliation import _core
from foliation.data.arrays import Floats, Longs, Matrix
from foliation.model.atoms import expand_atoms
from foliation.model.labels import Labels, PlaceNames, Stored
from foliation.model.model import Model


class Atlas(NamedTuple):
    """Distinct atoms as rows of a sparse matrix over the cells, and the number of each split's."""

    atoms: Matrix  # CSR, (atoms, cells)
    of_split: Longs


class Chosen(NamedTuple):
    """One of the atoms that matter most."""

    stored: Stored
    ids: Longs  # of cells
    weights: Floats
    n_splits: int  # that use it, or its negative
    gain: float  # share of the forest's gain; 0 where scores are no gains


def atlas(model: Model) -> Atlas:
    """Return all atoms of a model."""
    of_split, word_start, words = _core.distinct_atoms(model.core_trees)
    start, ids, weights = expand_atoms(model.dictionary, word_start, words, "the distinct atoms of the forest")
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
    of_split, word_start, words = _core.distinct_atoms(model.core_trees)
    of_atom, first = model.dictionary.unsigned_atoms(word_start, words)
    counts = np.bincount(of_atom[of_split], minlength=len(first))
    gains = np.bincount(of_atom[of_split], split_gains(model), minlength=len(first))
    order = np.argsort(-(gains if by == "gain" else counts), kind="stable")[:n]
    chosen = []
    for kind in order:
        own = words[slice(*word_start[first[kind] : first[kind] + 2])]
        _, ids, weights = expand_atoms(model.dictionary, np.array([0, len(own)]), own, "an atom")
        sign = 1 if weights[0] > 0 else -1
        atom = Chosen(Stored(own, sign), ids.astype(np.int64), weights * sign, int(counts[kind]), float(gains[kind]))
        chosen.append(atom)
    return chosen


def atom_label(model: Model, atom: Chosen, places: PlaceNames | None = None) -> str:
    """Say what an atom sums; ``places`` are those of ``foliation.plotting.grid``, for axes whose places have names."""
    return Labels(model, places).of(atom.stored)
