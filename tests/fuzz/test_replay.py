"""Every input of the corpora, and all that was ever found, runs through its target again; the core's run in ctest."""

from __future__ import annotations

from pathlib import Path

import fuzzed
import pytest

HERE = Path(__file__).parent
CORE = {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.cpp")}
PYTHON = {"load": fuzzed.load, "data": fuzzed.read_data}
INPUTS = [path for name in PYTHON for folder in ("corpus", "regressions") for path in HERE.glob(f"{folder}/{name}/*")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}-{path.name}")
def test_inputs_break_nothing(path: Path) -> None:
    PYTHON[path.parent.name](path.read_bytes())


def test_every_target_has_a_corpus() -> None:
    assert {path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py")} == PYTHON.keys()
    assert {path.name for path in HERE.glob("corpus/*") if any(path.iterdir())} == CORE | PYTHON.keys()
    assert {path.name for path in HERE.glob("regressions/*")} <= CORE | PYTHON.keys()


def test_the_corpora_are_small() -> None:
    assert sum(path.stat().st_size for path in HERE.glob("*/*/*") if path.is_file()) < 300_000
