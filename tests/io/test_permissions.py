"""A file that is written again stays as private as it was, and a bad place is refused before the work."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest
from writing import writes

from foliation.io import atomic
from foliation.io.atomic import check_place, write_atomic

NOBODY = 65534


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    old = os.umask(mask)
    try:
        yield
    finally:
        os.umask(old)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o660, 0o666, 0o200, 0o222])
def test_permissions_and_links_stay_and_unfinished_files_are_private(mode: int, tmp_path: Path) -> None:
    path, link = tmp_path / "model.fol", tmp_path / "link.fol"
    path.write_bytes(b"old")
    path.chmod(mode)
    link.symlink_to(path)

    def write(file: BinaryIO) -> None:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
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


@pytest.mark.parametrize("mask", [0, 0o022, 0o077, 0o400, 0o777])
def test_a_new_file_has_the_permissions_that_the_user_gives_to_new_files(mask: int, tmp_path: Path) -> None:
    def write(file: BinaryIO) -> None:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
        file.write(b"new")

    with umask(mask):
        write_atomic(tmp_path / "new.fol", write)
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


@pytest.mark.parametrize("end", ["/", "//", "/."])
def test_a_name_of_a_folder_is_no_name_of_a_file(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.fol").write_bytes(b"old")
    names: list[str | bytes] = [f"{name}{end}" for name in ("missing", "old.fol")]
    for path in [*names, f"old.fol{end}".encode()]:
        for act in (check_place, lambda path: write_atomic(path, writes(b"new"))):
            with pytest.raises(IsADirectoryError, match=r"^cannot write .*: it is a folder; give the name"):
                act(path)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == [tmp_path / "old.fol"] and Path("old.fol").read_bytes() == b"old"


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
