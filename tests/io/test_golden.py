"""Files of every release so far are read, and predict what they predicted then."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden import FILES, assert_predicts_as_written

import foliation as fo


@pytest.mark.parametrize("mmap", [False, True], ids=["read", "mapped"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_file_predicts_what_it_predicted(path: Path, mmap: bool) -> None:
    assert_predicts_as_written(path, fo.load(path, mmap=mmap))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_file_that_is_saved_again_predicts_the_same(path: Path, tmp_path: Path) -> None:
    fo.load(path).save(tmp_path / "again.fol")
    assert_predicts_as_written(path, fo.load(tmp_path / "again.fol"))


def test_this_release_has_files() -> None:
    assert any(path.parent.name == fo.__version__ for path in FILES)
