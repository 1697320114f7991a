"""A file is written completely or not at all."""

from __future__ import annotations

import errno
import os
import resource
import stat
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest
from failing import Failing, fail_each
from interrupted import interrupted_at_line
from writing import writes

from foliation.io import atomic
from foliation.io.atomic import check_place, write_atomic

SIZE = 100_000


def test_a_file_holds_what_was_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / "new.txt", writes(b"new"))
    assert (tmp_path / "new.txt").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")

    def write(file: BinaryIO) -> None:
        file.write(b"new")
        file.flush()
        (unfinished,) = (other for other in tmp_path.iterdir() if other != path)
        assert unfinished.read_bytes() == b"new"  # the same file system, so that a rename is atomic
        assert path.read_bytes() == b"old"

    write_atomic(path, write)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, SystemExit])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(error: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise error("no space left on device")

    with pytest.raises(error, match="no space"):
        write_atomic(path, fail)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # interrupted as a "with" is about to close it
@pytest.mark.parametrize("act", [check_place, lambda path: write_atomic(path, writes(b"new"))])
def test_an_interrupt_at_any_line_leaves_one_complete_file(act: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    for number in range(1, 1000):
        path.write_bytes(b"old")
        try:
            with interrupted_at_line(number):
                act(path)
            break
        except KeyboardInterrupt:
            assert list(tmp_path.iterdir()) == [path], number
            assert path.read_bytes() in (b"old", b"new")
    assert number > 30


def test_a_failed_write_of_a_new_file_leaves_nothing(tmp_path: Path) -> None:
    def fail(file: BinaryIO) -> None:
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        write_atomic(tmp_path / "new.fol", fail)
    assert not list(tmp_path.iterdir())


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 251}.fol"
    write_atomic(path, writes(b"new"))
    assert path.read_bytes() == b"new"
    with pytest.raises(OSError, match=r"cannot write .*: file name too long"):
        check_place(tmp_path / ("x" * 256))


def assert_untouched(path: Path, system: Failing, error: BaseException | None) -> None:
    """Assert what holds after a failure: the old file, or the new one if only the folder was not synced."""
    assert list(path.parent.iterdir()) == [path], system.failed
    if error is None:
        assert path.read_bytes() in (b"old", b"x" * SIZE)
        assert "rename" in system.done or system.failed in ("fchown",), system.failed
        return
    assert isinstance(error, OSError), error
    assert error.errno == system.kind
    assert str(error) == f"cannot write {path}: {os.strerror(system.kind)[:1].lower()}{os.strerror(system.kind)[1:]}"
    assert path.read_bytes() == b"old"


def test_each_operation_of_the_system_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path.resolve() / "model.fol"
    failed: list[str | None] = []

    def act() -> None:
        path.write_bytes(b"old")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            write_atomic(path, lambda file: [file.write(b"x" * (SIZE // 10)) for _ in range(10)])

    def check(system: Failing, error: BaseException | None) -> None:
        failed.append(system.failed)
        assert_untouched(path, system, error)

    assert fail_each(monkeypatch, act, check) == len(failed) >= 30
    assert {"open", "dup", "write", "fsync", "fchmod", "close", "rename"} <= set(failed)


@pytest.mark.parametrize("longest", [1, 7, 4096])
def test_short_writes_are_continued(longest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = Failing(longest_write=longest)
    data = bytes(range(256)) * 40
    monkeypatch.setattr(atomic, "os", system)
    write_atomic(tmp_path / "m.fol", writes(data))
    assert (tmp_path / "m.fol").read_bytes() == data
    assert system.done.count("write") >= len(data) // longest


def test_interrupted_writes_are_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = Failing(fails_at=6, kind=errno.EINTR)
    monkeypatch.setattr(atomic, "os", system)
    write_atomic(tmp_path / "m.fol", writes(b"x" * SIZE))
    assert system.failed == "write"
    assert (tmp_path / "m.fol").read_bytes() == b"x" * SIZE


def test_a_folder_that_cannot_be_synced_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(kind, os.strerror(kind))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    kind = errno.EIO
    with pytest.warns(UserWarning, match=r"m.fol is written, but its folder could not be synced to disk: Input/output"):
        write_atomic(tmp_path / "m.fol", writes(b"new"))
    assert (tmp_path / "m.fol").read_bytes() == b"new"
    kind = errno.EINVAL  # the file system cannot
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_atomic(tmp_path / "m.fol", writes(b"newer"))


def test_file_and_folder_are_synced_before_and_after_the_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real_fsync, real_replace = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        real_fsync(descriptor)

    def replace(self: Path, target: Path) -> Path:
        done.append("rename")
        return real_replace(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    write_atomic(tmp_path / "m.fol", writes(b"new"))
    assert done == ["file", "rename", "folder"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "m.fol"
    path.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SIZE // 2, hard))  # Python ignores the signal
    try:
        with pytest.raises(OSError, match=r"cannot write .*m.fol: file too large"):
            write_atomic(path, writes(b"x" * SIZE))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
