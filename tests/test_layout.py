"""The code keeps its layout: includes point one way, folders and files stay small, every unit has its tests."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ["base", "data", "views", "projections", "criteria", "cuts", "trees", "growth", "forest", "proximity"]
PACKAGE = ROOT / "src" / "foliation"
NOT_UNITS = {"__init__", "__main__", "_version"}
WITHOUT_TESTS = {"data/arrays"}  # type aliases only
INCLUDE = re.compile(r'#include "(.+)"')


def sources() -> list[Path]:
    return sorted(path for path in (ROOT / "core").rglob("*") if path.suffix in {".h", ".cpp"})


def test_every_source_lies_in_a_folder_of_the_layout() -> None:
    assert {path.parent.relative_to(ROOT / "core").as_posix() for path in sources()} == set(FOLDERS)


def test_includes_point_one_way() -> None:
    for path in sources():
        own = FOLDERS.index(path.parent.name)
        for include in INCLUDE.findall(path.read_text()):
            core, folder, _ = include.split("/")
            assert core == "core", f"{path}: {include} does not start at the root"
            assert FOLDERS.index(folder) <= own, f"{path} includes {include}, of a later folder"


EXTENDED = {"views", "projections", "criteria"}  # by users, who add as many units as they like


def test_folders_hold_3_to_9_units() -> None:
    for folder in FOLDERS:
        units = {path.stem for path in sources() if path.parent.name == folder}
        assert len(units) >= 3, f"core/{folder} has {len(units)} units: {sorted(units)}"
        assert len(units) <= 9 or folder in EXTENDED, f"core/{folder} has {len(units)} units: {sorted(units)}"


def test_no_file_is_longer_than_300_lines() -> None:
    long = {path.name: len(path.read_text().splitlines()) for path in sources()}
    assert {name: length for name, length in long.items() if length > 300} == {}


def test_the_order_of_folders_is_written_down() -> None:
    assert f"#   {' '.join(FOLDERS)}\n" in (ROOT / "CMakeLists.txt").read_text()


def test_every_unit_of_the_core_has_tests_of_its_name() -> None:
    units = {path.relative_to(ROOT / "core").with_suffix("") for path in sources()}
    tested = {path.relative_to(ROOT / "tests" / "core") for path in (ROOT / "tests" / "core").glob("*/test_*.cpp")}
    expected = {unit.with_name(f"test_{unit.name}.cpp") for unit in units}
    assert sorted(map(str, expected - tested)) == []
    assert sorted(map(str, tested - expected)) == [], "tests of units that do not exist"


OTHER_BUILDS = {"sanitizers", "aarch64", "coverage", "fuzz", "mutation"}  # not for pytest alone


def test_tests_lie_where_the_units_do() -> None:
    """Beside them are other libraries, old files, helpers, and promises that span units, which hold for drawn data."""
    units = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders <= units | {"core", "integrations", "golden", "support", "properties", *OTHER_BUILDS}
    for path in (ROOT / "tests" / "properties").glob("test_*.py"):
        assert "from hypothesis" in path.read_text(), f"{path.name} draws nothing"


def test_every_unit_of_the_package_has_tests_of_its_name() -> None:
    units = {path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.py") if path.stem not in NOT_UNITS}
    expected = {
        unit.with_name(f"test_{unit.name.lstrip('_')}.py") for unit in units if unit.as_posix() not in WITHOUT_TESTS
    }
    missing = sorted(path.as_posix() for path in expected if not (ROOT / "tests" / path).is_file())
    assert not missing, "missing in tests/: " + ", ".join(missing)
