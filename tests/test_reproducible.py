"""Two builds of the same sources, in two folders and at two times, give the same bytes (`make test-reproducible`).

Archives hold a time; SOURCE_DATE_EPOCH says which.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = (".git", ".venv*", "build", "dist", "results", "__pycache__", "*.so", ".*_cache")
NOTICES = ("LICENSE", "licenses/nanobind.txt", "licenses/robin_map.txt")

pytestmark = pytest.mark.extra


def built(folder: Path, umask: int) -> Path:
    """Return a folder with an archive of the sources and a wheel, built from a copy of the sources in a folder."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in folder.rglob("*"):
        os.utime(path, (umask * 1e6, umask * 1e6))  # another time for each
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / "dist"), str(folder)]
    temporary = folder.parent / f"temporary {umask}"
    temporary.mkdir()
    environment = os.environ | {"TMPDIR": str(temporary), "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run(command, check=True, capture_output=True, env=environment, umask=umask)
    return folder / "dist"


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("twice")
    return built(folder / "one", umask=0o022), built(folder / "another folder" / "below", umask=0o077)


def test_the_same_names(twice: tuple[Path, Path]) -> None:
    one, other = (sorted(path.name for path in folder.iterdir()) for folder in twice)
    assert one == other
    assert len(one) == 2


def test_the_same_bytes_in_each_file_of_the_wheel(twice: tuple[Path, Path]) -> None:
    """To say which file differs; the next test compares the archives."""
    one, other = (ZipFile(next(folder.glob("*.whl"))) for folder in twice)
    assert one.namelist() == other.namelist()
    assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


@pytest.mark.parametrize("suffix", [".whl", ".tar.gz"])
def test_the_same_archives(twice: tuple[Path, Path], suffix: str) -> None:
    one, other = (next(folder.glob(f"*{suffix}")).read_bytes() for folder in twice)
    assert one == other


def test_a_wheel_has_notices_and_a_bill_of_materials(twice: tuple[Path, Path]) -> None:
    names = ZipFile(next(twice[0].glob("*.whl"))).namelist()
    inside = {name.split(".dist-info/")[1] for name in names if ".dist-info/" in name}
    assert {f"licenses/{name}" for name in NOTICES} | {"sboms/foliation.cdx.json"} <= inside


def test_no_path_of_the_build_machine_is_in_the_module(twice: tuple[Path, Path]) -> None:
    wheel = ZipFile(next(twice[0].glob("*.whl")))
    (module,) = (name for name in wheel.namelist() if name.endswith(".so"))
    assert str(twice[0].parent).encode() not in wheel.read(module)
