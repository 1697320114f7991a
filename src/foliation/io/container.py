"""A file with a header of JSON and raw arrays: the layout of its bytes, and whether it is complete.

    offset  bytes
         0      8  signature
         8      2  major version of the format
        10      2  minor version
        12      4  CRC-32 of all bytes from 32 on
        16      8  size of the file
        24      8  size of the header
        32      -  header (JSON): "model" is the caller's, "arrays" has type, shape and offset of each array
         -      -  arrays, each from a multiple of 64 bytes on, with zeros between

All numbers are little-endian. A reader takes every minor version of the major versions that it knows: a newer minor
version adds fields that can be ignored. What cannot be ignored is a new major version.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedReader
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from foliation.data.arrays import Array
from foliation.io.atomic import write_atomic
from foliation.printable import printable
from foliation.validation import file_path

SIGNATURE = b"\x89FOL\r\n\x1a\n"  # what a transfer as text would change is in it
MAJOR, MINOR = 1, 1
TYPES = ("<f8", "<f4", "<i8", "<i4", "<i2", "<u8", "<u4", "|i1", "|u1", "|b1", "<u2", "<f2")

_FRONT = struct.Struct("<8sHHIQQ")
_ALIGNED = 64
_MOST_AXES = 32
_CHUNK = 1 << 22  # bytes that are read or written at a time


class Content(NamedTuple):
    """What a file holds."""

    model: Any  # plain values of JSON
    arrays: list[Array]
    version: tuple[int, int] = (MAJOR, MINOR)
    size: int = 0  # of the file in bytes, at least


def write(path: str | os.PathLike[str], content: Content) -> None:
    """Write a file that is there as a whole or not at all; spaces in its header bring it to the size."""
    arrays = [np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C") for array in content.arrays]
    header = _header(content.model, arrays, content.size)
    write_atomic(path, lambda file: _write(file, header, arrays))


def _write(file: BinaryIO, header: bytes, arrays: list[Array]) -> None:
    file.write(bytes(_FRONT.size))
    check, size = 0, _FRONT.size
    for piece in _pieces(header, arrays):
        file.write(piece)
        check, size = zlib.crc32(piece, check), size + len(piece)
    file.seek(0)
    file.write(_FRONT.pack(SIGNATURE, MAJOR, MINOR, check, size, len(header)))


def _header(model: Any, arrays: list[Array], size: int) -> bytes:
    """Return the header with the places of all arrays, which depend on how long it is itself."""
    length = max(0, size - _FRONT.size - sum(array.nbytes for array in arrays))
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


def _places(begin: int, arrays: list[Array]) -> Iterator[int]:
    for array in arrays:
        begin = -(-begin // _ALIGNED) * _ALIGNED
        yield begin
        begin += array.nbytes


def _pieces(header: bytes, arrays: list[Array]) -> Iterator[bytes | memoryview]:
    """Yield all that follows the front of a file, some of it at a time."""
    yield header
    at = _FRONT.size + len(header)
    for place, array in zip(_places(at, arrays), arrays, strict=True):
        yield bytes(place - at)
        content = array.reshape(-1).view(np.uint8).data if array.size else b""
        yield from (content[first : first + _CHUNK] for first in range(0, len(content), _CHUNK))
        at = place + array.nbytes


def read(path: str | os.PathLike[str], *, mapped: bool) -> Content:
    """Read a file, or map it into memory; raise ValueError for anything that ``write`` does not write."""
    place, name = file_path(path), printable(path)
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise OSError(f"cannot load {name}: it is a device or a pipe, not a file")
    with place.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        front = file.read(_FRONT.size)
        if len(front) < _FRONT.size or not front.startswith(SIGNATURE):
            raise ValueError(f"{name} is not a model file of foliation")
        _, major, minor, check, claimed, header_size = _FRONT.unpack(front)
        if major != MAJOR:
            raise ValueError(f"cannot load {name}: version {major}.{minor} of the format; expected version {MAJOR}.x")
        if claimed != size:
            raise ValueError(f"{name} is damaged: it has {size} bytes; expected {claimed}")
        if header_size > size - _FRONT.size:
            raise ValueError(f"{name} is damaged: its header extends past the end of the file")
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if mapped else _all_of(file, size)
    view = memoryview(whole)
    if _checksum(view[_FRONT.size :]) != check:
        raise ValueError(f"{name} is damaged: wrong checksum")
    header = _parsed(name, bytes(view[_FRONT.size : _FRONT.size + header_size]))
    arrays: list[Array] = []
    end = _FRONT.size + header_size
    for entry in header["arrays"]:
        arrays.append(_array(name, entry, whole, end))
        end = entry["at"] + arrays[-1].nbytes
    return Content(header["model"], arrays, (major, minor), size)


def _all_of(file: BufferedReader, size: int) -> bytearray:
    file.seek(0)
    try:
        whole = bytearray(size)
    except MemoryError:
        raise MemoryError(
            f"{printable(file.name)} has {size:,} bytes, which do not fit into memory; mmap=True leaves them"
        ) from None
    view = memoryview(whole)
    n_read = sum(file.readinto(view[first : first + _CHUNK]) for first in range(0, size, _CHUNK))
    if n_read != size:
        raise ValueError(f"{printable(file.name)} changed while it was read")
    return whole


def _checksum(view: memoryview) -> int:
    check = 0
    for at in range(0, len(view), _CHUNK):
        check = zlib.crc32(view[at : at + _CHUNK], check)
    return check


def _parsed(name: str, text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} is damaged: its header cannot be read") from error
    if not isinstance(header, dict) or not {"model", "arrays"} <= header.keys():
        raise ValueError(f"{name} is damaged: missing fields of the header")
    if not isinstance(header["arrays"], list):
        raise ValueError(f"{name} is damaged: invalid list of arrays")
    return header


def _array(name: str, entry: Any, whole: bytearray | mmap.mmap, begin: int) -> Array:
    """Return one array of a file, which refers to its bytes; they begin where those of the one before end, or later."""
    wrong = ValueError(f"{name} is damaged: invalid type, shape or offset of an array")
    if not isinstance(entry, dict) or not {"type", "shape", "at"} <= entry.keys() or entry["type"] not in TYPES:
        raise wrong
    shape, at = entry["shape"], entry["at"]
    if not isinstance(shape, list) or len(shape) > _MOST_AXES or not _are_sizes([*shape, at]):
        raise wrong
    dtype = np.dtype(entry["type"])
    count = math.prod(shape)
    if at % _ALIGNED or at < begin or at + count * dtype.itemsize > len(whole):
        raise wrong
    array = np.frombuffer(whole, dtype=dtype, count=count, offset=at) if count else np.empty(0, dtype)
    try:
        return array.reshape(shape)
    except ValueError as error:  # no rows of far too many columns
        raise wrong from error


def _are_sizes(numbers: Iterable[object]) -> bool:
    return all(type(number) is int and 0 <= number < 2**62 for number in numbers)
