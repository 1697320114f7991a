"""A file is written completely or not at all, and stays the file that it was."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import stat
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest
from failing import Failing, fail_each

from foliation.io import atomic
from foliation.io.atomic import check_place, write_atomic

NOBODY = 65534
SIZE = 100_000


def writes(text: bytes) -> Callable[[BinaryIO], object]:
    return lambda file: file.write(text)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


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


# ---- rights ----


@contextmanager
def umask(mask: int) -> Iterator[None]:
    old = os.umask(mask)
    try:
        yield
    finally:
        os.umask(old)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o660, 0o666])
def test_permissions_and_links_stay_from_the_first_byte_on(mode: int, tmp_path: Path) -> None:
    path, link = tmp_path / "model.fol", tmp_path / "link.fol"
    path.write_bytes(b"old")
    path.chmod(mode)
    link.symlink_to(path)

    def write(file: BinaryIO) -> None:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == mode
        file.write(b"new")

    with umask(0o022):
        write_atomic(link, write)
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert mode_of(path) == mode


def test_a_temporary_file_is_never_open_to_more_users_than_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")
    path.chmod(0o600)
    modes = []
    real = os.open

    def note(name: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            modes.append((mode, bool(flags & os.O_EXCL), bool(flags & os.O_NOFOLLOW)))
        return real(name, flags, mode)

    monkeypatch.setattr(os, "open", note)
    with umask(0):
        write_atomic(path, writes(b"new"))
    assert modes == [(0o600, True, True)]


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_that_the_user_gives_to_new_files(mask: int, tmp_path: Path) -> None:
    with umask(mask):
        write_atomic(tmp_path / "new.fol", writes(b"new"))
    assert mode_of(tmp_path / "new.fol") == 0o666 & ~mask


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_owner_and_group_stay(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")
    os.chown(path, NOBODY, 4321)
    path.chmod(0o640)
    write_atomic(path, writes(b"new"))
    status = path.stat()
    assert (status.st_uid, status.st_gid, mode_of(path)) == (NOBODY, 4321, 0o640)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_group_that_cannot_be_kept_gives_no_rights_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")
    os.chown(path, -1, 4321)
    path.chmod(0o664)
    monkeypatch.setattr(atomic, "_chown", lambda *_: False)
    write_atomic(path, writes(b"new"))
    assert mode_of(path) == 0o644  # the writer's own group may do what all others may


# ---- before the work ----


def test_a_place_that_cannot_hold_a_file_is_refused_before_the_work(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    places = {
        tmp_path / "missing" / "model.fol": "cannot write .*model.fol: .*missing is not a folder",
        tmp_path / "file" / "model.fol": "cannot write .*model.fol: .*file is not a folder",
        tmp_path: "it is a folder; give the name of a file in it",
        tmp_path / "pipe": "it is a device or a pipe",
        tmp_path / "loop": "cannot write .*loop: too many levels of symbolic links",
    }
    for place, complaint in places.items():
        with pytest.raises(OSError, match=complaint):
            check_place(place)
        with pytest.raises(OSError, match=complaint):
            write_atomic(place, lambda file: pytest.fail("the work was begun"))
    assert check_place(tmp_path / "new.fol") == tmp_path.resolve() / "new.fol"
    assert not (tmp_path / "new.fol").exists()


@pytest.mark.parametrize(("path", "error"), [(5, TypeError), (None, TypeError), ("a\0b", ValueError)])
def test_what_is_no_path_is_refused_by_its_name(path: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^path="):
        check_place(path)


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """Act as a user with ordinary rights, since root may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def readable_by_all(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    for parent in folder.parents:
        if parent.stat().st_uid == os.geteuid() and not mode_of(parent) & 0o005:
            parent.chmod(mode_of(parent) | 0o055)


def test_a_folder_without_rights_is_refused_before_the_work(tmp_path: Path) -> None:
    readable_by_all(tmp_path, 0o555)
    try:
        with an_ordinary_user(), pytest.raises(PermissionError, match=r"cannot write .*m.fol: permission denied"):
            check_place(tmp_path / "m.fol")
    finally:
        tmp_path.chmod(0o755)


def test_a_read_only_file_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.fol"
    path.write_bytes(b"old")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda place, mode: not (place == path and mode == os.W_OK))
    with pytest.raises(PermissionError, match="it is read-only"):
        check_place(path)


def test_a_path_with_escapes_is_shown_without_them(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"\\x1b\[31m") as refused:
        check_place(tmp_path / "\x1b[31mno" / "m.fol")
    assert "\x1b" not in str(refused.value)


# ---- failures ----


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
    system = Failing(fails_at=3, kind=errno.EINTR)
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
    with pytest.warns(UserWarning, match=r"m.fol is written, but a power cut may undo it: Input/output error"):
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


# ---- killed and concurrent writers ----


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
