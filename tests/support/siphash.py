"""SipHash-2-4 over the values of rows in NumPy, as docs/model_files.md describes it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

KEY = bytes(range(16))
_START = b"somepseudorandomlygeneratedbytes"


def row_digests(X: NDArray[Any]) -> Words:
    """Return the digest of each row."""
    words = (np.asarray(X, dtype="<f8") + 0.0).view("<u8").T  # -0.0 + 0.0 is 0.0
    k0, k1 = np.frombuffer(KEY, "<u8")
    v0, v1, v2, v3 = (np.full(len(X), part) for part in np.frombuffer(_START, ">u8").astype("<u8") ^ [k0, k1, k0, k1])
    n_bytes = np.full(len(X), 8 * X.shape[1] % 256 << 56, np.uint64)
    for word in (*words, n_bytes):
        v0, v1, v2, v3 = _rounds(2, v0, v1, v2, v3 ^ word)
        v0 = v0 ^ word
    v0, v1, v2, v3 = _rounds(4, v0, v1, v2 ^ np.uint64(0xFF), v3)
    return v0 ^ v1 ^ v2 ^ v3


def _rounds(n: int, v0: Words, v1: Words, v2: Words, v3: Words) -> tuple[Words, Words, Words, Words]:
    for _ in range(n):
        v0, v2 = v0 + v1, v2 + v3
        v1, v3 = _rotated(v1, 13) ^ v0, _rotated(v3, 16) ^ v2
        v0, v2 = _rotated(v0, 32) + v3, v2 + v1
        v1, v3 = _rotated(v1, 17) ^ v2, _rotated(v3, 21) ^ v0
        v2 = _rotated(v2, 32)
    return v0, v1, v2, v3


def _rotated(x: Words, n: int) -> Words:
    return (x << np.uint64(n)) | (x >> np.uint64(64 - n))
