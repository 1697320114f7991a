"""A file with a header of JSON and raw arrays: how its bytes lie, and whether they are whole.

Bytes, all numbers little-endian: 8 of a signature, 4 of the format's version, 4 of a checksum (CRC-32 of all that
follows the first 32 bytes), 8 of the file's size, 8 of the header's; the header; the arrays, each from a multiple of 64
bytes on, with zeros between. The header's "arrays" say type, shape and place of each; its "model" is the caller's.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foliation.files.whole import write_whole

SIGNATURE = b"\x89FOL\r\n\x1a\n"  # what a transfer as text would change is in it
VERSION = 1
TYPES = ("<f8", "<f4", "<i8", "<i4", "<i2", "<u8", "<u4", "|i1", "|u1", "|b1", "<u2", "<f2")

_FRONT = struct.Struct("<8sIIQQ")
_ALIGNED = 64
_MOST_AXES = 32
_CHUNK = 1 << 22


class Content(NamedTuple):
    """What a file holds."""

    model: Any  # plain values of JSON
    arrays: list[NDArray[Any]]


def write(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file that is there as a whole or not at all."""
    arrays = [np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")) for array in content.arrays]
    header = _header(content.model, arrays)
    write_whole(path, lambda unfinished: _write(unfinished, header, arrays))


def _write(path: Path, header: bytes, arrays: list[NDArray[Any]]) -> None:
    with path.open("wb") as file:
        file.write(bytes(_FRONT.size))
        check, size = 0, _FRONT.size
        for piece in _pieces(header, arrays):
            file.write(piece)
            check, size = zlib.crc32(piece, check), size + len(piece)
        file.seek(0)
        file.write(_FRONT.pack(SIGNATURE, VERSION, check, size, len(header)))
        file.flush()
        os.fsync(file.fileno())


def _header(model: Any, arrays: list[NDArray[Any]]) -> bytes:
    """Return the header with the places of all arrays, which depend on how long it is itself."""
    length = 0
    while True:
        places = _places(_FRONT.size + length, arrays)
        described = [
            {"type": array.dtype.str, "shape": list(array.shape), "at": at}
            for array, at in zip(arrays, places, strict=True)
        ]
        text = json.dumps({"model": model, "arrays": described}, allow_nan=False, separators=(",", ":")).encode()
        if len(text) <= length:
            return text.ljust(length)
        length = len(text)


def _places(begin: int, arrays: list[NDArray[Any]]) -> Iterator[int]:
    for array in arrays:
        begin = -(-begin // _ALIGNED) * _ALIGNED
        yield begin
        begin += array.nbytes


def _pieces(header: bytes, arrays: list[NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """Yield all that follows the front of a file."""
    yield header
    at = _FRONT.size + len(header)
    for place, array in zip(_places(at, arrays), arrays, strict=True):
        yield bytes(place - at)
        yield array.reshape(-1).view(np.uint8).data if array.size else b""
        at = place + array.nbytes


def read(path: str | os.PathLike[str], *, mapped: bool) -> Content:
    """Read a file, or map it into memory; complain about all that a written file does not have."""
    place = Path(path)
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise OSError(f"{path} is no file but a device or a pipe")
    with place.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        front = file.read(_FRONT.size)
        if len(front) < _FRONT.size or not front.startswith(SIGNATURE):
            raise ValueError(f"{path} is not a model file of foliation")
        _, version, check, claimed, header_size = _FRONT.unpack(front)
        if version != VERSION:
            raise ValueError(f"{path} has version {version} of the format; this foliation reads version {VERSION}")
        if claimed != size:
            raise ValueError(f"{path} is damaged: it has {size} bytes and should have {claimed}")
        if header_size > size - _FRONT.size:
            raise ValueError(f"{path} is damaged: its header passes its end")
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if mapped else _all_of(file, size)
    view = memoryview(whole)
    if _checksum(view[_FRONT.size :]) != check:
        raise ValueError(f"{path} is damaged: its checksum does not fit")
    header = _parsed(path, bytes(view[_FRONT.size : _FRONT.size + header_size]))
    arrays: list[NDArray[Any]] = []
    end = _FRONT.size + header_size
    for entry in header["arrays"]:
        arrays.append(_array(path, entry, whole, end))
        end = entry["at"] + arrays[-1].nbytes
    return Content(header["model"], arrays)


def _all_of(file: Any, size: int) -> bytearray:
    file.seek(0)
    try:
        whole = bytearray(size)
    except MemoryError:
        raise OSError(f"{file.name} has {size:,} bytes, which do not fit into memory; mmap=True leaves them") from None
    if file.readinto(whole) != size:
        raise ValueError(f"{file.name} changed while it was read")
    return whole


def _checksum(view: memoryview) -> int:
    check = 0
    for at in range(0, len(view), _CHUNK):
        check = zlib.crc32(view[at : at + _CHUNK], check)
    return check


def _parsed(path: Any, text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged: its header cannot be read") from error
    if not isinstance(header, dict) or header.keys() != {"model", "arrays"} or not isinstance(header["arrays"], list):
        raise ValueError(f"{path} is damaged: its header has other parts than it should")
    return header


def _array(path: Any, entry: Any, whole: Any, begin: int) -> NDArray[Any]:
    """Return one array of a file, which refers to its bytes; they begin where those of the one before end, or later."""
    wrong = ValueError(f"{path} is damaged: an array is not where it should be")
    if not isinstance(entry, dict) or entry.keys() != {"type", "shape", "at"} or entry["type"] not in TYPES:
        raise wrong
    shape, at = entry["shape"], entry["at"]
    if not isinstance(shape, list) or len(shape) > _MOST_AXES or not _are_sizes([*shape, at]):
        raise wrong
    dtype = np.dtype(entry["type"])
    count = math.prod(shape)
    if at % _ALIGNED or at < begin or at + count * dtype.itemsize > len(whole):
        raise wrong
    found = np.frombuffer(whole, dtype=dtype, count=count, offset=at) if count else np.empty(0, dtype)
    try:
        return found.reshape(shape)
    except ValueError as error:  # no rows of far too many columns
        raise wrong from error


def _are_sizes(numbers: Iterable[Any]) -> bool:
    return all(type(number) is int and 0 <= number < 2**62 for number in numbers)
