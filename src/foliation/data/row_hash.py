"""Hashes by which a model recognizes its training rows, by the names that model files have for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foliation._core import Machine
from foliation.data.arrays import Array, Hashes
from foliation.data.old_row_hash import old_fingerprint, old_row_digests
from foliation.data.rows import fingerprint_of, row_digests

SIPHASH = "siphash-2-4"
CRC32 = "crc32"  # of files of 0.1.0


@dataclass(frozen=True)
class RowHash:
    """A number for each row, and one for all of them."""

    digests: Callable[[Array, Machine], Hashes]
    fingerprint: Callable[[Array, Machine], int]


ROW_HASHES = {
    SIPHASH: RowHash(row_digests, lambda X, machine: fingerprint_of(row_digests(X, machine), X.shape[1])),
    CRC32: RowHash(lambda X, _: old_row_digests(X), lambda X, _: old_fingerprint(X)),
}
