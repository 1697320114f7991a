"""Read and rewrite model files without the package: the bytes as docs/model_files.md describes them."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Header = dict[str, Any]

SIGNATURE = b"\x89FOL\r\n\x1a\n"
VERSION = (1, 1)  # that this package writes
FRONT = struct.Struct("<8sHHIQQ")  # signature, major, minor, checksum, size of the file, size of the header


def sealed(header: bytes, body: bytes, version: tuple[int, int] = VERSION) -> bytes:
    """Return a file whose front fits what follows."""
    rest = header + body
    return FRONT.pack(SIGNATURE, *version, zlib.crc32(rest), FRONT.size + len(rest), len(header)) + rest


def parts_of(file: bytes) -> tuple[Header, bytes]:
    """Return the header of a file, and all that follows it."""
    end = FRONT.size + FRONT.unpack_from(file)[5]
    return json.loads(file[FRONT.size : end]), file[end:]


def header_of(path: Path) -> Header:
    return parts_of(path.read_bytes())[0]


def rewrite(path: Path, change: Callable[[Header], object], version: tuple[int, int] = VERSION) -> None:
    """Change the header of a file; arrays move so that it may grow."""
    file = path.read_bytes()
    size = FRONT.unpack_from(file)[5]
    header, body = parts_of(file)
    change(header)
    shift = 64 * (len(json.dumps(header)) // 64 + 2)
    for entry in header["arrays"]:
        entry["at"] += shift
    path.write_bytes(sealed(json.dumps(header).encode().ljust(size + shift), body, version))


def overwrite(path: Path, find: Callable[[Header], int], values: Any, at: Any = ...) -> None:
    """Put values into the array whose number is found in the header."""
    file = bytearray(path.read_bytes())
    header, body = parts_of(bytes(file))
    entry = header["arrays"][find(header)]
    np.frombuffer(file, entry["type"], count=int(np.prod(entry["shape"])), offset=entry["at"])[at] = values
    start = len(file) - len(body)
    path.write_bytes(sealed(bytes(file[FRONT.size : start]), bytes(file[start:])))


def tree_array(name: str) -> Callable[[Header], int]:
    """Return a function that finds the number of an array of the trees."""
    return lambda header: dict(header["model"]["state"]["trees"]["dict"])[name]["array"]
