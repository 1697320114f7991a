"""The bytes of a file: where they lie, and that an incomplete or damaged file is refused."""

from __future__ import annotations

import json
import pickle
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_files import FRONT, SIGNATURE, VERSION, rewrite, sealed

from foliation.io import container
from foliation.io.container import Content

ARRAYS = [np.arange(6).reshape(2, 3).astype(dtype) for dtype in container.TYPES]
MODEL = {"name": "Grün", "numbers": [1, -2.5, None, True]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a small file."""
    place = tmp_path / "small.fol"
    container.write(place, Content(MODEL, [np.arange(5.0), np.arange(3, dtype=np.int16)]))
    return place


@pytest.mark.parametrize("mapped", [False, True], ids=["read", "mapped"])
def test_arrays_of_every_type_and_shape_come_back(mapped: bool, tmp_path: Path) -> None:
    arrays = [*ARRAYS, np.empty((0, 5)), np.zeros((2, 0, 3), np.int32), np.ones((1, 2, 3, 4, 5))]
    container.write(tmp_path / "file", Content(MODEL, arrays))
    found = container.read(tmp_path / "file", mapped=mapped)
    assert found.model == MODEL and found.version == VERSION
    assert len(found.arrays) == len(arrays)
    for array, expected in zip(found.arrays, arrays, strict=True):
        assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(array, expected)
        assert array.flags.writeable != mapped or not array.size


def test_an_array_without_axes_comes_back(tmp_path: Path) -> None:
    container.write(tmp_path / "file", Content(None, [np.array(3.5)]))
    assert container.read(tmp_path / "file", mapped=False).arrays[0].shape == ()


def test_the_order_of_bytes_and_strides_does_not_matter(tmp_path: Path) -> None:
    table = np.arange(12.0).reshape(3, 4)
    written = []
    for array in (table, np.asfortranarray(table), table.astype(">f8"), np.repeat(table, 2, axis=1)[:, ::2]):
        container.write(tmp_path / "file", Content(None, [array]))
        written.append((tmp_path / "file").read_bytes())
    assert len(set(written)) == 1


def test_bytes_lie_where_the_format_says(path: Path) -> None:
    file = path.read_bytes()
    signature, major, minor, check, size, header_size = FRONT.unpack_from(file)
    assert (signature, (major, minor), size) == (SIGNATURE, VERSION, len(file))
    assert check == zlib.crc32(file[32:])
    header = json.loads(file[32 : 32 + header_size])
    assert header["model"] == MODEL
    first, second = header["arrays"]
    assert (first["type"], first["shape"]) == ("<f8", [5]) and (second["type"], second["shape"]) == ("<i2", [3])
    assert first["at"] % 64 == second["at"] % 64 == 0
    np.testing.assert_array_equal(np.frombuffer(file, "<f8", 5, first["at"]), np.arange(5.0))
    np.testing.assert_array_equal(np.frombuffer(file, "<i2", 3, second["at"]), np.arange(3))
    gaps = file[32 + header_size : first["at"]] + file[first["at"] + 40 : second["at"]]
    assert gaps == bytes(len(gaps)) and len(file) == second["at"] + 6


@pytest.mark.parametrize("n_arrays", range(0, 40, 3))
def test_offsets_fit_however_long_the_header_is(n_arrays: int, tmp_path: Path) -> None:
    for length in range(64):
        container.write(tmp_path / "file", Content("x" * length, [np.arange(3.0)] * n_arrays))
        found = container.read(tmp_path / "file", mapped=False)
        assert found.model == "x" * length and all((array == [0, 1, 2]).all() for array in found.arrays)


def test_numbers_that_json_does_not_have_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        container.write(tmp_path / "file", Content({"a": float("nan")}, []))
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_file_that_was_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        container.write(path, Content(None, [np.zeros(100)]))
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


# ---- files that are refused ----


def refused(path: Path, match: str) -> None:
    for mapped in (False, True):
        with pytest.raises(ValueError, match=match):
            container.read(path, mapped=mapped)


def test_files_of_other_kinds_are_refused(path: Path) -> None:
    for content in (b"", b"short", pickle.dumps({"a": 1}), bytes(1000), SIGNATURE):
        path.write_bytes(content)
        refused(path, "is not a model file of foliation")
    with pytest.raises(FileNotFoundError):
        container.read(path.with_name("missing"), mapped=False)
    with pytest.raises(OSError, match="directory"):
        container.read(path.parent, mapped=False)


def test_a_file_cut_anywhere_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        refused(path, "damaged|not a model file")
    path.write_bytes(whole + b"\0")
    refused(path, f"is damaged: it has {len(whole) + 1} bytes; expected {len(whole)}")


def test_a_flipped_bit_anywhere_but_in_the_minor_version_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for at in set(range(len(whole))) - {10, 11}:
        for bit in (0x01, 0x10, 0x80):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
            refused(path, "damaged|not a model file|version")


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"model":1}',
        b'{"arrays":[]}',
        b'{"model":1,"arrays":{}}',
        b'{"model":' + b"[" * 50_000 + b"]" * 50_000 + b',"arrays":[]}',
    ],
    ids=["empty", "cut", "not text", "a list", "no arrays", "no model", "arrays by name", "deep"],
)
def test_an_invalid_header_is_refused(header: bytes, path: Path) -> None:
    path.write_bytes(sealed(header, b""))
    refused(path, "is damaged: (its header cannot be read|missing fields of the header|invalid list of arrays)")


INVALID: dict[str, dict[str, Any]] = {
    "objects": {"type": "|O8"},
    "complex numbers": {"type": "<c16"},
    "big-endian": {"type": ">f8"},
    "no type": {"type": None},
    "negative": {"shape": [-5]},
    "a fraction": {"shape": [2.5]},
    "a flag": {"shape": [True]},
    "not a list": {"shape": 5},
    "larger than the file": {"shape": [1 << 40]},
    "an overflow": {"shape": [1 << 40, 1 << 40]},
    "no rows of too many columns": {"shape": [0, 1 << 61, 1 << 61]},
    "too many axes": {"shape": [1] * 33},
    "not aligned": {"at": 65},
    "in the front": {"at": 0},
    "past the end": {"at": 1 << 20},
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_array_is_refused(name: str, path: Path) -> None:
    rewrite(path, lambda header: header["arrays"][0].update(INVALID[name]))
    refused(path, "is damaged: invalid type, shape or offset of an array")


def test_arrays_that_share_bytes_are_refused(path: Path) -> None:
    rewrite(path, lambda header: header["arrays"].__setitem__(1, dict(header["arrays"][0])))
    refused(path, "invalid type, shape or offset of an array")


@pytest.mark.parametrize("version", [(0, 9), (2, 0), (2, 1), (65535, 65535)])
def test_another_major_version_is_refused_with_both_versions(version: tuple[int, int], path: Path) -> None:
    rewrite(path, lambda header: None, version)
    refused(path, rf"cannot load .*: version {version[0]}\.{version[1]} of the format; expected version 1\.x")


@pytest.mark.parametrize("minor", [0, 2, 65535])
def test_another_minor_version_is_read(minor: int, path: Path) -> None:
    rewrite(path, lambda header: None, (1, minor))
    found = container.read(path, mapped=False)
    assert found.version == (1, minor) and found.model == MODEL


# ---- what the machine cannot do ----


def test_a_file_that_does_not_fit_into_memory_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(_: int) -> bytearray:
        raise MemoryError

    monkeypatch.setattr(container, "bytearray", none_left, raising=False)
    with pytest.raises(MemoryError, match=r"has \d+ bytes, which do not fit into memory; mmap=True leaves them"):
        container.read(path, mapped=False)


def test_a_file_that_shrinks_while_it_is_read_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    container.write(path, Content(MODEL, [np.zeros(50_000)]))  # more than one read brings

    def shrunk(size: int) -> bytearray:
        path.write_bytes(path.read_bytes()[:-1])
        return bytearray(size)

    monkeypatch.setattr(container, "bytearray", shrunk, raising=False)
    with pytest.raises(ValueError, match=r"small\.fol changed while it was read"):
        container.read(path, mapped=False)
