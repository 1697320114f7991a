"""The exact versions of what `make test` installs: complete, with hashes, without CUDA."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PIN = re.compile(r"([A-Za-z0-9_.-]+)==([A-Za-z0-9_.+]+) --hash=sha256:[0-9a-f]{64}")


def pins(lock: Path) -> dict[str, str]:
    found = [PIN.fullmatch(line) for line in lock.read_text().splitlines() if not line.startswith("#")]
    return {canonicalize_name(pin[1]): pin[2] for pin in found if pin is not None}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_is_exact_versions_with_hashes_and_nothing_else(lock: Path) -> None:
    first, *lines = lock.read_text().splitlines()
    assert first.startswith("# Exact versions for ")
    assert [line for line in lines if not PIN.fullmatch(line)] == []


def test_nothing_of_a_lock_brings_cuda() -> None:
    for lock in LOCKS:
        locked = pins(lock)
        assert not [name for name in locked if re.search("nvidia|cuda|triton", name)]
        assert locked.get("torch", "+cpu").endswith("+cpu")


def required(project: Path, extra: str) -> Iterator[Requirement]:
    """Yield what a project and one of its extras need, and what builds it."""
    read = tomllib.loads((project / "pyproject.toml").read_text())
    extras = read["project"].get("optional-dependencies", {})
    for text in (*read["build-system"]["requires"], *read["project"]["dependencies"], *extras.get(extra, ())):
        requirement = Requirement(text)
        if not requirement.name.startswith("foliation"):
            yield requirement
        for inner in requirement.extras if requirement.name == read["project"]["name"] else ():
            yield from required(project, inner)


@pytest.mark.parametrize("lock", [lock for lock in LOCKS if ".torch." not in lock.name], ids=lambda lock: lock.name)
def test_a_lock_holds_what_the_projects_need(lock: Path) -> None:
    locked = pins(lock)
    for folder in (ROOT, ROOT / "experiments", ROOT / "benchmarks"):
        for requirement in required(folder, "test"):
            pinned = locked.get(canonicalize_name(requirement.name))
            assert pinned is not None, f"{requirement} is not in {lock.name}: run `make lock`"
            assert pinned in requirement.specifier, f"{lock.name} has {pinned}, not {requirement}"
