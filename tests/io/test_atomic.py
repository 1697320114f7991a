"""A file is written completely or not at all, and stays the file that it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from foliation.io.atomic import check_place, write_atomic


def test_a_file_holds_what_was_written(tmp_path: Path) -> None:
    write_atomic(tmp_path / "new.txt", lambda unfinished: unfinished.write_bytes(b"new"))
    assert (tmp_path / "new.txt").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")

    def write(unfinished: Path) -> None:
        unfinished.write_bytes(b"new")
        assert unfinished.parent == tmp_path  # the same file system, so that a rename is atomic
        assert unfinished.suffix == ".fol"  # from which some writers tell the format
        assert path.read_bytes() == b"old"

    write_atomic(path, write)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(error: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "model.fol"
    path.write_bytes(b"old")

    def fail(unfinished: Path) -> None:
        unfinished.write_bytes(b"half")
        raise error("no space left on device")

    with pytest.raises(error, match="no space"):
        write_atomic(path, fail)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_of_a_new_file_leaves_nothing(tmp_path: Path) -> None:
    def fail(unfinished: Path) -> None:
        raise OSError("no space left on device")

    with pytest.raises(OSError, match="no space"):
        write_atomic(tmp_path / "new.fol", fail)
    assert not list(tmp_path.iterdir())


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "model.fol", tmp_path / "link.fol"
    path.write_bytes(b"old")
    path.chmod(0o600)
    link.symlink_to(path)
    write_atomic(link, lambda unfinished: unfinished.write_bytes(b"new"))
    assert link.is_symlink() and path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 251}.fol"
    write_atomic(path, lambda unfinished: unfinished.write_bytes(b"new"))
    assert path.read_bytes() == b"new"


def test_a_place_that_cannot_hold_a_file_is_refused_before_the_work(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    places = {
        tmp_path / "missing" / "model.fol": "cannot write model.fol: .*missing is not a folder",
        tmp_path: "it is a folder; give the name of a file in it",
        tmp_path / "pipe": "it is a device or a pipe",
    }
    for place, complaint in places.items():
        with pytest.raises(OSError, match=complaint):
            check_place(place)
        with pytest.raises(OSError, match=complaint):
            write_atomic(place, lambda unfinished: pytest.fail("the work was begun"))
    assert check_place(tmp_path / "new.fol") == tmp_path.resolve() / "new.fol"
