"""Files of every release so far are read, and say what they said then."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foliation as fo

FOLDER = Path(__file__).parents[1] / "golden"
FILES = sorted(FOLDER.glob("*/*.fol"))


def answers(forest: Any, rows: Any) -> Any:
    place = importlib.util.spec_from_file_location("golden_write", FOLDER / "write.py")
    assert place is not None and place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module.answers(forest, rows)


@pytest.mark.parametrize("mmap", [False, True], ids=["read", "mapped"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_an_old_file_says_what_it_said(path: Path, mmap: bool) -> None:
    with np.load(path.parent / "expected.npz") as expected:
        forest = fo.load(path, mmap=mmap)
        np.testing.assert_array_equal(answers(forest, expected["rows"]), expected[path.stem])


def test_this_release_has_files() -> None:
    assert any(path.parent.name == fo.__version__ for path in FILES)
