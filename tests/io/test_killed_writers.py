"""Writers that are killed, or write at the same time, leave one complete file."""

from __future__ import annotations

import os
import random
import signal
import stat
import time
from pathlib import Path
from typing import BinaryIO

import pytest
from writing import writes

from foliation.io import atomic
from foliation.io.atomic import write_atomic

SIZE = 100_000


def leftovers(folder: Path) -> list[Path]:
    return sorted(folder.glob(".unfinished.*"))


def start_writer(path: Path, letter: bytes) -> int:
    """Write over and over in another process; return its id."""
    child = os.fork()
    if child:
        return child
    try:
        while True:
            write_atomic(path, lambda file: [file.write(letter * 1000) for _ in range(SIZE // 1000)])
    finally:
        os._exit(1)


def kill(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


@pytest.mark.parametrize("n_kills", [int(os.environ.get("FOLIATION_KILLS", "12"))])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_killed_writer_leaves_a_complete_file_and_what_the_next_one_removes(n_kills: int, tmp_path: Path) -> None:
    path = tmp_path / "m.fol"
    path.write_bytes(b"a" * SIZE)
    rng, n_left = random.Random(0), 0
    for _ in range(n_kills):
        child = start_writer(path, b"b")
        time.sleep(0.005 + 0.02 * rng.random())
        kill(child)
        assert path.read_bytes() in (b"a" * SIZE, b"b" * SIZE)
        n_left += bool(leftovers(tmp_path))
        write_atomic(path, writes(b"a" * SIZE))
        assert list(tmp_path.iterdir()) == [path]
    assert n_left, "no writer was killed while it wrote"


@pytest.mark.parametrize(("mode", "mask"), [(0o200, 0o022), (None, 0o400)])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_what_a_killed_writer_leaves_can_be_read_to_be_removed(mode: int | None, mask: int, tmp_path: Path) -> None:
    path, before = tmp_path / "m.fol", os.umask(mask)
    try:
        if mode is not None:
            path.write_bytes(b"old")
            path.chmod(mode)
        if not (child := os.fork()):
            write_atomic(path, lambda file: os.kill(os.getpid(), signal.SIGKILL))
        os.waitpid(child, 0)
    finally:
        os.umask(before)
    (leftover,) = leftovers(tmp_path)
    assert stat.S_IMODE(leftover.stat().st_mode) == 0o600  # or others than root could not open it
    write_atomic(path, writes(b"new"))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_writers_at_the_same_time_end_with_one_complete_file(tmp_path: Path) -> None:
    path = tmp_path / "m.fol"
    children = [start_writer(path, letter) for letter in (b"a", b"b", b"c")]
    seen = set()
    try:
        for _ in range(60):
            write_atomic(path, writes(b"d" * SIZE))
            text = path.read_bytes()
            assert len(text) == SIZE and len(set(text)) == 1
            seen.add(text[:1])
            assert [os.waitpid(child, os.WNOHANG)[0] for child in children] == [0, 0, 0], "a writer failed"
    finally:
        for child in children:
            kill(child)
    assert len(seen) > 1
    write_atomic(path, writes(b"end"))
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_of_a_living_writer_is_never_removed(tmp_path: Path) -> None:
    path = tmp_path / "m.fol"

    def write(file: BinaryIO) -> None:
        (mine,) = leftovers(tmp_path)
        write_atomic(path, writes(b"other"))
        assert leftovers(tmp_path) == [mine]
        file.write(b"mine")

    write_atomic(path, write)
    assert path.read_bytes() == b"mine" and list(tmp_path.iterdir()) == [path]


def test_leftovers_of_other_files_stay(tmp_path: Path) -> None:
    other = tmp_path / ".unfinished.0123456789abcdef.0123456789abcdef"
    other.write_bytes(b"of another file")
    write_atomic(tmp_path / "m.fol", writes(b"new"))
    assert other.exists()


def test_a_file_taken_for_a_leftover_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, n_calls = tmp_path / "m.fol", atomic._lock, 0

    def lock(descriptor: int, *, wait: bool) -> bool:
        nonlocal n_calls
        n_calls += 1
        if n_calls == 1:
            for leftover in leftovers(tmp_path):
                leftover.unlink()
        return real(descriptor, wait=wait)

    monkeypatch.setattr(atomic, "_lock", lock)
    write_atomic(path, writes(b"new"))
    assert n_calls == 2 and path.read_bytes() == b"new"
