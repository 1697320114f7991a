"""What the fuzzers of the Python package run, as functions of bytes: tests replay their findings without a fuzzer."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from mutated import attempt, check

from foliation.cli import data
from foliation.cli.errors import CommandError

SLACK = 3  # sanitizers take time and memory of their own
MOST_MEMBERS = 4  # of an npz that is made of arrays


def load(content: bytes) -> None:
    """Load a model file, read or mapped, and ask the forest everything if it is one."""
    with tempfile.TemporaryDirectory() as folder:
        found = attempt(Path(folder) / "model.fol", content, mmap=len(content) % 2 == 1, with_slow=True)
    check(found, len(content), SLACK)


def read_data(content: bytes) -> None:
    """Read rows and targets as commands do. The first byte says of what kind the file is, and what holds targets."""
    if not content:
        return
    kinds: list[tuple[str, Callable[[bytes], bytes]]] = [
        (".csv", bytes),
        (".ts", bytes),
        (".npy", bytes),
        (".npz", bytes),
        (".npz", npz_of),
    ]
    suffix, make = kinds[content[0] % len(kinds)]
    target = (None, "y", "0", "-1", "a")[content[0] // len(kinds) % 5]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"data{suffix}"
        path.write_bytes(make(content[1:]))
        with suppress(CommandError):
            dataset = data.read(path, target)
            dataset.frame_or_rows()
            dataset.subset(np.array([0]))


def npz_of(content: bytes) -> bytes:
    """Return an archive of npy files that lie one after the other, whose checksums fit whatever is in them."""
    magic = b"\x93NUMPY"
    parts = content.split(magic)[1 : 1 + MOST_MEMBERS]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, part in zip(("X", "y", "a", "b"), parts, strict=False):
            file.writestr(f"{name}.npy", magic + part)
    return archive.getvalue()
