"""Atoms written out as features and weights, if memory holds them."""

from __future__ import annotations

from foliation._core import Dictionary
from foliation.data.arrays import Floats, Ints, Longs
from foliation.memory import check_memory

MANY_TERMS = 1_000_000
_TERM_BYTES = 32  # an id and a weight, twice while atoms are written out, and once more where they are changed


def expand_atoms(dictionary: Dictionary, start: Longs, words: Ints, what: str) -> tuple[Longs, Ints, Floats]:
    """Return the (start, ids, weights) of atoms; raise MemoryError, which says for what, if memory does not hold them.

    The terms of atom k are those from ``start[k]`` to ``start[k + 1]``.
    """
    n_terms = dictionary.most_terms(start, words)
    if n_terms > MANY_TERMS:
        check_memory(f"{what} of {n_terms:,.0f} terms", _TERM_BYTES * n_terms, "smaller patches have fewer terms")
    return dictionary.expand_all(start, words)
